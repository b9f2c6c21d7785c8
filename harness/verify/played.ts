// What playing a scenario leaves: its steps, to be read again, and what was found. Types only.

import type { StateRecord } from '../record/digest.js';
import type { Finding } from '../record/scenario-row.js';
import type { NamedExpectation } from './compare.js';
import type { GraphChoice } from './scenario.js';

/** A step that was played, with all that reading it again takes. Plain data. */
export interface PlayedStep {
  readonly step: string;
  readonly choice: GraphChoice;
  readonly threadId: string;
  readonly namespace: string;
  readonly checkpointId: string;
  /** By its checkpoint id. */
  readonly expected: NamedExpectation;
  /** Unpinned, as the head. */
  readonly expectedAsHead: NamedExpectation;
  /** It was the newest state of its thread then. */
  readonly head: boolean;
  readonly lasting: boolean;
  /** A read of it may refuse. */
  readonly refusable: boolean;
}

/** What a step returned live: a state, or how it threw. */
export type Live =
  | { readonly state: StateRecord; readonly parallel: NamedExpectation['parallel'] }
  | { readonly throws: string; readonly isRefusal: boolean };

/** What playing one cell has shown. */
export interface Played {
  readonly steps: readonly PlayedStep[];
  readonly lives: ReadonlyMap<string, Live>;
  readonly findings: readonly Finding[];
  readonly comparisons: number;
}
