// The metrics a row can carry, as data: name, unit, what it is. Summaries, `--metrics` and later the gate read this.

export type MetricUnit = 'ms' | 'bytes' | 'rows' | 'count' | 'ratio';

export interface MetricDefinition {
  readonly unit: MetricUnit;
  /** One phrase for a report. */
  readonly label: string;
  /** Shown in the summary unless other metrics are asked for. */
  readonly headline: boolean;
}

function define(unit: MetricUnit, label: string, headline = false): MetricDefinition {
  return { unit, label, headline };
}

/**
 * Every metric, in the order of reports. Names end in their unit; a name without one counts something.
 * Percentiles are nearest rank over the case's samples; a read time is the median of its samples.
 */
export const METRICS = {
  logical_bytes: define('bytes', 'checkpoints, metadata and writes as the saver serialized them', true),
  checkpoint_payload_bytes: define('bytes', 'checkpoint payloads, snapshots included'),
  snapshot_bytes: define('bytes', 'snapshots inside checkpoint payloads or blobs'),
  metadata_bytes: define('bytes', 'checkpoint metadata'),
  write_bytes: define('bytes', 'values of write rows'),
  blob_bytes: define('bytes', 'values of blob rows; 0 where values are inline'),
  durable_bytes: define('bytes', 'database file after a TRUNCATE checkpoint', true),
  db_bytes: define('bytes', 'database file, open, after the last update'),
  wal_bytes: define('bytes', 'write-ahead log, open, after the last update'),
  shm_bytes: define('bytes', 'shared-memory file, open, after the last update'),
  checkpoint_rows: define('rows', 'checkpoint rows'),
  write_rows: define('rows', 'write rows'),
  blob_rows: define('rows', 'blob rows; 0 where values are inline'),
  snapshot_count: define('count', 'snapshots stored'),
  checkpoints_per_update: define('ratio', 'checkpoints stored per update (R)'),
  write_p50_ms: define('ms', 'one update (invoke), median', true),
  write_p95_ms: define('ms', 'one update, 95th percentile', true),
  write_p99_ms: define('ms', 'one update, 99th percentile; the maximum below 100 updates'),
  write_max_ms: define('ms', 'slowest update'),
  write_first_window_ms: define('ms', 'median update of the first tenth'),
  write_middle_window_ms: define('ms', 'median update of the middle tenth'),
  write_last_window_ms: define('ms', 'median update of the last tenth'),
  write_total_ms: define('ms', 'all updates together'),
  warm_read_ms: define('ms', 'getState on the graph that wrote', true),
  cold_read_ms: define('ms', 'graph compiled anew, then getState', true),
  cold_reopened_read_ms: define('ms', 'database reopened, graph compiled, then getState'),
  cold_process_read_ms: define('ms', 'the same in a fresh process, packages already imported', true),
  peak_rss_load_bytes: define('bytes', 'peak resident memory while packages load'),
  peak_rss_write_bytes: define('bytes', 'peak resident memory while updating', true),
  peak_rss_read_bytes: define('bytes', 'peak resident memory while reading'),
  cpu_user_ms: define('ms', 'CPU time in user mode, whole writer process'),
  cpu_system_ms: define('ms', 'CPU time in system mode, whole writer process'),
} as const satisfies Record<string, MetricDefinition>;

export type MetricName = keyof typeof METRICS;

export const METRIC_NAMES = Object.keys(METRICS) as [MetricName, ...MetricName[]];

/** What a summary shows unless other metrics are asked for. */
export const HEADLINE_METRICS: readonly MetricName[] = METRIC_NAMES.filter((name) => METRICS[name].headline);
