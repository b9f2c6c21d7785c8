// Puts what a writer child has taken into the record that goes into the row.

import type { PeakRssTaken } from '../../harness/process/usage.js';
import type { ProductionCase } from '../../harness/record/case.js';
import type { MetricName, NamedMetrics } from '../../harness/record/metrics.js';
import { capabilitiesOf, NOT_PERSISTENT_REASON } from '../../harness/record/names.js';
import { percentile, ratio, roundMs } from '../../harness/record/percentile.js';
import type { ProductionMeasurement } from '../../harness/record/production-measurement.js';
import type { StateDigest } from '../../harness/record/digest.js';
import { DISCARDED_TURNS } from '../../harness/record/sampling.js';
import { statsFields, type HistoryStats } from '../../harness/runtime/history-cache/history-stats.js';
import { fileBytesFields, type FilesTaken } from '../../harness/savers/file-bytes.js';
import type { StorageDiagnosis } from '../../harness/savers/storage-diagnosis.js';
import type { StoredMode } from '../../harness/verify/stored-mode.js';
import { pagesOf, type BodyCheck } from './check-bodies.js';
import type { LoadTaken } from './load.js';
import { assistantMetrics } from './read-as-assistants.js';
import { readMetrics } from './read-pages.js';
import type { RunTurns, TurnCost } from './run-turns.js';

/** Everything a writer child has measured of one case. */
export interface Taken {
  readonly case: ProductionCase;
  readonly check: BodyCheck;
  readonly states: { readonly live: StateDigest; readonly warm: StateDigest };
  readonly turns: RunTurns;
  readonly reads: ProductionMeasurement['reads'];
  readonly assistantReads: ProductionMeasurement['assistant_reads'];
  /** Null without a load. */
  readonly load: LoadTaken | null;
  readonly storage: StorageDiagnosis;
  readonly mode: StoredMode;
  /** By table; null without a server. */
  readonly relations: ProductionMeasurement['relation_bytes'];
  /** Null where the saver keeps no files. */
  readonly files: FilesTaken;
  readonly peakRss: PeakRssTaken;
  /** Null without a cache of histories. */
  readonly historyCache: HistoryStats | null;
  readonly cpu: { readonly user: number; readonly system: number };
  readonly pragmas: Record<string, string | number>;
}

export function measurementOf(taken: Taken): ProductionMeasurement {
  const { case: c, check, files, storage, mode, turns } = taken;
  const metrics = {
    ...storage.metrics,
    ...fileMetrics(taken),
    ...turnMetrics(turns.costs, storage),
    ...readMetrics(taken.reads),
    ...assistantMetrics(taken.assistantReads),
    ...taken.load?.metrics,
    peak_rss_load_bytes: taken.peakRss.peakLoadBytes,
    peak_rss_write_bytes: taken.peakRss.peakWriteBytes,
    peak_rss_read_bytes: taken.peakRss.peakReadBytes,
    cpu_user_ms: roundMs(taken.cpu.user),
    cpu_system_ms: roundMs(taken.cpu.system),
  };
  const samples = (of: (cost: TurnCost) => number) => turns.costs.map((cost) => roundMs(of(cost)));
  return {
    oracle: 'model',
    mode_verdict: mode.verdict,
    materialized_sha256: { expected: check.expectedState, ...taken.states, cold_process: null },
    wire_sha256: pagesOf(c).map((page) => ({
      page,
      expected: check.expected(page),
      writer: check.digest(page),
      fresh: null,
    })),
    metrics,
    samples_ms: {
      turn: samples((cost) => cost.turnMs),
      checkpoint_write: samples((cost) => cost.checkpointWriteMs),
      turn_walk: samples((cost) => cost.walkMs),
    },
    discarded_turns: DISCARDED_TURNS,
    reads: taken.reads,
    assistant_reads: taken.assistantReads,
    load: taken.load?.record ?? null,
    history_cache: taken.historyCache && statsFields(taken.historyCache),
    snapshot_write_spike_basis: turns.costs.length < 100 ? 'maximum' : 'p99',
    file_bytes: fileBytesFields(files),
    relation_bytes: taken.relations,
    peak_rss_method: taken.peakRss.method,
    pragmas: taken.pragmas,
    durability: 'async',
    storage_stats_error: storage.error ?? mode.problem,
    unavailable: unavailable(taken, metrics),
  };
}

