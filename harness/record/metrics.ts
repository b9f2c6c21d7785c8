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
 * The metrics of `deltaproof channels`, in the order of reports. Names end in their unit; a name without one counts something.
 * Percentiles are nearest rank over the case's samples; a read time is the median of its samples.
 */
const CHANNELS = {
  logical_bytes: define('bytes', 'checkpoints, metadata and writes as the saver serialized them', true),
  checkpoint_payload_bytes: define('bytes', 'checkpoint payloads, snapshots included'),
  snapshot_bytes: define('bytes', 'snapshots inside checkpoint payloads or blobs'),
  metadata_bytes: define('bytes', 'checkpoint metadata'),
  write_bytes: define('bytes', 'values of write rows'),
  blob_bytes: define('bytes', 'values of blob rows; 0 where values are inline'),
  durable_bytes: define(
    'bytes',
    'database file after a TRUNCATE checkpoint; on a server the tables with indexes and TOAST',
    true,
  ),
  heap_bytes: define('bytes', 'main forks of the tables on a server'),
  index_bytes: define('bytes', 'indexes of the tables on a server'),
  toast_bytes: define('bytes', 'TOAST of the tables on a server, where large values are'),
  db_bytes: define('bytes', 'database file, open, after the last update'),
  wal_bytes: define('bytes', 'write-ahead log, open, after the last update'),
  shm_bytes: define('bytes', 'shared-memory file, open, after the last update'),
  wal_peak_bytes: define('bytes', 'write-ahead log at its largest while updating'),
  wal_frames: define('count', 'pages written to the write-ahead log while updating'),
  server_wal_bytes: define('bytes', 'write-ahead log of the server while updating, by LSN'),
  process_wchar_bytes: define('bytes', 'bytes passed to write calls while updating (wchar of /proc/self/io)'),
  process_write_bytes: define('bytes', 'bytes sent to storage while updating (write_bytes of /proc/self/io)'),
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
  saver_busy_ms: define('ms', 'saver calls of all updates, merged, without walks'),
  put_busy_ms: define('ms', 'put of all updates, merged'),
  put_writes_busy_ms: define('ms', 'putWrites of all updates, merged'),
  get_tuple_busy_ms: define('ms', 'getTuple of all updates, without walks'),
  walk_ms: define('ms', 'ancestor walks of all updates'),
  reducer_replay_ms: define('ms', 'reducers replaying stored writes, all updates'),
  framework_ms: define('ms', 'LangGraph and the nodes: all updates on a saver that keeps references'),
  write_busy_p50_ms: define('ms', 'put and putWrites of one update, median'),
  snapshot_write_spike: define('ratio', 'p99/p50 of put and putWrites per update'),
  snapshot_update_count: define('count', 'updates that stored a snapshot'),
  snapshot_update_mean_ms: define('ms', 'put and putWrites of an update that stored a snapshot, mean'),
  snapshot_update_p50_ms: define('ms', 'put and putWrites of an update that stored a snapshot, median'),
  plain_update_mean_ms: define('ms', 'put and putWrites of an update that stored none, mean'),
  plain_update_p50_ms: define('ms', 'put and putWrites of an update that stored none, median'),
  snapshot_update_mean_ratio: define('ratio', 'mean of updates with a snapshot over those without'),
  snapshot_update_p50_ratio: define('ratio', 'median of updates with a snapshot over those without'),
  event_loop_delay_p99_ms: define('ms', 'event loop delay while updating, 99th percentile'),
  event_loop_delay_max_ms: define('ms', 'event loop delay while updating, longest'),
  statements_per_update: define(
    'ratio',
    'statements that the server completed per update, reads of the head included',
  ),
  round_trips_per_update: define('ratio', 'round trips to the server per update'),
  statements_per_read: define('ratio', 'statements that the server completed per warm read'),
  round_trips_per_read: define('ratio', 'round trips to the server per warm read'),
  network_round_trip_ms: define('ms', 'a round trip that asks for nothing, before the updates'),
  warm_read_ms: define('ms', 'getState on the graph that wrote', true),
  cold_read_ms: define('ms', 'graph compiled anew, then getState', true),
  cold_reopened_read_ms: define('ms', 'database reopened, graph compiled, then getState'),
  cold_process_read_ms: define('ms', 'the same in a fresh process, packages already imported', true),
  read_server_ms: define('ms', 'of a warm read: from sending to the first byte of each answer, added up'),
  read_parse_ms: define('ms', 'of a warm read: from there to the rows, received and parsed by the driver'),
  floor_write_ms: define('ms', 'the same rows written with the bare driver'),
  floor_read_ms: define('ms', 'the rows of a head read with the bare driver, JSON.parsed'),
  write_over_floor: define('ratio', 'put and putWrites of all updates over the floor'),
  read_over_floor: define('ratio', 'warm read over the floor'),
  peak_rss_load_bytes: define('bytes', 'peak resident memory while packages load'),
  peak_rss_write_bytes: define('bytes', 'peak resident memory while updating', true),
  peak_rss_read_bytes: define('bytes', 'peak resident memory while reading'),
  cpu_user_ms: define('ms', 'CPU time in user mode, whole writer process'),
  cpu_system_ms: define('ms', 'CPU time in system mode, whole writer process'),
} as const satisfies Record<string, MetricDefinition>;

