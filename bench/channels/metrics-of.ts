// From samples and stored rows to the named metrics of a row.

import { storageStatistics, type StorageStatistics } from '../../harness/chain/storage-statistics.js';
import type { Case } from '../../harness/record/case.js';
import type { MetricName } from '../../harness/record/metrics.js';
import { percentile, roundMs } from '../../harness/record/percentile.js';
import type { Measurement } from '../../harness/record/row.js';
import { scrub } from '../../harness/record/scrub.js';
import type { OpenStore } from '../../harness/savers/saver.js';

type Metrics<Name extends MetricName> = { [name in Name]: number | null };

type WriteMetric = Extract<MetricName, `write_${string}_ms`>;

/** Percentiles and windows of the updates. A window is a tenth of them, at least one. */
export function writeMetrics(samplesMs: readonly number[]): Metrics<WriteMetric> {
  const window = Math.max(1, Math.round(samplesMs.length / 10));
  const middle = Math.floor((samplesMs.length - window) / 2);
  return {
    write_p50_ms: percentile(samplesMs, 50),
    write_p95_ms: percentile(samplesMs, 95),
    write_p99_ms: percentile(samplesMs, 99),
    write_max_ms: percentile(samplesMs, 100),
    write_first_window_ms: percentile(samplesMs.slice(0, window), 50),
    write_middle_window_ms: percentile(samplesMs.slice(middle, middle + window), 50),
    write_last_window_ms: percentile(samplesMs.slice(-window), 50),
    write_total_ms: roundMs(samplesMs.reduce((sum, ms) => sum + ms, 0)),
  };
}

type ReadMetric = Extract<MetricName, `${string}_read_ms`>;

/** The median of each kind of read; null where there are no samples. */
export function readMetrics(samplesMs: Omit<Measurement['samples_ms'], 'write'>): Metrics<ReadMetric> {
  return {
    warm_read_ms: percentile(samplesMs.warm_read, 50),
    cold_read_ms: percentile(samplesMs.cold_read, 50),
    cold_reopened_read_ms: percentile(samplesMs.cold_reopened_read, 50),
    cold_process_read_ms: percentile(samplesMs.cold_process_read, 50),
  };
}

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
  readonly metrics: Metrics<StorageMetric>;
  readonly writeBytesByChannel: Readonly<Record<string, number>> | null;
  /** Null when nothing could be counted. */
  readonly statistics: StorageStatistics | null;
  /** Why nothing could be counted; the metrics are null then. */
  readonly error: string | null;
}

/** Counts what a thread stored. A layout that is not the known one is reported, not thrown: timing stays valid. */
export function diagnoseStorage(store: OpenStore, threadId: string, c: Case): StorageDiagnosis {
  try {
    const s = storageStatistics(store.records(threadId));
    return {
      metrics: {
        logical_bytes: s.checkpointPayloadBytes + s.metadataBytes + s.writeBytes,
        checkpoint_payload_bytes: s.checkpointPayloadBytes,
        snapshot_bytes: s.snapshotBytes,
        metadata_bytes: s.metadataBytes,
        write_bytes: s.writeBytes,
        blob_bytes: 0,
        checkpoint_rows: s.checkpointRows,
        write_rows: s.writeRows,
        blob_rows: 0,
        snapshot_count: s.snapshotCount,
        checkpoints_per_update: s.checkpointRows / c.updates,
      },
      writeBytesByChannel: s.writeBytesByChannel,
      statistics: s,
      error: null,
    };
  } catch (error) {
    return {
      metrics: NO_STORAGE_METRICS,
      writeBytesByChannel: null,
      statistics: null,
      error: scrub(`The stored rows are not laid out as expected: ${(error as Error).message}`),
    };
  }
}

const NO_STORAGE_METRICS: Metrics<StorageMetric> = {
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
