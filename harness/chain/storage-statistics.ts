// Counts and logical bytes of a thread's rows: what the saver serialized, before pages and indexes. Pure.

import { mayHoldSnapshot, storedValues, type StoredRecord } from './records.js';

/** Rows and bytes by kind. Logical bytes are each saver's own encoding and do not compare across backends. */
export interface StorageStatistics {
  readonly checkpointRows: number;
  readonly writeRows: number;
  /** Rows that hold one version of a channel; 0 where payloads hold the values. */
  readonly blobRows: number;
  readonly snapshotCount: number;
  /** Checkpoint payloads, with the values in them. */
  readonly checkpointPayloadBytes: number;
  readonly blobBytes: number;
  /** The part of payloads and blobs that is snapshots. */
  readonly snapshotBytes: number;
  readonly metadataBytes: number;
  readonly writeBytes: number;
  readonly writeBytesByChannel: Readonly<Record<string, number>>;
}

/** One pass over a thread's rows, in any order. Throws what {@link storedValues} throws on a damaged payload. */
export function storageStatistics(records: Iterable<StoredRecord>): StorageStatistics {
  let checkpointRows = 0;
  let writeRows = 0;
  let blobRows = 0;
  let blobBytes = 0;
  let snapshotCount = 0;
  let checkpointPayloadBytes = 0;
  let snapshotBytes = 0;
  let metadataBytes = 0;
  const byChannel = new Map<string, number>();
  for (const record of records) {
    if (record.kind === 'write') {
      writeRows += 1;
      byChannel.set(record.channel, (byChannel.get(record.channel) ?? 0) + record.valueBytes);
      continue;
    }
    checkpointRows += 1;
    checkpointPayloadBytes += record.payload.length;
    metadataBytes += record.metadataBytes;
    for (const { payload } of record.blobs ?? []) {
      blobRows += 1;
      blobBytes += payload.length;
    }
    if (!mayHoldSnapshot(record)) continue;
    for (const value of storedValues(record).values()) {
      if (value.kind !== 'snapshot') continue;
      snapshotCount += 1;
      snapshotBytes += Buffer.byteLength(value.json);
    }
  }
  return {
    checkpointRows,
    writeRows,
    blobRows,
    snapshotCount,
    checkpointPayloadBytes,
    blobBytes,
    snapshotBytes,
    metadataBytes,
    writeBytes: [...byChannel.values()].reduce((sum, bytes) => sum + bytes, 0),
    writeBytesByChannel: Object.fromEntries([...byChannel].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}