function fileMetrics({ files, relations, storage }: Taken) {
  const tables = relations === null ? null : Object.values(relations);
  const bytes = (part: 'heap' | 'index' | 'toast') =>
    tables && tables.reduce((sum, table) => sum + table[part], 0);
  const [heap, index, toast] = [bytes('heap'), bytes('index'), bytes('toast')];
  const onServer = heap === null || index === null || toast === null ? null : heap + index + toast;
  return {
    heap_bytes: heap,
    index_bytes: index,
    toast_bytes: toast,
    durable_bytes: files.afterTruncate?.db ?? onServer ?? storage.durableBytes,
    db_bytes: files.afterWrites?.db ?? null,
    wal_bytes: files.afterWrites?.wal ?? null,
    shm_bytes: files.afterWrites?.shm ?? null,
  };
}

type TurnMetric = Extract<
  MetricName,
  | `turn_${string}`
  | `checkpoint_write_${string}`
  | 'snapshot_write_spike'
  | `${'snapshot' | 'plain'}_turn_${string}`
>;

function turnMetrics(costs: readonly TurnCost[], { positions }: StorageDiagnosis): NamedMetrics<TurnMetric> {
  const of = (part: 'turnMs' | 'checkpointWriteMs' | 'walkMs', some = costs) =>
    some.map((cost) => cost[part]);
  const at = (samples: readonly number[], percent: number) => {
    const value = percentile(samples, percent);
    return value === null ? null : roundMs(value);
  };
  const storesSnapshot = ({ checkpointIds }: TurnCost) =>
    checkpointIds.some((id) => positions?.get(id)?.storesSnapshot);
  const withSnapshot = positions === null ? null : costs.filter(storesSnapshot);
  const without = positions === null ? null : costs.filter((cost) => !storesSnapshot(cost));
  const [turn, write] = [at(of('turnMs'), 50), at(of('checkpointWriteMs'), 50)];
  const slow = at(of('checkpointWriteMs'), 99);
  const total = (part: 'turnMs' | 'walkMs') => roundMs(of(part).reduce((sum, ms) => sum + ms, 0));
  return {
    turn_p50_ms: turn,
    turn_p95_ms: at(of('turnMs'), 95),
    turn_p99_ms: at(of('turnMs'), 99),
    turn_total_ms: total('turnMs'),
    checkpoint_write_p50_ms: write,
    checkpoint_write_p95_ms: at(of('checkpointWriteMs'), 95),
    checkpoint_write_p99_ms: slow,
    checkpoint_write_share: ratio(write, turn),
    snapshot_write_spike: ratio(slow, write),
    turn_walk_p50_ms: at(of('walkMs'), 50),
    turn_walk_total_ms: total('walkMs'),
    snapshot_turn_count: withSnapshot && withSnapshot.length,
    snapshot_turn_p50_ms: withSnapshot && at(of('checkpointWriteMs', withSnapshot), 50),
    plain_turn_p50_ms: without && at(of('checkpointWriteMs', without), 50),
  };
}

/** Field name to reason, for every field that is null. */
function unavailable(
  { case: c, files, relations, storage }: Taken,
  metrics: Readonly<Partial<Record<MetricName, number | null>>>,
): Record<string, string> {
  const reasons: Record<string, string> = {};
  if (!capabilitiesOf(c).persistent) {
    reasons['materialized_sha256.cold_process'] = NOT_PERSISTENT_REASON;
    reasons['wire_sha256.fresh'] = NOT_PERSISTENT_REASON;
  }
  if (files.afterWrites === null) reasons['file_bytes'] = NO_FILES;
  if (relations === null) reasons['relation_bytes'] = NO_SERVER;
  for (const [name, value] of Object.entries(metrics)) {
    if (value === null) reasons[`metrics.${name}`] = reasonOf(name, storage);
  }
  return reasons;
}

const NO_FILES = 'not_applicable: the saver keeps no files';
const NO_SERVER = 'not_applicable: the store is not on a server';

function reasonOf(name: string, storage: StorageDiagnosis): string {
  if (/^(heap|index|toast)_bytes$/.test(name)) return NO_SERVER;
  if (/^(db|wal|shm|durable)_bytes$/.test(name)) return NO_FILES;
  if (storage.error !== null) return 'see storage_stats_error';
  if (storage.isReported) return 'not_reported: the saver does not tell it';
  return 'no_samples: no turn is of that kind';
}
