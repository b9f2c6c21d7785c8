// What is known of a scenario without loading it. Types and kinds only.

import type { Backend } from './names.js';
import type { Reducer } from './scenario-cell.js';

/**
 * `state`: a thread and what must be in it. `generated`: such threads, made by a seed. `crash`: a thread whose writer is
 * killed. `contract`: a saver's methods called directly. `cost`: exact call counts.
 */
export const SCENARIO_KINDS = ['state', 'generated', 'crash', 'contract', 'cost'] as const;
export type ScenarioKind = (typeof SCENARIO_KINDS)[number];

/** At the end of the name of a step: a run with `durability: exit` was there before, or is this one. */
export const AFTER_EXIT = ', a run stored at its end';

export interface ScenarioFacts {
  readonly kind: ScenarioKind;
  /** What it shows, in a sentence. */
  readonly about: string;
  /** Reducers of its channels, a cell for each; `plain` by default. */
  readonly reducers?: readonly Reducer[];
  /** Cadences of its delta cells where they are not those of the run. */
  readonly cadences?: readonly number[];
  /** False where a quick run leaves it out: what it shows, another one shows as well. */
  readonly quick?: boolean;
  /** Packages beside LangGraph and its savers without which it is skipped. */
  readonly packages?: readonly string[];
  /** Where it says something; everywhere by default. What changes rows behind a saver must know where they are. */
  readonly backends?: readonly Backend[];
}
