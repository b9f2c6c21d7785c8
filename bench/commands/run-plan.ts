// Runs a plan of cases for a command: preflight, journal, children, and the report at the end. What is measured is the worker's.

import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Places } from '../../harness/controller/places.js';
import { runCases } from '../../harness/controller.js';
import { readProvenance } from '../../harness/process/revision.js';
import { caseKey } from '../../harness/record/case.js';
import { usageError } from '../../harness/record/errors.js';
import { checkJournalPath, openJournal, type OpenedJournal } from '../../harness/record/journal.js';
import { readJournalLines } from '../../harness/record/journal-lines.js';
import type { MetricChoice } from '../../harness/record/metrics.js';
import type { Plan, PlannedCase } from '../../harness/record/plan.js';
import { SCHEMA_VERSION } from '../../harness/record/row.js';
import type { Manifest } from '../../harness/record/journal-line.js';
import type { Provenance } from '../../harness/record/provenance.js';
import { capabilitiesOf, type Backend, type Mode } from '../../harness/record/names.js';
import { visible } from '../../harness/record/scrub.js';
import { EXIT, exitCodeOf, type ExitCode } from '../../harness/record/verdict.js';
import { renderCsv } from '../../summarize/csv.js';
import { renderJson } from '../../summarize/json.js';
import { renderMarkdown } from '../../summarize/markdown.js';
import { writeReportFile } from '../../summarize/report-file.js';
import { summarizeJournals } from '../../summarize/summarize-journals.js';
import type { Summary } from '../../summarize/summary-shape.js';
import { renderTable } from '../../summarize/table.js';
import type { Arguments, Streams } from './command.js';
import { packagesForModules } from './own-modules.js';
import { planCost, planDocument, planNotes, planText } from './plan-text.js';
import {
  checkWorkDir,
  prepareFolder,
  prepareKeepStores,
  requireFolder,
  requirePackages,
  requireRedis,
  timeoutWarnings,
} from './preflight.js';
import { Progress } from './progress.js';
import { resumeCommand } from './resume-command.js';
import { alreadyDone, resumeFrom } from './resume.js';
import { journalWarnings, newRunJournal } from './run-journal.js';
import type { RunOptions } from './run-options.js';
import { withPlaces } from './run-places.js';
import { listenForStop } from './stop-signals.js';

/** dist/bench/commands is three levels below the project. */
const PROJECT_DIR = fileURLToPath(new URL('../../../', import.meta.url));

/** What is run, beside the options of the run. */
export interface Experiment {
  /** Of the command, and of a journal's folder. */
  readonly name: 'channels' | 'production';
  readonly worker: URL;
  readonly plan: Plan;
  /** The options that made the plan, for the manifest; without paths. */
  readonly matrix: { readonly backends: readonly Backend[]; readonly modes: readonly Mode[] };
  /** Packages under test that its cases need beside those of their backends. */
  readonly packages: readonly string[];
  /** Digest of the user's own modules. */
  readonly ownModules: Readonly<Record<string, string>>;
}

/** What needs no plan: the options' own warnings, and folders and files that they name. */
export function checkRunOptions(options: RunOptions, args: Arguments, { stderr }: Streams): void {
  options.warnings.forEach((warning) => stderr.write(`warning: ${visible(warning)}\n`));
  requireFolder('--packages', options.packagesDir);
  requireFolder(args['work-dir'] === undefined ? 'TMPDIR' : '--work-dir', options.workDir);
  if (options.outputPath !== null) checkJournalPath(options.outputPath, options.openMode);
}

/** Runs the plan, or prints it with `--dry-run`. */
export async function runExperiment(
  experiment: Experiment,
  options: RunOptions,
  streams: Streams,
): Promise<ExitCode> {
  const plan = withServerDisk(experiment.plan, options);
  if (plan.cases.length === 0) {
    throw usageError('Every cell is too large, so nothing is left to run; --allow-large-cases runs them.');
  }
  if (options.dryRun) return dryRun(plan, options, streams);
  const { matrix, ownModules } = experiment;
  const cost = planCost(plan.cases, options.jobs, options.keepStoresDir !== null);
  const provenance = await readProvenance(PROJECT_DIR, options.packagesDir ?? PROJECT_DIR, ownModules);
  requirePackages(provenance, { backends: matrix.backends, more: experiment.packages }, options.packagesDir);
  await requireRedis(options.redisUrl);
  checkWorkDir(options, cost).forEach((text) => streams.stderr.write(`warning: ${visible(text)}\n`));
  // Everything that can refuse is asked before the journal is opened, and with --overwrite emptied.
  prepareKeepStores(options.keepStoresDir, plan.cases, options.openMode !== 'new');
  prepareFolder('profile-dir', options.profileDir);
  return withPlaces({ ...options, backends: matrix.backends }, (places) =>
    runInto(options.outputPath ?? newRunJournal(experiment.name), plan, {
      ...options,
      experiment,
      provenance,
      streams,
      places,
    }),
  );
}

/** A server that the user names has a disk of its own. */
function withServerDisk(plan: Plan, { postgresUri }: RunOptions): Plan {
  if (postgresUri === null) return plan;
  const cases = plan.cases.map((planned) =>
    capabilitiesOf(planned.case).server ? { ...planned, expectedDiskBytes: 0 } : planned,
  );
  return { ...plan, cases };
}

