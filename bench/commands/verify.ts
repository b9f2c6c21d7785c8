// `deltaproof verify`: the release gate on correctness. Options to plan to rows to a verdict by the ledger; the proving
// is done by the worker, in children.

import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildVerifyPlan } from '../verify/matrix.js';
import { runScenarios } from '../../harness/controller/run-scenarios.js';
import { readProvenance } from '../../harness/process/revision.js';
import { removeLeftovers } from '../../harness/process/work-folder.js';
import { usageError } from '../../harness/record/errors.js';
import { checkJournalPath, openJournal, type OpenedJournal } from '../../harness/record/journal.js';
import { KNOWN_DEFECTS } from '../../harness/record/known-defects.js';
import { SCHEMA_VERSION } from '../../harness/record/row.js';
import { SCENARIO_NAMES } from '../../harness/record/scenarios.js';
import type { ScenarioRow } from '../../harness/record/scenario-row.js';
import { visible } from '../../harness/record/scrub.js';
import { EXIT, exitCodeOf, type ExitCode } from '../../harness/record/verdict.js';
import type { VerifyCase } from '../../harness/record/verify-case.js';
import { judgeScenarios, type SkippedScenario, type Verification } from '../../summarize/judge-scenarios.js';
import { checkReportFiles, writeReportFile } from '../../summarize/report-file.js';
import { renderJUnit } from '../../summarize/verification-junit.js';
import { renderVerificationMarkdown } from '../../summarize/verification-markdown.js';
import { renderVerification } from '../../summarize/verification-table.js';
import type { Arguments, Command, Streams } from './command.js';
import { describeModules, packagesForModules } from './own-modules.js';
import { requireFolder, requirePackages, requireRedis } from './preflight.js';
import { resumeCommand } from './resume-command.js';
import { refuseOtherOrigin } from './resume.js';
import { journalWarnings, newRunJournal } from './run-journal.js';
import { withPlaces } from './run-places.js';
import { listenForStop } from './stop-signals.js';
import type { VerifyContext } from './verify-context.js';
import { declareVerifyOptions, readVerifyOptions, type VerifyCommandOptions } from './verify-options.js';
import { VerifyProgress } from './verify-progress.js';
import { selfTest } from './verify-self-test.js';

const WORKER = new URL('../verify/worker.js', import.meta.url);
/** dist/bench/commands is three levels below the project. */
const PROJECT_DIR = fileURLToPath(new URL('../../../', import.meta.url));

export const verifyCommand: Command = {
  usage: 'verify',
  describe: 'Prove that savers give the right state back, scenario by scenario; a gate for releases',
  options: declareVerifyOptions,
  run: verify,
};

async function verify(args: Arguments, streams: Streams): Promise<ExitCode> {
  const options = readVerifyOptions(args);
  const warn = (warning: string) => streams.stderr.write(`warning: ${visible(warning)}\n`);
  options.warnings.forEach(warn);
  requireFolder('--packages', options.packagesDir);
  requireFolder(args['work-dir'] === undefined ? 'TMPDIR' : '--work-dir', options.workDir);
  if (options.outputPath !== null) checkJournalPath(options.outputPath, options.openMode);
  checkReportFiles(reportFiles(options), options.outputPath === null ? [] : [options.outputPath]);
  const { sha256, ...own } = await describeModules(options.modules, options.packagesDir);
  const plan = { ...options.plan, ...own };
  const planned = buildVerifyPlan(plan);
  if (planned.length === 0) throw usageError(nothingPlanned(options));
  const { scenarios } = plan;
  const left = scenarios.filter((name) => !planned.some(({ scenario }) => scenario === name));
  // Where all are asked for, nobody waits for a certain one.
  if (scenarios.length < SCENARIO_NAMES.length && left.length > 0)
    warn(`Left out by --quick or the backends: ${left.join(', ')}.`);
  const provenance = await readProvenance(PROJECT_DIR, options.packagesDir ?? PROJECT_DIR, sha256);
  requirePackages(provenance, options.plan, options.packagesDir);
  await requireRedis(options.redisUrl);
  removeLeftovers(options.workDir);
  return withPlaces({ ...options, backends: options.plan.backends }, async (places) => {
    const context = { ...options, plan, worker: WORKER, maxRssBytes: null, provenance, streams, places };
    if (options.selfTest) return selfTest(context);
    return runInto(options.outputPath ?? newRunJournal('verify'), planned, context);
  });
}

function nothingPlanned({ plan }: VerifyCommandOptions): string {
  const quick = plan.quick ? ', and --quick leaves some out' : '';
  return `None of these scenarios runs on ${plan.backends.join(', ')}${quick}.`;
}

