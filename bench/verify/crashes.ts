// One start of a writer that is killed, or the look at what all of them have left.

import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cell } from '../../harness/record/scenario-cell.js';
import { findingSchema, type Finding } from '../../harness/record/scenario-row.js';
import { errorSignature } from '../../harness/verify/compare.js';
import { lookAfterKills, writeUntilKilled, type CrashStart } from '../../harness/verify/crash.js';
import { CrashLedger } from '../../harness/verify/crash-ledger.js';
import type { CrashScenario } from '../../harness/verify/scenario.js';
import { reportOf, type BackendReport, type Bench } from './bench.js';

/** Lines of findings, since whoever makes them may not live to report them. */
const FINDINGS_FILE = 'findings.jsonl';

/** @param cells the one whose writer starts. What it finds is told by {@link lookAtCrashes}. */
export async function startWriters(
  scenario: CrashScenario,
  cells: readonly Cell[],
  bench: Bench,
): Promise<BackendReport> {
  for (const cell of cells) await started(scenario, cell, bench, writeUntilKilled);
  return reportOf(bench, []);
}

export async function lookAtCrashes(
  scenario: CrashScenario,
  cells: readonly Cell[],
  bench: Bench,
): Promise<BackendReport> {
  const all: { cell: Cell; outcomes: { findings: Finding[]; comparisons: number }[] }[] = [];
  for (const cell of cells) {
    const { starts, turns } = await started(scenario, cell, bench, lookAfterKills);
    all.push({
      cell,
      outcomes: [{ findings: findingsIn(bench.folder(cell.mode)), comparisons: starts + turns }],
    });
  }
  return reportOf(bench, all);
}

/** What breaks a start is a finding; the next one begins anew. */
async function started(
  scenario: CrashScenario,
  cell: Cell,
  bench: Bench,
  run: (start: CrashStart) => Promise<void>,
) {
  const folder = bench.folder(cell.mode);
  const ledger = new CrashLedger(join(folder, 'acknowledged.jsonl'));
  const onFinding = (finding: Finding) =>
    appendFileSync(join(folder, FINDINGS_FILE), `${JSON.stringify(finding)}\n`);
  const store = await bench.open(cell.mode);
  const before = ledger.owed;
  try {
    await run({ scenario, cell, store, ledger, seed: bench.request.seed, onFinding });
  } catch (error) {
    const step = `start ${before.starts + 1}`;
    const signature = errorSignature(error);
    onFinding({ cell, step, witness: 'fresh_last', signature, expected: '', actual: '', evidence: [] });
  }
  await store.close();
  return ledger.owed;
}

function findingsIn(folder: string): Finding[] {
  const path = join(folder, FINDINGS_FILE);
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => findingSchema.parse(JSON.parse(line)));
}
