// Holds every reading of a thread's state against what it must be: the workload's model or, without one, the live value.

import type { MeasuredWorkload } from '../../fixtures/workloads/workload.js';
import type { ChildFailure } from '../../harness/process/case-messages.js';
import type { ChannelsCase } from '../../harness/record/case.js';
import { digestState, type StateDigest, type StateRecord } from '../../harness/record/digest.js';
import { describeDifference, firstDifference } from '../../harness/verify/oracle.js';

/** A way of reading the state. */
export type Reading = 'live' | 'warm' | 'cold_graph' | 'cold_reopened' | 'cold_process' | 'pinned';

/** The states of one case as they are read, each compared with what it must be the moment it is there. */
export class StateCheck {
  readonly #workload: MeasuredWorkload;
  readonly #case: ChannelsCase;
  /** What the state must be; null where only a digest tells, and before the live value is known. */
  #right: StateRecord | null;
  #expected: StateDigest | null;
  readonly #digests = new Map<Reading, StateDigest>();
  #failure: ChildFailure | null = null;
  #renamed = 0;

  /** @param expected a digest that decides where there is no model: that of a live value. */
  constructor(workload: MeasuredWorkload, c: ChannelsCase, expected: StateDigest | null = null) {
    this.#workload = workload;
    this.#case = c;
    this.#right = workload.model?.(c) ?? null;
    this.#expected = this.#right === null ? expected : digestState(this.#right);
  }

  /** Takes one reading. Of several by the same way the first wrong one counts, else the last. */
  take(reading: Reading, state: unknown): void {
    const actual = this.#workload.state(state);
    const digest = this.#digestOf(actual);
    if (this.#expected === null) [this.#right, this.#expected] = [actual, digest];
    const expected = this.#expected;
    const known = this.#digests.get(reading);
    if (known === undefined || known.sha256 === expected.sha256) this.#digests.set(reading, digest);
    // Ids that differ are renamed in the digest; in one thread they must be the same.
    const difference = this.#right && firstDifference(reading, this.#right, actual);
    if (this.#failure !== null || (digest.sha256 === expected.sha256 && difference === null)) return;
    const message =
      difference === null
        ? `The state read ${reading} has another digest than ${this.#workload.model === undefined ? 'the live value' : 'the model'}.`
        : describeDifference(difference);
    this.#failure = { reason: 'wrong_state', message, difference };
  }

  #digestOf(state: StateRecord): StateDigest {
    const renamed = this.#workload.renamed?.(this.#case, state);
    this.#renamed = renamed?.renamed ?? 0;
    return digestState(renamed?.state ?? state);
  }

  /** The digest of the model; null where the live value decides. */
  get expected(): StateDigest | null {
    return this.#workload.model === undefined ? null : this.#expected;
  }

  /** Ids that were renamed in the last digest. */
  get renamed(): number {
    return this.#renamed;
  }

  /** The digest of a reading, or null when it was not taken. */
  digest(reading: Reading): StateDigest | null {
    return this.#digests.get(reading) ?? null;
  }

  /** The first reading that differed from what it must be. */
  get failure(): ChildFailure | null {
    return this.#failure;
  }
}
