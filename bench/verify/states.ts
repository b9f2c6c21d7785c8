// Plays a state scenario in its cells, or reads again what was played.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { capabilitiesOf } from '../../harness/record/names.js';
import type { Cell } from '../../harness/record/scenario-cell.js';
import type { OpenStore } from '../../harness/savers/saver.js';
import { migrationFindings } from '../../harness/verify/migration.js';
import { playCell } from '../../harness/verify/play.js';
import type { Played, PlayedStep } from '../../harness/verify/played.js';
import { rereadCell, type Reread } from '../../harness/verify/reread.js';
import type { StateScenario } from '../../harness/verify/scenario.js';
import { reportOf, type BackendReport, type Bench } from './bench.js';

const STEPS_FILE = 'steps.json';

export async function playStates(
  scenario: StateScenario,
  cells: readonly Cell[],
  bench: Bench,
): Promise<BackendReport> {
  const all: { cell: Cell; played: Played; again: Reread }[] = [];
  for (const [index, cell] of cells.entries()) {
    const store = await bench.open(index);
    const played = await playCell(scenario, cell, store, bench.request.seed);
    const anew = await reopened(store, index, bench);
    const again = await rereadCell(scenario, cell, anew, played.steps, ['pinned', 'last']);
    await anew.close();
    writeFileSync(join(bench.folder(index), STEPS_FILE), JSON.stringify(played.steps));
    all.push({ cell, played, again });
  }
  return reportOf(
    bench,
    all.map(({ cell, played, again }) => ({ cell, outcomes: [played, again] })),
    migrationFindings(
      scenario,
      all
        // What a cell shows by itself it also shows beside another one.
        .filter(
          ({ played, again }) =>
            scenario.inputs === undefined || played.findings.length + again.findings.length === 0,
        )
        .map(({ cell, played }) => ({ ...played, cell })),
    ),
  );
}

/** On a saver made anew where the store outlives it, else as it is. */
async function reopened(store: OpenStore, index: number, bench: Bench): Promise<OpenStore> {
  if (!capabilitiesOf({ backend: bench.backend, custom_saver: bench.request.custom_saver }).persistent)
    return store;
  await store.close();
  return bench.open(index);
}

/** In a fresh process. */
export async function rereadStates(
  scenario: StateScenario,
  cells: readonly Cell[],
  bench: Bench,
): Promise<BackendReport> {
  const all: { cell: Cell; outcomes: Reread[] }[] = [];
  for (const [index, cell] of cells.entries()) {
    const steps = JSON.parse(readFileSync(join(bench.folder(index), STEPS_FILE), 'utf8')) as PlayedStep[];
    const store = await bench.open(index);
    const again = await rereadCell(scenario, cell, store, steps, ['fresh_pinned', 'fresh_last']);
    all.push({ cell, outcomes: [again] });
    await store.close();
  }
  return reportOf(bench, all);
}