async function runInto(
  path: string,
  planned: readonly VerifyCase[],
  context: VerifyContext,
): Promise<ExitCode> {
  const { stderr } = context.streams;
  const warn = (warning: string) => stderr.write(`warning: ${visible(warning)}\n`);
  if (context.openMode === 'resume' && !existsSync(path)) {
    warn(`${path} does not exist yet; the run starts anew.`);
  }
  const opened = openJournal(path, context.openMode);
  try {
    refuseOtherOrigin(opened.lines, path, context.provenance, 'Write to a new file.');
    journalWarnings(opened, path).forEach(warn);
    const skipped = planned.flatMap((c) => skippedScenario(c, context));
    const plan = planned.filter((c) => !skipped.some(({ scenario }) => scenario === c.scenario));
    const kept = plan.map((c) => keptRows(opened, c));
    const left = plan.filter((c, index) => kept[index]?.length !== c.backends.length);
    const ran = await runLeft(left, plan.length - left.length, opened, context);
    const rows = plan.flatMap((c, index) => {
      const now = ran.filter((row) => isOf(row, c));
      return now.length > 0 ? now : (kept[index] ?? []);
    });
    const done = left.filter((c) => ran.some((row) => isOf(row, c)));
    const cut = left.filter((c) => !done.includes(c));
    const { lost } = context.places;
    const reason = lost === null ? 'The run was interrupted.' : `The database server was gone: ${lost}`;
    const verification = judgeScenarios(rows, KNOWN_DEFECTS, {
      strict: context.strict,
      skipped: [...skipped, ...cut.map(({ scenario }) => ({ scenario, reason }))],
      packagesDir: named(context.packagesDir),
      modules: { saver: named(context.modules.saver), graph: named(context.modules.graph) },
    });
    writeAnswer(verification, context);
    stderr.write(`wrote ${relative('.', path)}\n`);
    if (cut.length === 0) return verification.exitCode;
    stderr.write(
      `${plan.length - cut.length} of ${plan.length} scenarios are in the journal. To run the rest:\n`,
    );
    stderr.write(`  ${resumeCommand(process.argv.slice(1), relative('.', path))}\n`);
    return exitCodeOf([lost === null ? EXIT.interrupted : EXIT.incomplete, verification.exitCode]);
  } finally {
    opened.journal.close();
  }
}

/** A path as a command here would name it. */
function named(path: string | null): string | null {
  return path === null ? null : relative('.', path);
}

/** Empty where all packages that the scenario needs are there. */
function skippedScenario(c: VerifyCase, { provenance, packagesDir }: VerifyContext): SkippedScenario[] {
  const absent = c.packages.filter((name) => provenance.packages[name] === undefined);
  const where = packagesDir === null ? 'this installation; run npm ci' : `${packagesDir}; install it there`;
  return absent.length === 0
    ? []
    : [{ scenario: c.scenario, reason: `${absent.join(', ')} is not in ${where}.` }];
}

/** Rows of a scenario that the journal already holds, one for each backend; those of a child that failed do not count. */
function keptRows({ lines }: OpenedJournal, c: VerifyCase): ScenarioRow[] {
  const rows = lines
    .filter((line) => line.kind === 'scenario')
    .filter((row) => isOf(row, c) && row.failure === null);
  return [...new Map(rows.map((row) => [row.backend, row])).values()];
}

/** Whether the row is of that scenario, run in the same cells and ways. */
function isOf(
  row: ScenarioRow,
  { scenario, seed, liar, wrapper, repeats, freshProcess, backends, ...own }: VerifyCase,
): boolean {
  const cells = backends.find(({ backend }) => backend === row.backend)?.cells;
  if (cells === undefined) return false;
  const ran = JSON.stringify(row.cells.map(({ cell }) => cell));
  return (
    row.scenario === scenario &&
    row.seed === seed &&
    row.liar === liar &&
    row.wrapper === wrapper &&
    row.repeats === repeats &&
    (row.backend !== 'custom' || row.custom_saver?.name === own.custom_saver?.name) &&
    row.custom_graph?.name === own.custom_graph?.name &&
    row.fresh_process === freshProcess &&
    (row.failure !== null || ran === JSON.stringify(cells.length === 0 ? [null] : cells))
  );
}

async function runLeft(
  left: readonly VerifyCase[],
  before: number,
  { journal }: OpenedJournal,
  context: VerifyContext,
): Promise<readonly ScenarioRow[]> {
  if (left.length === 0) return [];
  journal.append({
    kind: 'manifest',
    schema_version: SCHEMA_VERSION,
    started_at: new Date().toISOString(),
    provenance: context.provenance,
    options: { ...context.plan, timeoutMs: context.timeoutMs, jobs: context.jobs },
    planned_cases: left.length,
    skipped_cells: [],
  });
  const progress = new VerifyProgress(before + left.length, before, context.streams.stderr, context.quiet);
  const stop = listenForStop(() =>
    progress.note('Interrupted: finishing the scenarios in flight. Once more stops at once.'),
  );
  try {
    return await runScenarios(left, {
      ...context,
      packagesDir: packagesForModules(context.modules, context.packagesDir),
      stopStarting: stop.stopStarting,
      stopNow: stop.stopNow,
      onRows(c, rows) {
        rows.forEach((row) => journal.append(row));
        progress.finished(c.scenario, judgeScenarios(rows, KNOWN_DEFECTS, { strict: context.strict }));
      },
    });
  } finally {
    progress.end();
    stop.release();
  }
}

function writeAnswer(verification: Verification, options: VerifyContext): void {
  const { streams } = options;
  streams.stdout.write(
    options.json ? `${JSON.stringify(verification, null, 2)}\n` : renderVerification(verification),
  );
  for (const file of reportFiles(options)) writeReportFile(file, file.render(verification));
}

function reportFiles({ junitPath, markdownPath }: VerifyCommandOptions) {
  return [
    ...(junitPath === null ? [] : [{ option: '--junit', path: junitPath, render: renderJUnit }]),
    ...(markdownPath === null
      ? []
      : [{ option: '--markdown', path: markdownPath, render: renderVerificationMarkdown }]),
  ];
}
