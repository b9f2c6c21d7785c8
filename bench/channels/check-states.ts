// Holds every reading of a thread's state against the workload's model.

import type { WorkloadSubject } from '../../fixtures/workloads/workload.js';
import type { ChildFailure } from '../../harness/process/channels-messages.js';
import type { Case } from '../../harness/record/case.js';
import { digestState, type StateDigest, type StateRecord } from '../../harness/record/digest.js';
import { describeDifference, firstDifference } from '../../harness/verify/oracle.js';

/** A way of reading the state. */
export type Reading = 'live' | 'warm' | 'cold_graph' | 'cold_reopened' | 'cold_process' | 'pinned';

/** The states of one case as they are read, each compared with the model the moment it is there. */
export class StateCheck {
  readonly #workload: WorkloadSubject;
  readonly #model: StateRecord;
  readonly expected: StateDigest;
  readonly #digests = new Map<Reading, StateDigest>();
  #failure: ChildFailure | null = null;

  constructor(workload: WorkloadSubject, c: Case) {
    this.#workload = workload;
    this.#model = workload.model(c);
    this.expected = digestState(this.#model);
  }

  /** Takes one reading. Of several by the same way the first wrong one counts, else the last. */
  take(reading: Reading, state: unknown): void {
    const actual = this.#workload.state(state);
    const digest = digestState(actual);
    const known = this.#digests.get(reading);
    if (known === undefined || known.sha256 === this.expected.sha256) this.#digests.set(reading, digest);
    if (digest.sha256 === this.expected.sha256 || this.#failure !== null) return;
    const difference = firstDifference(reading, this.#model, actual);
    const message =
      difference === null
        ? `The state read ${reading} has another digest than the model.`
        : describeDifference(difference);
    this.#failure = { reason: 'wrong_state', message, difference };
  }

  /** The digest of a reading, or null when it was not taken. */
  digest(reading: Reading): StateDigest | null {
    return this.#digests.get(reading) ?? null;
  }

  /** The first reading that differed from the model. */
  get failure(): ChildFailure | null {
    return this.#failure;
  }
}
