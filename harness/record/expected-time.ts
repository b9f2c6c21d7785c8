// A rough forecast of how long a case runs, for the plan, the progress bar and the timeout warning.
// An order of magnitude, never a result: the constants are from one shared two-core machine. Pure.

import { elementsHeld, elementsPerUpdate, snapshotElements, type ThreadShape } from './expected-bytes.js';
import { PINNED_READ_SAMPLES, RANDOM_PHASES } from './sampling.js';

/** Of a delta thread: at 0, 1, K/2, K-1 and the drawn phases, each once more than it has samples. */
const PINNED_READS = (4 + RANDOM_PHASES) * (PINNED_READ_SAMPLES + 1);
const CHILD_START_MS = 700;
const DUMP_MS_PER_BYTE = 28e-6;

interface StoreCosts {
  /** Per checkpoint whatever its size: framework, commit and small rows, and the framework again on the reference. */
  readonly checkpointMs: number;
  readonly loadMsPerByte: number;
  /** Per ancestor that a head read walks back over. */
  readonly ancestorMs: number;
}

const IN_PROCESS: StoreCosts = { checkpointMs: 1.5, loadMsPerByte: 90e-6, ancestorMs: 0.08 };
/** Every statement is a round trip, and values are parsed from text. */
const ON_SERVER: StoreCosts = { checkpointMs: 6, loadMsPerByte: 300e-6, ancestorMs: 1.4 };

export interface StoreWays {
  /** On a database server; false by default. */
  readonly isOnServer?: boolean;
  /** Every read walks back to the snapshot; false with a history cache or a direct walk, which cost as much as one update back. */
  readonly walksAll?: boolean;
}

/**
 * Expected wall time of a case in milliseconds: its writer, then `readers` fresh processes, then reads.
 *
 * Every update loads the head: all elements before it, and in delta the ancestors since the last snapshot. In full it
 * then dumps the whole list at each of its R checkpoints, in delta at each snapshot.
 */
export function expectedCaseMs(
  shape: ThreadShape,
  readers: number,
  readSamples: number,
  { isOnServer = false, walksAll = true }: StoreWays = {},
): number {
  const { checkpointMs, loadMsPerByte, ancestorMs } = isOnServer ? ON_SERVER : IN_PROCESS;
  const { updates: n, elementBytes, snapshotFrequency: k, heldAfter } = shape;
  const r = heldAfter.length;
  const g = elementsPerUpdate(shape);
  const load = elementBytes * loadMsPerByte;
  const dump = elementBytes * DUMP_MS_PER_BYTE;
  const loaded = (g * n * (n - 1)) / 2;
  const dumped = k === null ? elementsHeld(shape) : snapshotElements(shape, k);
  // In updates of the thread, the unit in which a walk costs r ancestors.
  const updatesPerSnapshot = Math.max(1, Math.round((k ?? 1) / g));
  const cadence = k === null ? null : Math.min(updatesPerSnapshot, walksAll ? Number.POSITIVE_INFINITY : 2);
  const walked = cadence === null ? 0 : walkedUpdates(n, cadence) * r * ancestorMs;
  const writing = n * r * checkpointMs + loaded * load + walked + dumped * dump;
  const headRead = n * g * load + (cadence === null ? 0 : (n % cadence) * r * ancestorMs);
  const pinned = cadence === null ? 0 : n * g * load + (Math.min(n, cadence) / 2) * r * ancestorMs;
  const reading = headRead * (readSamples + readers) + pinned * PINNED_READS;
  return CHILD_START_MS * (1 + readers) + writing + reading;
}

/** Sum over i = 1..n of (i-1) mod k. */
function walkedUpdates(n: number, k: number): number {
  const whole = Math.floor(n / k);
  const rest = n % k;
  return (whole * k * (k - 1)) / 2 + (rest * (rest - 1)) / 2;
}
