// From the stored rows of a thread to the named metrics of a row.

import { replayPositions, type ReplayPosition } from '../chain/replay-position.js';
import { storageStatistics, type StorageStatistics } from '../chain/storage-statistics.js';
import type { NamedMetrics } from '../record/metrics.js';
import { scrub } from '../record/scrub.js';
import type { ReportedStorage } from './own-saver.js';
import type { OpenStore } from './saver.js';

type StorageMetric =
  | 'logical_bytes'
  | 'checkpoint_payload_bytes'
  | 'snapshot_bytes'
  | 'metadata_bytes'
  | 'write_bytes'
  | 'blob_bytes'
  | 'checkpoint_rows'
  | 'write_rows'
  | 'blob_rows'
  | 'snapshot_count'
  | 'checkpoints_per_update';

export interface StorageDiagnosis {
  readonly metrics: NamedMetrics<StorageMetric>;
  readonly writeBytesByChannel: Readonly<Record<string, number>> | null;
  /** Null when nothing could be counted. */
  readonly statistics: StorageStatistics | null;
  /** By checkpoint id; null when nothing could be counted. */
  readonly positions: ReadonlyMap<string, ReplayPosition> | null;
  /** The metrics are what the saver itself tells; what it leaves out is null. */
  readonly isReported: boolean;
  /** The whole store on disk, where the saver tells it. */
  readonly durableBytes: number | null;
  /** Why nothing could be counted; the metrics are null then. */
  readonly error: string | null;
}

/** Which thread, the channels whose replay is looked at, and how often the thread was updated. */
export interface DiagnosedThread {
  readonly threadId: string;
  readonly channels: readonly string[];
  readonly updates: number;
}

/** Counts what a thread stored. A layout that is not the known one is reported, not thrown: timing stays valid. */
export async function diagnoseStorage(
  store: OpenStore,
  { threadId, channels, updates }: DiagnosedThread,
): Promise<StorageDiagnosis> {
  const records = () => store.records(threadId);
  try {
    const s = storageStatistics(await records());
    const positions = replayPositions(await records(), channels);
    if (store.reportStorage !== undefined) {
      const reported = await store.reportStorage(threadId);
      return {
        metrics: reportedMetrics(reported, s, updates),
        writeBytesByChannel: null,
        statistics: s,
        positions,
        isReported: true,
        durableBytes: reported.durableBytes ?? null,
        error: null,
      };
    }
    return {
      metrics: {
        logical_bytes: s.checkpointPayloadBytes + s.blobBytes + s.metadataBytes + s.writeBytes,
        checkpoint_payload_bytes: s.checkpointPayloadBytes,
        snapshot_bytes: s.snapshotBytes,
        metadata_bytes: s.metadataBytes,
        write_bytes: s.writeBytes,
        blob_bytes: s.blobBytes,
        checkpoint_rows: s.checkpointRows,
        write_rows: s.writeRows,
        blob_rows: s.blobRows,
        snapshot_count: s.snapshotCount,
        checkpoints_per_update: s.checkpointRows / updates,
      },
      writeBytesByChannel: s.writeBytesByChannel,
      statistics: s,
      positions,
      isReported: false,
      durableBytes: null,
      error: null,
    };
  } catch (error) {
    return {
      metrics: NO_STORAGE_METRICS,
      writeBytesByChannel: null,
      statistics: null,
      positions: null,
      isReported: false,
      durableBytes: null,
      error: scrub(`The stored rows are not laid out as expected: ${(error as Error).message}`),
    };
  }
}

/** Checkpoints and snapshots are what the saver lists; rows and bytes only what it says that it stores. */
function reportedMetrics(
  reported: ReportedStorage,
  { checkpointRows: listed, snapshotCount }: StorageStatistics,
  updates: number,
): NamedMetrics<StorageMetric> {
  const { checkpointPayloadBytes, blobBytes, metadataBytes, writeBytes } = reported;
  const parts = [checkpointPayloadBytes, metadataBytes, writeBytes];
  const isWhole = parts.every((bytes) => bytes !== undefined);
  return {
    ...NO_STORAGE_METRICS,
    logical_bytes: isWhole ? parts.reduce((sum, bytes) => sum + bytes, blobBytes ?? 0) : null,
    checkpoint_payload_bytes: checkpointPayloadBytes ?? null,
    metadata_bytes: metadataBytes ?? null,
    write_bytes: writeBytes ?? null,
    blob_bytes: blobBytes ?? null,
    checkpoint_rows: reported.checkpointRows ?? null,
    write_rows: reported.writeRows ?? null,
    blob_rows: reported.blobRows ?? null,
    snapshot_count: snapshotCount,
    checkpoints_per_update: listed / updates,
  };
}

const NO_STORAGE_METRICS: NamedMetrics<StorageMetric> = {
  logical_bytes: null,
  checkpoint_payload_bytes: null,
  snapshot_bytes: null,
  metadata_bytes: null,
  write_bytes: null,
  blob_bytes: null,
  checkpoint_rows: null,
  write_rows: null,
  blob_rows: null,
  snapshot_count: null,
  checkpoints_per_update: null,
};
