// What `deltaproof verify` runs, one after the other: a scenario on its backends and cells with one seed.

import type { LiarName } from './liars.js';
import type { Backend } from './names.js';
import type { OwnGraph, OwnSaver } from './own-modules.js';
import type { Cell } from './scenario-cell.js';
import type { ScenarioKind } from './scenario-facts.js';
import type { ScenarioName } from './scenarios.js';
import type { WrapperName } from './wrappers.js';

export interface VerifyCase {
  readonly scenario: ScenarioName;
  readonly kind: ScenarioKind;
  /** Packages without which it is skipped. */
  readonly packages: readonly string[];
  readonly seed: number;
  /** The user's saver, for the backend custom, and the user's graph, for the scenarios of one. */
  readonly custom_saver?: OwnSaver | undefined;
  readonly custom_graph?: OwnGraph | undefined;
  readonly liar: LiarName | null;
  /** How many histories are generated, or how often the writer of a cell is killed; null for other kinds. */
  readonly repeats: number | null;
  /** What stands before the saver of the backend. */
  readonly wrapper: WrapperName | null;
  /** Whether what was written is read again in a fresh process, where the backend outlives one. */
  readonly freshProcess: boolean;
  readonly backends: readonly { readonly backend: Backend; readonly cells: readonly Cell[] }[];
}
