// The rows of a checkpoint store as plain data, and an inert look into their payloads: JSON.parse and own properties
// only, nothing is revived. Pure; reads no database.

/** A value in a row of its own, for savers that store one row per version of a channel. */
export interface BlobRecord {
  readonly channel: string;
  readonly version: string;
  /** Of the serializer, such as `json` and `bytes`; `empty` where the version stands for no value. */
  readonly type: string;
  /** The serialized value; no bytes where there is no value. */
  readonly payload: Uint8Array;
}

/** One checkpoint row, with the rows of values that came with it. */
export interface CheckpointRecord {
  readonly kind: 'checkpoint';
  readonly namespace: string;
  readonly checkpointId: string;
  /** Null at the root of a thread. */
  readonly parentId: string | null;
  /** The serialized checkpoint, as stored. */
  readonly payload: Uint8Array;
  readonly metadataBytes: number;
  /** Values in rows of their own that no earlier checkpoint names; absent where the payload holds all values. */
  readonly blobs?: readonly BlobRecord[];
  /** Channels whose value lies in a row that came with an earlier checkpoint. */
  readonly carried?: ReadonlySet<string>;
}

/** One write row. */
export interface WriteRecord {
  readonly kind: 'write';
  readonly namespace: string;
  readonly checkpointId: string;
  readonly taskId: string;
  /** Position among the writes of its task; negative for LangGraph's own. */
  readonly idx: number;
  readonly channel: string;
  readonly valueBytes: number;
}

export type StoredRecord = CheckpointRecord | WriteRecord;

/** A channel value found inside a checkpoint payload. */
export interface StoredValue {
  /** `snapshot`: LangGraph's DeltaSnapshot record; `plain`: the value itself. */
  readonly kind: 'snapshot' | 'plain';
  /** The value as JSON.stringify prints it: the stored text, for a payload that LangGraph.js wrote. Empty for bytes. */
  readonly json: string;
}

const SNAPSHOT_MARK = Buffer.from('"delta_snapshot"');

/** Cheap test that avoids parsing: false means that the payload certainly holds no snapshot. */
export function mayHoldSnapshot(record: CheckpointRecord): boolean {
  return [record.payload, ...(record.blobs ?? []).map(({ payload }) => payload)].some((bytes) =>
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(SNAPSHOT_MARK),
  );
}

/**
 * The channel values that were stored with a checkpoint, by channel name: of its payload, or of its blobs.
 *
 * @throws SyntaxError when a payload is not JSON, TypeError when one without blobs has no `channel_values` object.
 */
export function storedValues(record: CheckpointRecord): Map<string, StoredValue> {
  if (record.blobs !== undefined) return blobValues(record.blobs);
  const values = ownProperty(parsed(record.payload), 'channel_values');
  if (typeof values !== 'object' || values === null) {
    throw new TypeError(`Checkpoint ${record.checkpointId} has no channel_values.`);
  }
  return new Map(
    Object.entries(values).map(([channel, value]): [string, StoredValue] => [channel, storedValue(value)]),
  );
}

function blobValues(blobs: readonly BlobRecord[]): Map<string, StoredValue> {
  const values = new Map<string, StoredValue>();
  for (const { channel, type, payload } of blobs) {
    if (type === 'json') values.set(channel, storedValue(parsed(payload)));
    else if (type !== 'empty') values.set(channel, { kind: 'plain', json: '' });
  }
  return values;
}

function parsed(payload: Uint8Array): unknown {
  return JSON.parse(Buffer.from(payload).toString('utf8'));
}

function storedValue(value: unknown): StoredValue {
  return { kind: isSnapshot(value) ? 'snapshot' : 'plain', json: JSON.stringify(value) };
}

function isSnapshot(value: unknown): boolean {
  return ownProperty(value, 'lc') === 2 && ownProperty(value, 'type') === 'delta_snapshot';
}

function ownProperty(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}