/** Those of `deltaproof production` alone, beside what its reads are named. */
const PRODUCTION = {
  turn_p50_ms: define('ms', 'one turn of an agent with all that the service does for it, median', true),
  turn_p95_ms: define('ms', 'one turn, 95th percentile', true),
  turn_p99_ms: define('ms', 'one turn, 99th percentile; the maximum below 100 turns'),
  turn_total_ms: define('ms', 'all measured turns together'),
  checkpoint_write_p50_ms: define('ms', 'put and putWrites of one turn, merged, median', true),
  checkpoint_write_p95_ms: define('ms', 'put and putWrites of one turn, 95th percentile'),
  checkpoint_write_p99_ms: define('ms', 'put and putWrites of one turn, 99th percentile'),
  checkpoint_write_share: define('ratio', 'checkpoint_write_p50_ms of turn_p50_ms'),
  turn_walk_p50_ms: define('ms', 'ancestor walks of one turn, median'),
  turn_walk_total_ms: define('ms', 'ancestor walks of all measured turns'),
  assistant_read_p50_ms: define(
    'ms',
    'the state through the route, as one assistant after the other, median',
  ),
  assistant_read_p95_ms: define('ms', 'the state as one assistant after the other, 95th percentile'),
  assistant_read_builds: define('ratio', 'graphs compiled per read as one assistant after the other'),
  load_read_p50_ms: define('ms', 'the state over HTTP under load, from when each request was due, median'),
  load_read_p95_ms: define('ms', 'the state under load, 95th percentile'),
  load_read_p99_ms: define('ms', 'the state under load, 99th percentile'),
  load_read_max_ms: define('ms', 'the state under load, slowest'),
  load_turn_p50_ms: define('ms', 'one turn of another thread under load, median'),
  snapshot_turn_count: define('count', 'turns that stored a snapshot'),
  snapshot_turn_p50_ms: define('ms', 'put and putWrites of a turn that stored a snapshot, median'),
  plain_turn_p50_ms: define('ms', 'put and putWrites of a turn that stored none, median'),
} as const satisfies Record<string, MetricDefinition>;

/** What both measure. */
const SHARED: readonly StaticMetric[] = [
  'logical_bytes',
  'checkpoint_payload_bytes',
  'snapshot_bytes',
  'metadata_bytes',
  'write_bytes',
  'blob_bytes',
  'durable_bytes',
  'heap_bytes',
  'index_bytes',
  'toast_bytes',
  'db_bytes',
  'wal_bytes',
  'shm_bytes',
  'checkpoint_rows',
  'write_rows',
  'blob_rows',
  'snapshot_count',
  'checkpoints_per_update',
  'snapshot_write_spike',
  'peak_rss_load_bytes',
  'peak_rss_write_bytes',
  'peak_rss_read_bytes',
  'cpu_user_ms',
  'cpu_system_ms',
];

/** Every metric but those of reads through routes, which are named by page. */
export const METRICS = { ...CHANNELS, ...PRODUCTION };
type StaticMetric = keyof typeof METRICS;

const READ_VALUES = {
  cold: 'the accessor graph compiled anew, median',
  warm_p50: 'nothing compiled, median',
  warm_p95: 'nothing compiled, 95th percentile',
  cold_saver: 'the saver in a cold read, median',
  warm_saver: 'the saver in a warm read, median',
} as const;

/**
 * A read of a page through the routes: `state_cold_ms`, `history_100_warm_p50_ms`; in a process that has just started
 * `process_state_cold_ms`.
 */
export type ReadMetric = `${'' | 'process_'}${'state' | `history_${number}`}_${keyof typeof READ_VALUES}_ms`;
const READ_METRIC = new RegExp(
  `^(process_)?(state|history_[1-9]\\d*)_(${Object.keys(READ_VALUES).join('|')})_ms$`,
);

export type MetricName = StaticMetric | ReadMetric;

/** Values of some metrics, all of them there; null where one is not known. */
export type NamedMetrics<Name extends MetricName> = { [name in Name]: number | null };

export const METRIC_NAMES = Object.keys(METRICS) as [StaticMetric, ...StaticMetric[]];

export function isMetricName(name: string): name is MetricName {
  return Object.hasOwn(METRICS, name) || READ_METRIC.test(name);
}

export function metricDefinition(name: MetricName): MetricDefinition {
  if (Object.hasOwn(METRICS, name)) return METRICS[name as StaticMetric];
  const [, fresh, page = '', value = 'cold'] = READ_METRIC.exec(name) ?? [];
  const where = fresh === undefined ? '' : ', in a process that has just started';
  const what = READ_VALUES[value as keyof typeof READ_VALUES];
  return define(
    'ms',
    `${page.replace('_', ' of ')} through the route: ${what}${where}`,
    isHeadlineRead(name),
  );
}

function isHeadlineRead(name: MetricName): boolean {
  return name === 'state_cold_ms' || name === 'state_warm_p50_ms';
}

/** Which metrics a summary has: the headline ones, all, or these. */
export type MetricChoice = 'headline' | 'all' | readonly MetricName[];

/**
 * The names that a choice means for rows of an experiment, in the order of reports.
 *
 * @param found names in the rows, for the reads of production, whose pages only they know.
 */
export function chosenMetrics(
  choice: MetricChoice,
  bench: 'channels' | 'production',
  found: Iterable<string>,
): MetricName[] {
  if (typeof choice !== 'string') return [...choice];
  const own = Object.keys(bench === 'channels' ? CHANNELS : PRODUCTION);
  const statics = METRIC_NAMES.filter(
    (name) => own.includes(name) || (bench === 'production' && SHARED.includes(name)),
  );
  const reads = [...new Set(found)].filter((name): name is ReadMetric => READ_METRIC.test(name));
  const names = [...statics, ...reads];
  return choice === 'all' ? names : names.filter((name) => metricDefinition(name).headline);
}
