// Tries generated histories in each cell.

import { rmSync } from 'node:fs';
import { knownDefect } from '../../harness/record/known-defect.js';
import { KNOWN_DEFECTS } from '../../harness/record/known-defects.js';
import type { Cell } from '../../harness/record/scenario-cell.js';
import type { OpenStore } from '../../harness/savers/saver.js';
import { tryHistories, type Generated } from '../../harness/verify/generate.js';
import type { GeneratedScenario } from '../../harness/verify/scenario.js';
import { reportOf, type BackendReport, type Bench } from './bench.js';

export async function generateHistories(
  scenario: GeneratedScenario,
  cells: readonly Cell[],
  bench: Bench,
): Promise<BackendReport> {
  const { seed, repeats, packages, wrapper } = bench.request;
  const place = { scenario: scenario.name, backend: bench.backend, wrapper };
  const all: { cell: Cell; outcomes: Generated[] }[] = [];
  let made = 0;
  for (const cell of cells) {
    const generated = await tryHistories(scenario, cell, {
      seed,
      count: repeats ?? 1,
      isKnown: (finding) => knownDefect(KNOWN_DEFECTS, packages, place, finding) !== null,
      openEmpty: () => openEmpty(bench, (made += 1)),
    });
    all.push({ cell, outcomes: [generated] });
  }
  return reportOf(bench, all);
}

/** A store in a folder that is gone when it is closed. */
async function openEmpty(bench: Bench, number: number): Promise<OpenStore> {
  const name = `empty${number}`;
  const store = await bench.open(name);
  return {
    ...store,
    async close() {
      await store.close();
      rmSync(bench.folder(name), { recursive: true });
    },
  };
}
