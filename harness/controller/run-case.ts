// One case to one row: a writer child on a fresh store, then reader children on what it left. Whatever way a child
// ends, a row comes out, except when the run itself was stopped.

import { endedBadly, serverLost, traces, type UnusableRun } from './endings.js';
import type { CasePlace, Places } from './places.js';
import { runChild, type ChildRun } from '../process/child.js';
import type { ChildFailure } from '../process/case-messages.js';
import {
  CHANNELS_CHILDREN,
  PRODUCTION_CHILDREN,
  type CaseChildren,
  type FoundReport,
  type WrittenReport,
} from './case-children.js';
import type { AnyReport, Task } from '../process/protocol.js';
import { caseFileName, type Case } from '../record/case.js';
import { loadNow } from '../record/environment.js';
import { capabilitiesOf } from '../record/names.js';
import type { ModulePaths } from '../record/own-modules.js';
import { roundMs } from '../record/percentile.js';
import { scrub } from '../record/scrub.js';
import { type Row, SCHEMA_VERSION, rowSchema } from '../record/row.js';
import type { Failure } from '../record/row-parts.js';
import type { Provenance } from '../record/provenance.js';

export interface CaseSettings {
  /** The worker module; never imported here. */
  readonly worker: URL;
  readonly packagesDir: string | null;
  readonly modules: ModulePaths;
  readonly redisUrl: string | null;
  /** For all children of the case together. */
  readonly timeoutMs: number;
  /** A child with more resident memory is stopped; null for no limit. */
  readonly maxRssBytes: number | null;
  /** Where the writer's CPU profile goes; its row is then marked and reaches no ratio. Null: no profile. */
  readonly profileDir: string | null;
  readonly provenance: Provenance;
  readonly runIndex: number;
  readonly places: Places;
  readonly place: CasePlace;
  readonly signal: AbortSignal;
}

/** Runs the children of a case one after the other. Null when the run was stopped before the case was done. */
export async function runCase(c: Case, settings: CaseSettings): Promise<Row | null> {
  const startedAt = new Date();
  const start = performance.now();
  const load = loadNow();
  const remainingMs = () => start + settings.timeoutMs - performance.now();
  const rowWith = <Measurement>({ failure, measurement }: CaseOutcome<Measurement>) => ({
    schema_version: SCHEMA_VERSION,
    provenance: provenanceOf(c, settings),
    run_index: settings.runIndex,
    started_at: startedAt.toISOString(),
    elapsed_ms: roundMs(performance.now() - start),
    load_at_start: load,
    success: failure === null,
    failure,
    profiled: settings.profileDir !== null,
    measurement,
  });
  if (c.bench === 'channels') {
    const outcome = await runChildren(CHANNELS_CHILDREN, c, settings, remainingMs);
    return outcome && consistent({ kind: 'row', case: c, ...rowWith(outcome) });
  }
  const outcome = await runChildren(PRODUCTION_CHILDREN, c, settings, remainingMs);
  return outcome && consistent({ kind: 'production_row', case: c, ...rowWith(outcome) });
}

function provenanceOf(c: Case, { provenance, places }: CaseSettings): Provenance {
  return capabilitiesOf(c).server ? { ...provenance, server: places.serverName } : provenance;
}

/** A row that contradicts itself, such as a success whose digests differ, is a report that cannot be believed. */
function consistent(row: Row): Row {
  const checked = rowSchema.safeParse(row);
  if (checked.success) return row;
  const [issue] = checked.error.issues;
  const where = issue === undefined ? 'it' : issue.path.join('.');
  return {
    ...row,
    success: false,
    measurement: null,
    failure: {
      reason: 'malformed_report',
      message: scrub(`The reports contradict themselves at ${where}: ${issue?.message ?? 'unknown'}.`),
      child: 'writer',
      stderr_tail: [],
      last_usage: null,
      difference: null,
    },
  };
}

/** V8's sampling profiler, started with the process: one file a case, for any viewer of .cpuprofile files. */
function profilerArguments(c: Case, profileDir: string | null): string[] {
  if (profileDir === null) return [];
  return ['--cpu-prof', `--cpu-prof-dir=${profileDir}`, `--cpu-prof-name=${caseFileName(c)}.cpuprofile`];
}

interface CaseOutcome<Measurement> {
  readonly failure: Failure | null;
  readonly measurement: Measurement | null;
}

async function runChildren<
  C extends Case,
  Measurement,
  Written extends WrittenReport<Measurement>,
  Read extends FoundReport,
>(
  children: CaseChildren<C, Measurement, Written, Read>,
  c: C,
  settings: CaseSettings,
  remainingMs: () => number,
): Promise<CaseOutcome<Measurement> | null> {
  const run = <Report extends AnyReport>(task: Task<Report>): Promise<ChildRun<Report>> => {
    const nodeArguments = task.role === 'write' ? profilerArguments(c, settings.profileDir) : [];
    return runChild({ ...settings, task, nodeArguments, timeoutMs: Math.max(1, remainingMs()) });
  };
  const { places, place } = settings;
  const { server: onServer, persistent } = capabilitiesOf(c);
  const request = {
    case: c,
    store_dir: place.storeDir,
    server: onServer ? place.schema : null,
    redis_url: settings.redisUrl,
    modules: settings.modules,
  };
  const failureOf = async (child: string, { ending, ...ended }: UnusableRun): Promise<Failure> => {
    const problem = onServer ? await places.serverProblem() : null;
    return problem === null
      ? endedBadly(child, ending, ended, settings.timeoutMs)
      : serverLost(child, problem, ended);
  };
  const writer = await run(children.write(request));
  if (writer.ending.kind === 'interrupted') return null;
  if (writer.ending.kind !== 'reported') {
    return { failure: await failureOf('writer', { ...writer, ending: writer.ending }), measurement: null };
  }
  const { measurement, failure } = writer.ending.report;
  if (failure !== null) return { failure: foundBy('writer', failure, writer), measurement };

  const readers = persistent ? children.readers : 0;
  const reports: Read[] = [];
  for (let number = 1; number <= readers; number += 1) {
    const name = `reader ${number}`;
    // The case's schema goes after the thread, also where a case ends before.
    const reader = await run(children.read(request, measurement, onServer && number === readers));
    if (reader.ending.kind === 'interrupted') return null;
    if (reader.ending.kind !== 'reported') {
      return { failure: await failureOf(name, { ...reader, ending: reader.ending }), measurement };
    }
    const { report } = reader.ending;
    reports.push(report);
    if (report.failure !== null) {
      return {
        failure: foundBy(name, report.failure, reader),
        measurement: children.complete(measurement, reports),
      };
    }
  }
  return { failure: null, measurement: children.complete(measurement, reports) };
}

function foundBy(child: string, failure: ChildFailure, ended: ChildRun<AnyReport>): Failure {
  const difference = failure.difference && {
    ...failure.difference,
    expected: scrub(failure.difference.expected),
    actual: scrub(failure.difference.actual),
  };
  return { reason: failure.reason, message: scrub(failure.message), difference, ...traces(child, ended) };
}
