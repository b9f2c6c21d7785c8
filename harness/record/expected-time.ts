// A rough forecast of how long a case runs, for the plan, the progress bar and the timeout warning.
// An order of magnitude, never a result: the constants are from one shared two-core machine. Pure.

import { MESSAGE_ENVELOPE_BYTES, type ThreadShape } from './expected-bytes.js';

const CHILD_START_MS = 700;
/** Per update whatever its size: framework, commit and small rows. */
const UPDATE_MS = 3;
const LOAD_MS_PER_BYTE = 90e-6;
const DUMP_MS_PER_BYTE = 28e-6;
/** Per update that a head read walks back over: three ancestors fetched and one write replayed. */
const WALK_MS = 0.25;

/**
 * Expected wall time of a case in milliseconds: its writer, then `readers` fresh processes, then reads.
 *
 * Cost of update i: full `c0 + i (L + R S)`; delta `c0 + i L + b ((i-1) mod K) + [K divides i] i S`, with L and S
 * the time to load and to dump one message, R the checkpoints per update and b the walk per update.
 */
export function expectedCaseMs(shape: ThreadShape, readers: number, readSamples: number): number {
  const { updates: n, checkpointsPerUpdate: r, snapshotFrequency: k } = shape;
  const messageBytes = shape.payloadBytes + MESSAGE_ENVELOPE_BYTES;
  const load = messageBytes * LOAD_MS_PER_BYTE;
  const dump = messageBytes * DUMP_MS_PER_BYTE;
  const allUpdates = (n * (n + 1)) / 2;
  const writing =
    k === null
      ? n * UPDATE_MS + allUpdates * (load + r * dump)
      : n * UPDATE_MS + allUpdates * load + walkedUpdates(n, k) * WALK_MS + snapshotMessages(n, k) * dump;
  const headRead = n * load + (k === null ? 0 : (n % k) * WALK_MS);
  return CHILD_START_MS * (1 + readers) + writing + headRead * (readSamples + readers);
}

/** Sum over i = 1..n of (i-1) mod k. */
function walkedUpdates(n: number, k: number): number {
  const whole = Math.floor(n / k);
  const rest = n % k;
  return (whole * k * (k - 1)) / 2 + (rest * (rest - 1)) / 2;
}

/** Messages in all snapshots together: k + 2k + ... */
function snapshotMessages(n: number, k: number): number {
  const whole = Math.floor(n / k);
  return (k * whole * (whole + 1)) / 2;
}
