// One scenario to its rows: a child that plays it in all cells, then one that reads again what was left. Whatever way a
// child ends, there is a row for every backend, except when the run itself was stopped.

import { runChild, type ChildRun } from '../process/child.js';
import { scenarioTask, type ScenarioReport } from '../process/verify-messages.js';
import { capabilitiesOf, type Backend } from '../record/names.js';
import type { ModulePaths } from '../record/own-modules.js';
import { roundMs } from '../record/percentile.js';
import { SCHEMA_VERSION } from '../record/row.js';
import type { Failure } from '../record/row-parts.js';
import type { Provenance } from '../record/provenance.js';
import type { ScenarioRow } from '../record/scenario-row.js';
import { scrub } from '../record/scrub.js';
import type { VerifyCase } from '../record/verify-case.js';
import { endedBadly, serverLost } from './endings.js';
import type { CasePlace, Places } from './places.js';

export interface ScenarioSettings {
  /** The worker module; never imported here. */
  readonly worker: URL;
  readonly packagesDir: string | null;
  readonly modules: ModulePaths;
  readonly redisUrl: string | null;
  /** For both children of a scenario together. */
  readonly timeoutMs: number;
  readonly maxRssBytes: number | null;
  readonly provenance: Provenance;
  readonly places: Places;
  readonly place: CasePlace;
  readonly signal: AbortSignal;
}

const LEAST_LOOK_MS = 20_000;

type BackendReports = ScenarioReport['backends'];

/** The rows of a scenario, one for each backend. Null when the run was stopped before it was done. */
export async function runScenario(c: VerifyCase, settings: ScenarioSettings): Promise<ScenarioRow[] | null> {
  const startedAt = new Date();
  const start = performance.now();
  // Also after writers that took all the time it is looked at what they have found.
  const leastMs = (role: 'write' | 'read') => (c.kind === 'crash' && role === 'read' ? LEAST_LOOK_MS : 1);
  const run = (role: 'write' | 'read', backends: VerifyCase['backends']) =>
    runChild({
      ...settings,
      task: scenarioTask({
        ...c,
        backends: backends.map(({ backend, cells }) => ({ backend, cells: [...cells] })),
        role,
        packages: settings.provenance.packages,
        store_dir: settings.place.storeDir,
        server: settings.place.schema,
        redis_url: settings.redisUrl,
        modules: settings.modules,
      }),
      timeoutMs: Math.max(leastMs(role), start + settings.timeoutMs - performance.now()),
    });
  const writer = c.kind === 'crash' ? await runKilled(c, run) : await run('write', c.backends);
  if (writer?.ending.kind === 'interrupted') return null;
  const persistent = c.backends.filter(({ backend }) => capabilitiesOf({ ...c, backend }).persistent);
  const isReread = c.kind === 'crash' || (c.kind === 'state' && c.freshProcess);
  // What writers that are killed have found they cannot tell themselves.
  const isWritten = c.kind === 'crash' || writer?.ending.kind === 'reported';
  const rereads = isReread && isWritten && persistent.length > 0;
  const reader = rereads ? await run('read', persistent) : null;
  if (reader?.ending.kind === 'interrupted') return null;

  const elapsedMs = roundMs(performance.now() - start);
  const failed = [writer, reader].some((child) => child !== null && child.ending.kind !== 'reported');
  const problem = failed && persistent.some(hasServer) ? await settings.places.serverProblem() : null;
  return c.backends.map(({ backend }): ScenarioRow => {
    const read = persistent.some((other) => other.backend === backend) ? reader : null;
    const parts = [writer, read].flatMap((child) => (child === null ? [] : reportOf(child, backend)));
    return {
      kind: 'scenario',
      schema_version: SCHEMA_VERSION,
      scenario: c.scenario,
      scenario_kind: c.kind,
      backend,
      ...(backend === 'custom' ? { custom_saver: c.custom_saver } : {}),
      ...(c.custom_graph === undefined ? {} : { custom_graph: c.custom_graph }),
      seed: c.seed,
      fresh_process: c.freshProcess,
      liar: c.liar,
      wrapper: c.wrapper,
      repeats: c.repeats,
      provenance: hasServer({ backend })
        ? { ...settings.provenance, server: settings.places.serverName }
        : settings.provenance,
      started_at: startedAt.toISOString(),
      elapsed_ms: elapsedMs,
      cells: mergedCells(parts),
      findings: parts.flatMap(({ findings }) => findings).map(scrubbed),
      failure: failureOf('writer', writer, settings, problem) ?? failureOf('reader', read, settings, problem),
    };
  });
}

function hasServer({ backend }: { readonly backend: Backend }): boolean {
  return capabilitiesOf({ backend }).server;
}

type Run = (role: 'write' | 'read', backends: VerifyCase['backends']) => Promise<ChildRun<ScenarioReport>>;

/**
 * Starts the writer of each cell until it was killed as often as it is to be, or ends in another way.
 *
 * @returns the first that ended in another way, such as at the timeout; null for none.
 */
async function runKilled(
  { backends, repeats }: VerifyCase,
  run: Run,
): Promise<ChildRun<ScenarioReport> | null> {
  const cells = backends.flatMap(({ backend, cells: all }) =>
    all.map((cell) => ({ backend, cells: [cell] })),
  );
  for (const cell of cells) {
    for (let kills = 0; kills < (repeats ?? 1);) {
      const writer = await run('write', [cell]);
      const { ending } = writer;
      const isKilled = ending.kind === 'signalled' && ending.signal === 'SIGKILL';
      if (isKilled) kills += 1;
      else if (ending.kind !== 'reported') return writer;
      // It goes on until it is killed, or until what it finds breaks it: that it reports.
      else break;
    }
  }
  return null;
}

function reportOf({ ending }: ChildRun<ScenarioReport>, backend: Backend): BackendReports {
  if (ending.kind !== 'reported') return [];
  return ending.report.backends.filter((report) => report.backend === backend);
}

/** Comparisons of writer and reader, cell by cell. */
function mergedCells(reports: BackendReports): ScenarioRow['cells'] {
  const merged = new Map<string, ScenarioRow['cells'][number]>();
  for (const { cell, comparisons } of reports.flatMap((report) => report.cells)) {
    const key = JSON.stringify(cell);
    const known = merged.get(key)?.comparisons ?? 0;
    merged.set(key, { cell, comparisons: known + comparisons });
  }
  return [...merged.values()];
}

function failureOf(
  child: string,
  run: ChildRun<ScenarioReport> | null,
  { timeoutMs }: ScenarioSettings,
  serverProblem: string | null,
): Failure | null {
  if (run === null || run.ending.kind === 'reported' || run.ending.kind === 'interrupted') return null;
  if (serverProblem !== null) return serverLost(child, serverProblem, run);
  return endedBadly(child, run.ending, run, timeoutMs);
}

function scrubbed(finding: ScenarioRow['findings'][number]): ScenarioRow['findings'][number] {
  return {
    ...finding,
    signature: scrub(finding.signature),
    expected: scrub(finding.expected),
    actual: scrub(finding.actual),
    evidence: finding.evidence.map(scrub),
  };
}
