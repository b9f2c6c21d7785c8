// The rows of a checkpoint store as plain data, and an inert look into their payloads: JSON.parse and own properties
// only, nothing is revived. Pure; reads no database.

/** One checkpoint row. */
export interface CheckpointRecord {
  readonly kind: 'checkpoint';
  readonly namespace: string;
  readonly checkpointId: string;
  /** Null at the root of a thread. */
  readonly parentId: string | null;
  /** The serialized checkpoint, as stored. */
  readonly payload: Uint8Array;
  readonly metadataBytes: number;
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
  /** The value as JSON.stringify prints it: the stored text, for a payload that LangGraph.js wrote. */
  readonly json: string;
}

const SNAPSHOT_MARK = Buffer.from('"delta_snapshot"');

/** Cheap test that avoids parsing: false means that the payload certainly holds no snapshot. */
export function mayHoldSnapshot(record: CheckpointRecord): boolean {
  return Buffer.from(record.payload.buffer, record.payload.byteOffset, record.payload.byteLength).includes(
    SNAPSHOT_MARK,
  );
}

/**
 * The channel values of a checkpoint payload by channel name.
 *
 * @throws SyntaxError when the payload is not JSON, TypeError when it has no `channel_values` object.
 */
export function storedValues(record: CheckpointRecord): Map<string, StoredValue> {
  const payload: unknown = JSON.parse(Buffer.from(record.payload).toString('utf8'));
  const values = ownProperty(payload, 'channel_values');
  if (typeof values !== 'object' || values === null) {
    throw new TypeError(`Checkpoint ${record.checkpointId} has no channel_values.`);
  }
  return new Map(
    Object.entries(values).map(([channel, value]): [string, StoredValue] => [
      channel,
      { kind: isSnapshot(value) ? 'snapshot' : 'plain', json: JSON.stringify(value) },
    ]),
  );
}

function isSnapshot(value: unknown): boolean {
  return ownProperty(value, 'lc') === 2 && ownProperty(value, 'type') === 'delta_snapshot';
}

function ownProperty(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}
