// One metric over the pairs of a cell and cadence: medians of both sides, and what the pairs' own ratios tell. The one
// place where a ratio is computed.

import { median } from 'simple-statistics';
import { metricDefinition, type MetricName } from '../harness/record/metrics.js';
import type { Pair } from '../harness/record/pairing.js';
import type { Row } from '../harness/record/row.js';
import { describeRatios } from './statistics.js';
import type { MetricSummary, RatioSummary } from './summary-shape.js';

/** Summarizes one metric; with an odd number of values every median is one of them. */
export function summarizeMetric(pairs: readonly Pair[], name: MetricName): MetricSummary {
  const full = present(pairs.map((pair) => metricOf(pair.full, name)));
  const delta = present(pairs.map((pair) => metricOf(pair.delta, name)));
  return {
    unit: metricDefinition(name).unit,
    full_median: medianOf(full),
    full_n: full.length,
    delta_median: medianOf(delta),
    delta_n: delta.length,
    ...summarizeRatio(pairs, name),
  };
}

/** What the pairs' own ratios of one metric tell. */
export function summarizeRatio(
  pairs: readonly Pick<Pair, 'full' | 'delta'>[],
  name: MetricName,
): RatioSummary {
  const ratios = pairs.map(({ full, delta }) => ratioOf(metricOf(delta, name), metricOf(full, name)));
  const ratio = describeRatios(present(ratios));
  return {
    ratio_median: ratio.median,
    ratio_n: ratio.n,
    ratio_min: ratio.min,
    ratio_max: ratio.max,
    ratio_low: ratio.interval?.low ?? null,
    ratio_high: ratio.interval?.high ?? null,
    ratio_coverage: ratio.interval?.coverage ?? null,
    ratio_method: ratio.interval?.method ?? null,
    outcome: ratio.outcome,
  };
}

function metricOf(row: Row, name: MetricName): number | null {
  return row.measurement?.metrics[name] ?? null;
}

function present(values: readonly (number | null)[]): number[] {
  return values.filter((value) => value !== null);
}

/** delta/full; null where it cannot be computed, which no number may stand for. */
function ratioOf(delta: number | null, full: number | null): number | null {
  if (delta === null || full === null) return null;
  const ratio = delta / full;
  return Number.isFinite(ratio) ? ratio : null;
}

function medianOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : median([...values]);
}
