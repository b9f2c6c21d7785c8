// The plan of a verification: which scenarios, in which cells, on which backends, with which seeds. Pure; loads nothing
// that is under test.

import type { LiarName } from '../../harness/record/liars.js';
import type { Backend } from '../../harness/record/names.js';
import type { Cell, Reducer } from '../../harness/record/scenario-cell.js';
import { wrapsBackend, type WrapperName } from '../../harness/record/wrappers.js';
import { MODES } from '../../harness/record/names.js';
import type { OwnGraph, OwnSaver } from '../../harness/record/own-modules.js';
import {
  isOwnScenario,
  SCENARIOS,
  type ScenarioEntry,
  type ScenarioName,
} from '../../harness/record/scenarios.js';
import type { VerifyCase } from '../../harness/record/verify-case.js';

/** K of the delta cells: a snapshot each time, often, seldom, and never within a scenario. */
export const DEFAULT_CADENCES = [1, 2, 3, 10, 1000] as const;
/** One that has snapshots and replays in every scenario. */
export const QUICK_CADENCES = [3] as const;

/** In each cell; a run asks for more with --generate and --kills. */
export const DEFAULT_HISTORIES = 20;
export const DEFAULT_KILLS = 8;

export interface VerifyOptions {
  readonly scenarios: readonly ScenarioName[];
  readonly backends: readonly Backend[];
  readonly snapshotFrequencies: readonly number[];
  readonly seeds: readonly number[];
  /** The main scenarios, in the process that wrote alone. */
  readonly quick: boolean;
  /** A saver that lies on purpose; null for the one under test. */
  readonly liar: LiarName | null;
  /** How many histories are generated in each cell. */
  readonly histories: number;
  /** How often the writer of each cell is killed. */
  readonly kills: number;
  /** What stands before the savers; null: nothing. */
  readonly wrapper: WrapperName | null;
  /** For the backend custom. */
  readonly ownSaver: OwnSaver | null;
  /** Where there is one the scenarios of it run, and no others. */
  readonly ownGraph: OwnGraph | null;
}

/** In the order of the table of scenarios, seed by seed; without scenarios that say nothing on these backends. */
export function buildVerifyPlan(options: VerifyOptions): VerifyCase[] {
  return options.seeds.flatMap((seed) =>
    SCENARIOS.filter(
      ({ name, quick }) =>
        options.scenarios.includes(name) &&
        (quick || !options.quick) &&
        isOwnScenario(name) === (options.ownGraph !== null),
    ).flatMap((entry): VerifyCase[] => {
      const cells = cellsOf(entry, options);
      const backends = options.backends.filter(
        (backend) => entry.backends.includes(backend) && wrapsBackend(options.wrapper, backend),
      );
      if (backends.length === 0) return [];
      return [
        {
          scenario: entry.name,
          kind: entry.kind,
          packages: entry.packages,
          seed,
          ...(options.ownSaver === null ? {} : { custom_saver: options.ownSaver }),
          ...(options.ownGraph === null ? {} : { custom_graph: options.ownGraph }),
          liar: options.liar,
          wrapper: options.wrapper,
          repeats: repeatsOf(entry, options),
          // What a liar does shows in the process that wrote.
          freshProcess: !options.quick && options.liar === null,
          backends: backends.map((backend) => ({ backend, cells })),
        },
      ];
    }),
  );
}

function repeatsOf({ kind }: ScenarioEntry, { histories, kills }: VerifyOptions): number | null {
  if (kind === 'generated') return histories;
  return kind === 'crash' ? kills : null;
}

/** Full once, and delta with every reducer at every cadence; a writer that is killed draws its cadences itself. */
function cellsOf({ kind, reducers, cadences }: ScenarioEntry, options: VerifyOptions): Cell[] {
  if (kind === 'contract' || kind === 'cost') return [];
  if (kind === 'crash') {
    return MODES.map((mode): Cell => ({ mode, snapshot_frequency: null, reducer: 'plain' }));
  }
  const frequencies = cadences ?? options.snapshotFrequencies;
  const full: Cell = { mode: 'full', snapshot_frequency: null, reducer: reducers[0] as Reducer };
  const delta = reducers.flatMap((reducer) =>
    frequencies.map((k): Cell => ({ mode: 'delta', snapshot_frequency: k, reducer })),
  );
  return [full, ...delta];
}
