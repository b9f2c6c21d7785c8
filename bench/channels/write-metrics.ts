// From the updates of a thread to the named metrics of a row: percentiles, windows, the saver's own time, and updates
// that stored a snapshot beside those that did not.

import type { MetricName, NamedMetrics } from '../../harness/record/metrics.js';
import { percentile, ratio, roundMs } from '../../harness/record/percentile.js';
import type { Attribution } from '../../harness/record/channels-measurement.js';
import type { UpdateCost } from './attribution.js';

type TurnMetric = Extract<
  MetricName,
  `write_${'p50' | 'p95' | 'p99' | 'max' | 'total' | `${string}_window`}_ms`
>;

/** Percentiles and windows of the updates. A window is a tenth of them, at least one. */
export function turnMetrics(samplesMs: readonly number[]): NamedMetrics<TurnMetric> {
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

type PartMetric =
  | 'saver_busy_ms'
  | 'put_busy_ms'
  | 'put_writes_busy_ms'
  | 'get_tuple_busy_ms'
  | 'walk_ms'
  | 'reducer_replay_ms'
  | 'framework_ms';

/** The parts of the attribution that two modes can be compared by. */
export function partMetrics(attribution: Attribution): NamedMetrics<PartMetric> {
  return {
    saver_busy_ms: attribution.saver_busy_ms,
    put_busy_ms: attribution.put_ms,
    put_writes_busy_ms: attribution.put_writes_ms,
    get_tuple_busy_ms: attribution.get_tuple_ms,
    walk_ms: attribution.walk_ms,
    reducer_replay_ms: attribution.replay_ms,
    framework_ms: attribution.framework_ms,
  };
}

type BusyMetric =
  | 'write_busy_p50_ms'
  | 'snapshot_write_spike'
  | 'snapshot_update_count'
  | `${'snapshot' | 'plain'}_update_${'mean' | 'p50'}_ms`
  | `snapshot_update_${'mean' | 'p50'}_ratio`;

/**
 * `put` and `putWrites` per update, merged: an `invoke` also reads the head, and walks furthest just before a snapshot.
 *
 * @param storedSnapshot for each update whether one of its checkpoints holds a snapshot; null when that is unknown.
 */
export function busyMetrics(
  costs: readonly UpdateCost[],
  storedSnapshot: readonly boolean[] | null,
): NamedMetrics<BusyMetric> {
  const busyMs = costs.map((cost) => cost.writeBusyMs);
  const p50 = percentile(busyMs, 50);
  const snapshot = busyMs.filter((_, index) => storedSnapshot?.[index] === true);
  const plain = busyMs.filter((_, index) => storedSnapshot?.[index] === false);
  return {
    write_busy_p50_ms: rounded(p50),
    snapshot_write_spike: ratio(percentile(busyMs, 99), p50),
    snapshot_update_count: storedSnapshot === null ? null : snapshot.length,
    snapshot_update_mean_ms: rounded(mean(snapshot)),
    snapshot_update_p50_ms: rounded(percentile(snapshot, 50)),
    plain_update_mean_ms: rounded(mean(plain)),
    plain_update_p50_ms: rounded(percentile(plain, 50)),
    snapshot_update_mean_ratio: ratio(mean(snapshot), mean(plain)),
    snapshot_update_p50_ratio: ratio(percentile(snapshot, 50), percentile(plain, 50)),
  };
}

function mean(samples: readonly number[]): number | null {
  return samples.length === 0 ? null : samples.reduce((sum, sample) => sum + sample, 0) / samples.length;
}

function rounded(ms: number | null): number | null {
  return ms === null ? null : roundMs(ms);
}
