// The closed form of what a thread costs to store: append-only, one channel, one element per write.
// Source: the cost model of docs/method.md; checked against stored bytes in expected-bytes.test.ts. Pure.

/** Bytes of b-tree page and index per SQLite row. */
const ROW_OVERHEAD_BYTES = 210;

const METADATA_BYTES_PER_CHECKPOINT = { full: 42, delta: 125 } as const;

export interface ThreadShape {
  /** N: updates of the thread, one invoke each. */
  readonly updates: number;
  /** m: mean bytes of an element as stored. */
  readonly elementBytes: number;
  /** e: bytes of a checkpoint payload beside the elements; it names every node and channel. */
  readonly checkpointEnvelopeBytes: number;
  /** K: null in full mode. */
  readonly snapshotFrequency: number | null;
  /**
   * For each of the R checkpoints of an update, how many of its elements it holds; the last is g, the elements that an
   * update adds, each by a superstep of its own. START -> noop: 0, 1, 1.
   */
  readonly heldAfter: readonly number[];
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
 * With R checkpoints per update of which the j-th holds h_j of its g elements, and n = floor(g N / K): full
 * `(m+1)(R g N (N-1)/2 + N sum(h))+ N m + e R N`, delta `(m+1) K n (n+1)/2 + N m + e R N`; writes `g N (m+10)`;
 * metadata 42 (full) or 125 (delta) per checkpoint. For START -> noop (R = 3, g = 1, sum(h) = 2) the full form is
 * `(m+1)(R N^2 + (R-2) N)/2 + N m + e R N`.
 */
export function expectedInlineBytes(shape: ThreadShape): ExpectedBytes {
  const { updates: n, elementBytes: m, checkpointEnvelopeBytes: e, snapshotFrequency: k, heldAfter } = shape;
  const r = heldAfter.length;
  const held = (m + 1) * (k === null ? elementsHeld(shape) : snapshotElements(shape, k));
  const checkpointPayload = held + n * m + e * r * n;
  const writes = elementsPerUpdate(shape) * n * (m + 10);
  const metadata = METADATA_BYTES_PER_CHECKPOINT[k === null ? 'full' : 'delta'] * r * n;
  return {
    checkpointPayload,
    writes,
    metadata,
    total: checkpointPayload + writes + metadata + ROW_OVERHEAD_BYTES * 2 * r * n,
  };
}

/** What a checkpoint row holds less where its values lie in rows of their own, and what such a row holds of an input. */
const VALUES_OF_ENVELOPE_BYTES = 63;
const INPUT_ENVELOPE_BYTES = 11;

/**
 * Expected bytes on a saver that stores each version of a channel once, in a row of its own.
 *
 * Full stores the whole list with every element, `(m+1) gN(gN+1)/2`, delta with every snapshot as above; both the input of each
 * update, `N (m+11)`. Of tables on a server `total` is about what they hold before compression.
 */
export function expectedBlobBytes(shape: ThreadShape): ExpectedBytes & { readonly blobs: number } {
  const { updates: n, elementBytes: m, checkpointEnvelopeBytes: e, snapshotFrequency: k, heldAfter } = shape;
  const { writes, metadata } = expectedInlineBytes(shape);
  const written = elementsPerUpdate(shape) * n;
  const held = k === null ? (written * (written + 1)) / 2 : snapshotElements(shape, k);
  const blobs = (m + 1) * held + n * (m + INPUT_ENVELOPE_BYTES);
  const checkpointPayload = (e - VALUES_OF_ENVELOPE_BYTES) * heldAfter.length * n;
  const rows = 3 * heldAfter.length * n;
  return {
    checkpointPayload,
    blobs,
    writes,
    metadata,
    total: checkpointPayload + blobs + writes + metadata + ROW_OVERHEAD_BYTES * rows,
  };
}

/** g: how many elements an update adds. */
export function elementsPerUpdate({ heldAfter }: ThreadShape): number {
  return heldAfter.at(-1) ?? 0;
}

/** Elements in all checkpoints together, in full mode. */
export function elementsHeld(shape: ThreadShape): number {
  const { updates: n, heldAfter } = shape;
  const before = (heldAfter.length * elementsPerUpdate(shape) * n * (n - 1)) / 2;
  return before + n * heldAfter.reduce((sum, held) => sum + held, 0);
}

/** Elements in all snapshots together: K + 2K + ... */
export function snapshotElements(shape: ThreadShape, k: number): number {
  const snapshots = Math.floor((elementsPerUpdate(shape) * shape.updates) / k);
  return (k * snapshots * (snapshots + 1)) / 2;
}
