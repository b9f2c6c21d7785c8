// A rough forecast of how long a case runs, for the plan, the progress bar and the timeout warning.
// An order of magnitude, never a result: the constants are from one shared two-core machine. Pure.

import { elementsHeld, elementsPerUpdate, snapshotElements, type ThreadShape } from './expected-bytes.js';
import { PINNED_READ_SAMPLES, RANDOM_PHASES } from './sampling.js';

/** Of a delta thread: at 0, 1, K/2, K-1 and the drawn phases, each once more than it has samples. */
const PINNED_READS = (4 + RANDOM_PHASES) * (PINNED_READ_SAMPLES + 1);
const CHILD_START_MS = 700;
/** Per checkpoint whatever its size: framework, commit and small rows, and the framework again on the reference. */
const CHECKPOINT_MS = 1.5;
const LOAD_MS_PER_BYTE = 90e-6;
const DUMP_MS_PER_BYTE = 28e-6;
/** Per ancestor that a head read walks back over. */
const ANCESTOR_MS = 0.08;

/**
 * Expected wall time of a case in milliseconds: its writer, then `readers` fresh processes, then reads.
 *
 * Every update loads the head: all elements before it, and in delta the ancestors since the last snapshot. In full it
 * then dumps the whole list at each of its R checkpoints, in delta at each snapshot.
 */
export function expectedCaseMs(shape: ThreadShape, readers: number, readSamples: number): number {
  const { updates: n, elementBytes, snapshotFrequency: k, heldAfter } = shape;
  const r = heldAfter.length;
  const g = elementsPerUpdate(shape);
  const load = elementBytes * LOAD_MS_PER_BYTE;
  const dump = elementBytes * DUMP_MS_PER_BYTE;
  const loaded = (g * n * (n - 1)) / 2;
  const dumped = k === null ? elementsHeld(shape) : snapshotElements(shape, k);
  // In updates of the thread, the unit in which a walk costs r ancestors.
  const cadence = k === null ? null : Math.max(1, Math.round(k / g));
  const walked = cadence === null ? 0 : walkedUpdates(n, cadence) * r * ANCESTOR_MS;
  const writing = n * r * CHECKPOINT_MS + loaded * load + walked + dumped * dump;
  const headRead = n * g * load + (cadence === null ? 0 : (n % cadence) * r * ANCESTOR_MS);
  const pinned = cadence === null ? 0 : n * g * load + (Math.min(n, cadence) / 2) * r * ANCESTOR_MS;
  const reading = headRead * (readSamples + readers) + pinned * PINNED_READS;
  return CHILD_START_MS * (1 + readers) + writing + reading;
}

/** Sum over i = 1..n of (i-1) mod k. */
function walkedUpdates(n: number, k: number): number {
  const whole = Math.floor(n / k);
  const rest = n % k;
  return (whole * k * (k - 1)) / 2 + (rest * (rest - 1)) / 2;
}
