// What a plan of cases is, and the order in which its cases run, whatever the experiment. Pure.

import type { Case, DeltaSetting } from './case.js';
import { BACKEND_CAPABILITIES, type Backend, type HistoryCacheName, type Mode } from './names.js';

export interface PlannedCase<C extends Case = Case> {
  readonly case: C;
  /** Expected wall time; an order of magnitude. */
  readonly expectedMs: number;
  /** Expected size of its store while it runs. */
  readonly expectedDiskBytes: number;
}

export interface SkippedCell {
  readonly cell: string;
  readonly cases: number;
  /** What its full mode would hold. */
  readonly estimatedFullBytes: number;
}

export interface Plan<C extends Case = Case> {
  /** In the order in which they run. */
  readonly cases: readonly PlannedCase<C>[];
  readonly skipped: readonly SkippedCell[];
}

/** A plan is held in memory whole; one that would run for years is a slip. */
export const MAX_CASES = 100_000;

/** What each cell is run with. */
export interface CellAxes {
  readonly modes: readonly Mode[];
  readonly snapshotFrequencies: readonly number[];
  /** What stands before the saver of delta cases. */
  readonly historyCaches: readonly HistoryCacheName[];
  readonly repetitions: number;
}

const FULL_SETTING: DeltaSetting = { snapshot_frequency: null };

/** A case of a cell in some mode and setting. */
export type AsCase<Cell, C> = (cell: Cell, mode: Mode, setting: DeltaSetting, repetition: number) => C;

/** The full case of a cell, which stands for the cell. */
export function fullCase<Cell, C>(cell: Cell, asCase: AsCase<Cell, C>): C {
  return asCase(cell, 'full', FULL_SETTING, 1);
}

/**
 * The cases of the cells in the order in which they run. Repetitions are outermost, so that an interrupted run has whole
 * repetitions of every cell. Within a cell the mode that runs first flips from repetition to repetition, and the settings
 * of delta rotate; neighbouring cells start with different modes as well. So neither drift nor position favours a mode, a
 * cadence or a history cache.
 */
export function inOrder<Cell extends { readonly backend: Backend }, C>(
  cells: readonly Cell[],
  axes: CellAxes,
  asCase: AsCase<Cell, C>,
): C[] {
  const cases: C[] = [];
  for (let repetition = 1; repetition <= axes.repetitions; repetition += 1) {
    for (const [position, cell] of cells.entries()) {
      const full = axes.modes.includes('full') ? [asCase(cell, 'full', FULL_SETTING, repetition)] : [];
      const delta = rotated(deltaSettings(cell.backend, axes), repetition - 1).map((setting) =>
        asCase(cell, 'delta', setting, repetition),
      );
      cases.push(...((repetition + position) % 2 === 1 ? [...full, ...delta] : [...delta, ...full]));
    }
  }
  return cases;
}

function rotated<T>(items: readonly T[], by: number): T[] {
  const start = items.length === 0 ? 0 : by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}

/** Every cadence with every history cache that the backend can have. */
function deltaSettings(
  backend: Backend,
  { modes, snapshotFrequencies, historyCaches }: CellAxes,
): DeltaSetting[] {
  if (!modes.includes('delta')) return [];
  const caches = historyCaches.filter(
    (cache) => cache !== 'direct' || BACKEND_CAPABILITIES[backend].directWalk,
  );
  return snapshotFrequencies.flatMap((k) =>
    caches.map((cache) => ({
      snapshot_frequency: k,
      ...(cache === 'off' ? {} : { history_cache: cache }),
    })),
  );
}

/** How many cases a cell has in one repetition. */
export function casesPerRepetition(backend: Backend, axes: CellAxes): number {
  return (axes.modes.includes('full') ? 1 : 0) + deltaSettings(backend, axes).length;
}
