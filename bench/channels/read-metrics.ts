// From read samples to the named metrics of a row.

import type { ChannelsMeasurement } from '../../harness/record/channels-measurement.js';
import type { MetricName, NamedMetrics } from '../../harness/record/metrics.js';
import { percentile } from '../../harness/record/percentile.js';

type ReadMetric = Extract<MetricName, `${'warm' | 'cold' | 'cold_reopened' | 'cold_process'}_read_ms`>;

/** The median of each kind of read; null where there are no samples. */
export function readMetrics(samplesMs: ChannelsMeasurement['samples_ms']): NamedMetrics<ReadMetric> {
  return {
    warm_read_ms: percentile(samplesMs.warm_read, 50),
    cold_read_ms: percentile(samplesMs.cold_read, 50),
    cold_reopened_read_ms: percentile(samplesMs.cold_reopened_read, 50),
    cold_process_read_ms: percentile(samplesMs.cold_process_read, 50),
  };
}
