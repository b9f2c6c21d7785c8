// What `deltaproof verify` runs, one after the other: a scenario on its backends and cells with one seed.

import type { LiarName } from './liars.js';
import type { Backend } from './names.js';
import type { Cell } from './scenario-cell.js';
import type { ScenarioKind } from './scenario-facts.js';
import type { ScenarioName } from './scenarios.js';

export interface VerifyCase {
  readonly scenario: ScenarioName;
  readonly kind: ScenarioKind;
  /** Packages without which it is skipped. */
  readonly packages: readonly string[];
  readonly seed: number;
  readonly liar: LiarName | null;
  /** Whether what was written is read again in a fresh process, where the backend outlives one. */
  readonly freshProcess: boolean;
  readonly backends: readonly { readonly backend: Backend; readonly cells: readonly Cell[] }[];
}