/** Prints what would run: with `--resume`, what the journal lacks. */
function dryRun({ cases, skipped }: Plan, options: RunOptions, { stdout, stderr }: Streams): ExitCode {
  const { outputPath: path, openMode } = options;
  const lines = openMode === 'resume' && path !== null && existsSync(path) ? [...readJournalLines(path)] : [];
  const { done } = alreadyDone(
    lines.flatMap((line) => (line.kind === 'line' ? [line.value] : [])),
    options.profileDir !== null,
  );
  const plan = { cases: cases.filter((planned) => !done.has(caseKey(planned.case))), skipped };
  const cost = planCost(plan.cases, options.jobs, options.keepStoresDir !== null);
  stdout.write(
    options.json ? `${JSON.stringify(planDocument(plan, cost), null, 2)}\n` : planText(plan, cost),
  );
  timeoutWarnings(plan.cases, options.timeoutMs).forEach((text) => stderr.write(`warning: ${text}\n`));
  return EXIT.fine;
}

async function runInto(path: string, plan: Plan, context: RunContext): Promise<ExitCode> {
  const { stderr } = context.streams;
  const warn = (warning: string) => stderr.write(`warning: ${visible(warning)}\n`);
  const note = (text: string) => context.quiet || stderr.write(`${text}\n`);
  if (context.openMode === 'resume' && !existsSync(path)) {
    warn(`${path} does not exist yet; the run starts anew.`);
  }
  const opened = openJournal(path, context.openMode);
  try {
    const resumed = resumeFrom(opened.lines, path, context.provenance, {
      across: context.resumeAcross,
      profiled: context.profileDir !== null,
    });
    journalWarnings(opened, path).forEach(warn);
    const cases = plan.cases.filter((planned) => !resumed.done.has(caseKey(planned.case)));
    timeoutWarnings(cases, context.timeoutMs).forEach(warn);
    if (cases.length > 0) opened.journal.append(manifestOf(plan, context));
    planNotes(plan).forEach(note);
    const before = plan.cases.length - cases.length;
    if (before > 0) note(`${before} of ${plan.cases.length} cases are done.`);
    const ran = await runRemaining(cases, before, resumed.kept, opened, context);
    const exitCode = report(path, context);
    if (ran === cases.length) return exitCode;
    stderr.write(`${before + ran} of ${plan.cases.length} cases are in the journal. To run the rest:\n`);
    stderr.write(`  ${resumeCommand(process.argv.slice(1), relative('.', path))}\n`);
    return exitCodeOf([context.places.lost === null ? EXIT.interrupted : EXIT.incomplete, exitCode]);
  } finally {
    opened.journal.close();
  }
}

interface RunContext extends RunOptions {
  readonly experiment: Experiment;
  readonly provenance: Provenance;
  readonly streams: Streams;
  readonly places: Places;
}

/**
 * Runs the cases; returns how many have a row, fewer than all when the run was stopped.
 *
 * @param before cases of the plan that were done before.
 */
async function runRemaining(
  cases: readonly PlannedCase[],
  before: number,
  kept: Parameters<typeof runCases>[1],
  { journal }: OpenedJournal,
  context: RunContext,
): Promise<number> {
  const progress = new Progress(cases, before, context.streams.stderr, context.quiet);
  const stop = listenForStop(() =>
    progress.note('Interrupted: finishing the case in flight. Once more stops at once.'),
  );
  try {
    const rows = await runCases(
      cases.map((planned) => planned.case),
      kept,
      {
        ...context,
        packagesDir: packagesForModules(context.modules, context.packagesDir),
        worker: context.experiment.worker,
        stopStarting: stop.stopStarting,
        stopNow: stop.stopNow,
        append: (line) => journal.append(line),
        onEvent: (event) => progress.onEvent(event),
      },
    );
    return rows.length;
  } finally {
    progress.end();
    stop.release();
  }
}

/** The table on stdout, and for a run in a folder of its own every metric in files beside the journal. */
function report(path: string, options: RunContext): ExitCode {
  const { stdout, stderr } = options.streams;
  const summarize = (metrics: MetricChoice) =>
    summarizeJournals([path], { pool: options.resumeAcross, skipBadLines: true, metrics });
  const { summary, warnings, exitCode } = summarize('headline');
  warnings.forEach((warning) => stderr.write(`warning: ${warning}\n`));
  stdout.write(options.json ? renderJson(summary) : renderTable(summary));
  const files = options.outputPath === null ? writeRunReports(path, summarize('all').summary) : [];
  stderr.write([path, ...files].map((file) => `wrote ${relative('.', file)}\n`).join(''));
  // A run of one mode is not meant to pair; that its mode could not be shown still counts.
  const expected = options.experiment.matrix.modes.length === 1 && summary.rows.mode_undecided === 0;
  return expected && exitCode === EXIT.undecided ? EXIT.fine : exitCode;
}

function writeRunReports(journalPath: string, summary: Summary): string[] {
  const reports = [
    { option: 'summary', path: join(dirname(journalPath), 'summary.csv'), text: renderCsv(summary) },
    { option: 'summary', path: join(dirname(journalPath), 'summary.md'), text: renderMarkdown(summary) },
  ];
  reports.forEach(({ text, ...file }) => writeReportFile(file, text));
  return reports.map((file) => file.path);
}

function manifestOf(plan: Plan, { experiment, timeoutMs, jobs, provenance }: RunContext): Manifest {
  return {
    kind: 'manifest',
    schema_version: SCHEMA_VERSION,
    started_at: new Date().toISOString(),
    provenance,
    options: { ...experiment.matrix, timeoutMs, jobs },
    planned_cases: plan.cases.length,
    skipped_cells: plan.skipped.map((cell) => cell.cell),
  };
}
