// The shape of a summary and of the paired journals it is made from: plain data, snake_case where it is printed as JSON.
// Types only; summary.ts fills them in, the renderers read them.

import type { Case } from '../harness/record/case.js';
import type { MetricUnit } from '../harness/record/metrics.js';
import type { HistoryCacheName } from '../harness/record/names.js';
import type { Pairing } from '../harness/record/pairing.js';
import type { FailureReason } from '../harness/record/row-parts.js';
import type { Provenance } from '../harness/record/provenance.js';
import type { IntervalMethod, RatioOutcome } from './statistics.js';

/** One journal, read and paired. */
export interface JournalRows {
  /** As it was given; only its last segment goes into a summary. */
  readonly path: string;
  readonly pairing: Pairing;
  /** Rows in the file, those superseded by a later row of their case included. */
  readonly totalRows: number;
  readonly tornLines: number;
  readonly skippedLines: number;
}

/** Machine, versions and revision of rows, and the schema version they were written in. */
export type Origin = Provenance & { readonly schema_version: number };

/** One metric of a cell at one cadence, over its pairs. */
export interface MetricSummary {
  readonly unit: MetricUnit;
  /** In the metric's unit, over the full rows that are in a pair; null where no such row has the metric. */
  readonly full_median: number | null;
  /** Values behind `full_median`. */
  readonly full_n: number;
  readonly delta_median: number | null;
  readonly delta_n: number;
  /** Median of the pairs' own delta/full ratios; null where no pair gives one. */
  readonly ratio_median: number | null;
  /** Pairs that gave a ratio: both sides are there and full is not 0. */
  readonly ratio_n: number;
  readonly ratio_min: number | null;
  readonly ratio_max: number | null;
  /** Ends of an interval for the median ratio; null, as its coverage and method are, below two ratios. */
  readonly ratio_low: number | null;
  readonly ratio_high: number | null;
  /** How often such an interval holds the median, 0 to 1: exact for order statistics, nominal for the bootstrap. */
  readonly ratio_coverage: number | null;
  readonly ratio_method: IntervalMethod | null;
  /** Whether the interval tells delta and full apart. */
  readonly outcome: RatioOutcome;
}

/** What the ratios of a metric tell. */
export type RatioSummary = Omit<
  MetricSummary,
  'unit' | 'full_median' | 'full_n' | 'delta_median' | 'delta_n'
>;

/** A part of the time of updates, as the attribution of a row has it. */
export type TurnPart = 'storage' | 'serialization' | 'walk' | 'replay' | 'framework' | 'gc' | 'residual';

/** Where the time of the updates went, over the rows of one side. */
export interface TurnParts {
  /** Rows behind it. */
  readonly n: number;
  /** Median share of the turn: 0.25 is a quarter. Null where no row knows the part. */
  readonly share: Readonly<Record<TurnPart, number | null>>;
  /** The residual share that is furthest from 0. */
  readonly worst_residual: number;
}

/** A difference of two times over the rows of one side: its median with an interval. */
export interface CompileEffect {
  /** Rows behind it. */
  readonly n: number;
  /** Milliseconds; negative where cold was faster than warm. */
  readonly median_ms: number;
  /** Null, as the coverage is, below two rows. */
  readonly low_ms: number | null;
  readonly high_ms: number | null;
  readonly coverage: number | null;
}

/** What makes a cell, as rows have it; a saver and a graph of the user's own by their names. */
export interface CellFields extends Pick<
  Case,
  'bench' | 'updates' | 'payload_bytes' | 'payload_entropy' | 'seed'
> {
  readonly pipeline_nodes: number | null;
  /** How the service was set up and read; null where there is none. */
  readonly service: string | null;
  readonly workload: string;
  readonly backend: string;
}

/** A cell at one cadence and history cache. */
export interface GroupSummary extends CellFields {
  /** Null for the one group of a cell that has full rows only. */
  readonly snapshot_frequency: number | null;
  /** What stood before the saver of the delta rows; null as the cadence is. */
  readonly history_cache: HistoryCacheName | null;
  /** Pairs behind the medians, from all journals. */
  readonly paired_repetitions: number;
  /** Latest rows that failed; a failed full row counts at every cadence of its cell. */
  readonly failed_rows: number;
  readonly voided_pairs: number;
  /** Latest rows taken under a profiler; a full one counts at every cadence of its cell. */
  readonly profiled_rows: number;
  /** By metric name, in the order asked for. */
  readonly metrics: Readonly<Record<string, MetricSummary>>;
  /**
   * By metric, for times: ratios of the delta rows at this cadence without a history cache to these; empty without one, and
   * where the raw saver was not measured.
   */
  readonly raw_over_cached: Readonly<Record<string, RatioSummary>>;
  /** `maximum` where some row of a pair is too short to have a 99th percentile; null without a pair. */
  readonly snapshot_write_spike_basis: 'p99' | 'maximum' | null;
  /** What compiling the graph anew costs a read of the state, per mode; null where it was not measured. */
  readonly cache_effect_ms: { readonly full: CompileEffect | null; readonly delta: CompileEffect | null };
  /** Over the rows in a pair; null where none has an attribution. */
  readonly turn_parts: { readonly full: TurnParts | null; readonly delta: TurnParts | null };
}

export interface FailureSummary {
  /** Key of the case. */
  readonly case: string;
  readonly journal: string;
  readonly reason: FailureReason | 'unstated';
  readonly message: string;
}

export interface VoidSummary {
  /** Key of the cell. */
  readonly cell: string;
  readonly snapshot_frequency: number | null;
  readonly history_cache: HistoryCacheName;
  readonly repetition: number;
  readonly journal: string;
  readonly reason: string;
}

/** Counts over all journals; each row counts once here. */
export interface RowCounts {
  readonly total: number;
  /** Rows that no later row of their case supersedes. All counts below are of these. */
  readonly latest: number;
  readonly failed: number;
  readonly profiled: number;
  /** Rows that may pair: neither failed nor profiled. */
  /** Successful latest rows whose stored rows could not be looked at, so that their mode is not shown. */
  readonly mode_undecided: number;
  readonly usable_full: number;
  readonly usable_delta: number;
  readonly voided_pairs: number;
  readonly torn_lines: number;
  readonly skipped_lines: number;
}

export interface Summary {
  readonly schema_version: number;
  /** File names without folders. */
  readonly journals: readonly string[];
  /** Whether rows that differ in machine, versions, revision or schema version stand in this summary together. */
  readonly pooled: boolean;
  /** Every distinct origin of the latest rows. */
  readonly provenance: readonly Origin[];
  readonly rows: RowCounts;
  readonly groups: readonly GroupSummary[];
  readonly failures: readonly FailureSummary[];
  readonly voids: readonly VoidSummary[];
}
