// The closed form of what a thread costs to store: append-only, one channel, one message per update.
// Source: the cost model of docs/method.md; checked against stored bytes in expected-bytes.test.ts. Pure.

/** Bytes of envelope that LangChain's JSON puts around a message with a 22-character id: mean of human and ai. */
export const MESSAGE_ENVELOPE_BYTES = 197.5;

/** Bytes of a checkpoint row beside its channel values. */
const CHECKPOINT_ENVELOPE_BYTES = 306;

/** Bytes of b-tree page and index per SQLite row. */
const ROW_OVERHEAD_BYTES = 210;

const METADATA_BYTES_PER_CHECKPOINT = { full: 42, delta: 125 } as const;

export interface ThreadShape {
  /** N: updates of the channel. */
  readonly updates: number;
  /** p: UTF-8 bytes of content per message. */
  readonly payloadBytes: number;
  /** K: null in full mode. */
  readonly snapshotFrequency: number | null;
  /** R: checkpoints stored per update; START -> noop stores 3. */
  readonly checkpointsPerUpdate: number;
}

/** What one thread is expected to store, in bytes; `total` includes page and index overhead. */
export interface ExpectedBytes {
  readonly checkpointPayload: number;
  readonly writes: number;
  readonly metadata: number;
  readonly total: number;
}

/**
 * Expected bytes on a saver that inlines every channel in every checkpoint, within 1% from N = 100 on.
 *
 * With m = p + 197.5, e = 306 and n = floor(N / K): full `(m+1)(R N^2 + (R-2) N)/2 + N m + e R N`,
 * delta `(m+1) K n (n+1)/2 + N m + e R N`; writes `N (m+10)`; metadata 42 (full) or 125 (delta) per checkpoint.
 */
export function expectedInlineBytes(shape: ThreadShape): ExpectedBytes {
  const { updates: n, checkpointsPerUpdate: r, snapshotFrequency: k } = shape;
  const message = shape.payloadBytes + MESSAGE_ENVELOPE_BYTES;
  const held =
    k === null
      ? ((message + 1) * (r * n * n + (r - 2) * n)) / 2
      : ((message + 1) * k * Math.floor(n / k) * (Math.floor(n / k) + 1)) / 2;
  const checkpointPayload = held + n * message + CHECKPOINT_ENVELOPE_BYTES * r * n;
  const writes = n * (message + 10);
  const metadata = METADATA_BYTES_PER_CHECKPOINT[k === null ? 'full' : 'delta'] * r * n;
  const rows = 2 * r * n;
  return {
    checkpointPayload,
    writes,
    metadata,
    total: checkpointPayload + writes + metadata + ROW_OVERHEAD_BYTES * rows,
  };
}
