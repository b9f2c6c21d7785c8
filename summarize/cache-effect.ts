// What a history cache or a direct walk saves: the same delta cases without it over those with it, pair by pair.

import { metricDefinition, type MetricName } from '../harness/record/metrics.js';
import type { Pair } from '../harness/record/pairing.js';
import { intervalCell } from './interval-phrases.js';
import { summarizeRatio } from './metric-summary.js';
import { settingCell } from './phrases.js';
import { formatRatio } from './quantities.js';
import type { GroupSummary, RatioSummary, Summary } from './summary-shape.js';

/**
 * By metric the ratios raw/cached of rows that pair with the same full row, for times alone.
 *
 * @param raw the pairs of the cadence without a history cache.
 */
export function cacheEffectOf(
  raw: readonly Pair[],
  cached: readonly Pair[],
  names: readonly MetricName[],
): Readonly<Record<string, RatioSummary>> {
  const pairs = cached.flatMap(({ full, delta }) => {
    const same = raw.find((pair) => pair.full === full);
    // A ratio is that of the delta row to the full one.
    return same === undefined ? [] : [{ full: delta, delta: same.delta }];
  });
  if (pairs.length === 0) return {};
  const times = names.filter((name) => metricDefinition(name).unit === 'ms');
  return Object.fromEntries(times.map((name) => [name, summarizeRatio(pairs, name)]));
}

const HEADER = ['without / with', 'K', 'ratio', 'interval'];

/** The cells of a small table; empty where no group has a history cache beside the raw saver. */
export function cacheEffectCells(groups: readonly GroupSummary[]): string[][] {
  const rows = groups.flatMap((group) =>
    Object.entries(group.raw_over_cached).flatMap(([name, ratio]) =>
      ratio.ratio_n === 0
        ? []
        : [[name, settingCell(group), formatRatio(ratio.ratio_median), intervalCell(ratio)]],
    ),
  );
  return rows.length === 0 ? [] : [HEADER, ...rows];
}

/** Explains the table, where there is one. */
export function cacheEffectLegend({ groups }: Summary): string[] {
  return cacheEffectCells(groups).length === 0
    ? []
    : [
        'without / with: median of paired ratios of delta without a history cache to delta with it; above 1 it saves time',
      ];
}
