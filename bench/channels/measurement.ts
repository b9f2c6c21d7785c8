// Puts what a writer child has taken into the record that goes into the row.

import type { PeakRssMethod } from '../../harness/process/usage.js';
import { BACKEND_CAPABILITIES, NOT_PERSISTENT_REASON, type Backend } from '../../harness/record/names.js';
import { roundMs } from '../../harness/record/percentile.js';
import type { Measurement } from '../../harness/record/row.js';
import type { FileBytes } from '../../harness/savers/saver.js';
import type { ModeCheck } from './check-mode.js';
import type { StateCheck } from './check-states.js';
import { readMetrics, writeMetrics, type StorageDiagnosis } from './metrics-of.js';

/** Everything a writer child has measured of one case. */
export interface Taken {
  readonly backend: Backend;
  readonly check: StateCheck;
  readonly mode: ModeCheck;
  /** Milliseconds of each update, in order. */
  readonly writeMs: number[];
  /** Milliseconds of each read, ascending; `coldReopenedMs` is null where nothing outlives the process. */
  readonly reads: { warmMs: number[]; coldGraphMs: number[]; coldReopenedMs: number[] | null };
  readonly storage: StorageDiagnosis;
  /** Null where the saver keeps no files. */
  readonly files: {
    afterWrites: FileBytes | null;
    afterReads: FileBytes | null;
    afterTruncate: FileBytes | null;
  };
  readonly peakRss: {
    method: PeakRssMethod;
    peakLoadBytes: number;
    peakWriteBytes: number;
    peakReadBytes: number;
  };
  readonly cpu: { readonly user: number; readonly system: number };
  readonly pragmas: Record<string, string | number>;
}

export function measurementOf(taken: Taken): Measurement {
  const { check, files } = taken;
  const samplesMs = {
    write: taken.writeMs,
    warm_read: taken.reads.warmMs,
    cold_read: taken.reads.coldGraphMs,
    cold_reopened_read: taken.reads.coldReopenedMs ?? [],
    cold_process_read: [],
  };
  return {
    oracle: 'model',
    mode_verdict: taken.mode.verdict,
    materialized_sha256: {
      expected: check.expected,
      live: check.digest('live'),
      warm: check.digest('warm'),
      cold_graph: check.digest('cold_graph'),
      cold_reopened: check.digest('cold_reopened'),
      cold_process: null,
    },
    metrics: {
      ...taken.storage.metrics,
      durable_bytes: files.afterTruncate?.db ?? null,
      db_bytes: files.afterWrites?.db ?? null,
      wal_bytes: files.afterWrites?.wal ?? null,
      shm_bytes: files.afterWrites?.shm ?? null,
      ...writeMetrics(samplesMs.write),
      ...readMetrics(samplesMs),
      peak_rss_load_bytes: taken.peakRss.peakLoadBytes,
      peak_rss_write_bytes: taken.peakRss.peakWriteBytes,
      peak_rss_read_bytes: taken.peakRss.peakReadBytes,
      cpu_user_ms: roundMs(taken.cpu.user),
      cpu_system_ms: roundMs(taken.cpu.system),
    },
    samples_ms: samplesMs,
    write_bytes_by_channel: taken.storage.writeBytesByChannel,
    file_bytes:
      files.afterWrites === null || files.afterReads === null || files.afterTruncate === null
        ? null
        : {
            after_writes: files.afterWrites,
            after_reads: files.afterReads,
            after_truncate: files.afterTruncate,
          },
    peak_rss_method: taken.peakRss.method,
    pragmas: taken.pragmas,
    durability: 'async',
    storage_stats_error: taken.storage.error ?? taken.mode.problem,
    unavailable: unavailable(taken),
  };
}

const NEEDS_PERSISTENCE = [
  'materialized_sha256.cold_reopened',
  'materialized_sha256.cold_process',
  'metrics.cold_reopened_read_ms',
  'metrics.cold_process_read_ms',
];
const NEEDS_FILES = ['durable_bytes', 'db_bytes', 'wal_bytes', 'shm_bytes'];

/** The reason of every field that is null. */
function unavailable({ backend, files, storage }: Taken): Record<string, string> {
  const { persistent } = BACKEND_CAPABILITIES[backend];
  const lacksFiles = files.afterWrites === null;
  return {
    ...(persistent ? {} : withReason(NEEDS_PERSISTENCE, NOT_PERSISTENT_REASON)),
    ...(lacksFiles
      ? withReason(
          ['file_bytes', ...NEEDS_FILES.map((name) => `metrics.${name}`)],
          'not_applicable: the saver keeps no files',
        )
      : {}),
    ...(storage.error === null
      ? {}
      : withReason(
          ['write_bytes_by_channel', ...Object.keys(storage.metrics).map((name) => `metrics.${name}`)],
          'see storage_stats_error',
        )),
  };
}

function withReason(fields: readonly string[], reason: string): Record<string, string> {
  return Object.fromEntries(fields.map((field) => [field, reason]));
}
