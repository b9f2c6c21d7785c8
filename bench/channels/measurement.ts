// Puts what a writer child has taken into the record that goes into the row.

import { percentile, ratio, roundMs } from '../../harness/record/percentile.js';
import type { ChannelsMeasurement } from '../../harness/record/channels-measurement.js';
import { statsFields } from '../../harness/runtime/history-cache/history-stats.js';
import { fileBytesFields } from '../../harness/savers/file-bytes.js';
import { attribute } from './attribution.js';
import type { Floor } from './floor.js';
import { readMetrics } from './read-metrics.js';
import { serverMetrics } from './server-traffic.js';
import type { Taken } from './taken.js';
import { unavailable } from './unavailable.js';
import { busyMetrics, partMetrics, turnMetrics } from './write-metrics.js';

export function measurementOf(taken: Taken): ChannelsMeasurement {
  const { check, files, floor, storage, updates, reads } = taken;
  const { costs } = updates.measured;
  const samplesMs = {
    write: costs.map((cost) => roundMs(cost.turnMs)),
    warm_read: reads.warmMs,
    cold_read: reads.coldGraphMs,
    cold_reopened_read: reads.coldReopenedMs ?? [],
    cold_process_read: [],
    write_busy: costs.map((cost) => roundMs(cost.writeBusyMs)),
    floor_read: floor.kind === 'measured' ? floor.readSamplesMs : [],
  };
  const attribution = attribute(costs, updates.reference?.costs ?? null, storageMs(floor));
  const server = serverMetrics(taken.server, costs.length, reads.warmTraffic);
  const metrics = {
    ...storage.metrics,
    ...fileMetrics(taken),
    ...server,
    durable_bytes: files.afterTruncate?.db ?? server.durable_bytes ?? storage.durableBytes,
    ...turnMetrics(samplesMs.write),
    ...partMetrics(attribution),
    ...busyMetrics(costs, storedSnapshot(taken)),
    event_loop_delay_p99_ms: updates.eventLoopDelay.p99Ms,
    event_loop_delay_max_ms: updates.eventLoopDelay.maxMs,
    ...readMetrics(samplesMs),
    ...floorMetrics(taken),
    peak_rss_load_bytes: taken.peakRss.peakLoadBytes,
    peak_rss_write_bytes: taken.peakRss.peakWriteBytes,
    peak_rss_read_bytes: taken.peakRss.peakReadBytes,
    cpu_user_ms: roundMs(taken.cpu.user),
    cpu_system_ms: roundMs(taken.cpu.system),
  };
  return {
    oracle: taken.oracle,
    renamed_ids: check.renamed,
    mode_verdict: taken.mode.verdict,
    materialized_sha256: {
      expected: check.expected,
      live: check.digest('live'),
      warm: check.digest('warm'),
      cold_graph: check.digest('cold_graph'),
      cold_reopened: check.digest('cold_reopened'),
      cold_process: null,
    },
    metrics,
    samples_ms: samplesMs,
    attribution,
    saver_calls: updates.measured.calls.beside(reads.calls),
    pinned_reads: reads.pinned,
    history_cache: taken.historyCache && statsFields(taken.historyCache),
    snapshot_write_spike_basis: costs.length < 100 ? 'maximum' : 'p99',
    write_bytes_by_channel: storage.writeBytesByChannel,
    file_bytes: fileBytesFields(files),
    relation_bytes: taken.server?.relations ?? null,
    peak_rss_method: taken.peakRss.method,
    pragmas: taken.pragmas,
    durability: 'async',
    storage_stats_error:
      storage.error ?? taken.mode.problem ?? (floor.kind === 'failed' ? floor.problem : null),
    unavailable: unavailable(taken, metrics),
  };
}

/** What the attribution takes for storage. */
function storageMs(floor: Floor): number | 'none' | null {
  switch (floor.kind) {
    case 'measured':
      return floor.storageMs;
    case 'no_driver':
      return 'none';
    case 'failed':
      return null;
  }
}

/** For each update whether one of its checkpoints holds a snapshot; null when the rows are not understood. */
function storedSnapshot({ storage, updates }: Taken): boolean[] | null {
  const { positions } = storage;
  if (positions === null) return null;
  return updates.measured.checkpointIds.map((ids) => ids.some((id) => positions.get(id)?.storesSnapshot));
}

function fileMetrics({ files, wal, updates }: Taken) {
  return {
    db_bytes: files.afterWrites?.db ?? null,
    wal_bytes: files.afterWrites?.wal ?? null,
    shm_bytes: files.afterWrites?.shm ?? null,
    // A log keeps the size that it had, but for a truncation; between two looks it can have been larger.
    wal_peak_bytes: wal === null ? null : Math.max(wal.peakBytes, files.afterWrites?.wal ?? 0),
    wal_frames: wal?.exact === true ? wal.frames : null,
    process_wchar_bytes: updates.written?.wcharBytes ?? null,
    process_write_bytes: updates.written?.writeBytes ?? null,
  };
}

function floorMetrics({ floor, updates, reads }: Taken) {
  const measured = floor.kind === 'measured' ? floor : null;
  const writeMs = updates.measured.costs.reduce((sum, cost) => sum + cost.writeBusyMs, 0);
  const readMs = measured && percentile(measured.readSamplesMs, 50);
  return {
    floor_write_ms: measured?.writeMs ?? null,
    floor_read_ms: readMs,
    write_over_floor: ratio(writeMs, measured?.writeMs ?? null),
    read_over_floor: ratio(percentile(reads.warmMs, 50), readMs),
  };
}
