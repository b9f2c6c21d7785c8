// Holds every reading of a thread's state against the workload's model.

import type { WorkloadSubject } from '../../fixtures/workloads/workload.js';
import type { ChildFailure } from '../../harness/process/protocol.js';
import type { Case } from '../../harness/record/case.js';
import { digestState, type StateDigest } from '../../harness/record/digest.js';
import { describeDifference, firstDifference } from '../../harness/verify/oracle.js';

/** A way of reading the state. */
export type Reading = 'live' | 'warm' | 'cold_graph' | 'cold_reopened' | 'cold_process';

type Digests<States> = { readonly [reading in keyof States]: StateDigest } & {
  readonly expected: StateDigest;
};

/**
 * The digest of each reading and of the expected state, and the first difference of the first wrong reading.
 *
 * @param states what each reading returned, in the order in which they are checked.
 */
export function checkStates<States extends { readonly [reading in Reading]?: unknown }>(
  workload: WorkloadSubject,
  c: Case,
  states: States,
): { digests: Digests<States>; failure: ChildFailure | null } {
  const expected = workload.model(c);
  let failure: ChildFailure | null = null;
  const entries = Object.entries(states).map(([reading, state]): [string, StateDigest] => {
    const actual = workload.state(state);
    const difference = firstDifference(reading, expected, actual);
    if (difference !== null) {
      failure ??= { reason: 'wrong_state', message: describeDifference(difference), difference };
    }
    return [reading, digestState(actual)];
  });
  const digests = Object.fromEntries([['expected', digestState(expected)], ...entries]);
  return { digests: digests as Digests<States>, failure };
}
