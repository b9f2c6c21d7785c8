// What the paired ratios of one metric tell: median, range, an interval for the median, and whether delta and full are
// told apart. Pure and seeded: equal ratios, in whatever order, give equal numbers. Knows nothing of rows or metrics.

import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Below this many ratios no outcome is claimed: two ratios hold the median between them half of the time. */
export const FEWEST_TO_TELL = 3;

/** From this many ratios on the interval is a bootstrap's. */
const FEWEST_TO_RESAMPLE = 20;

const AIMED_COVERAGE = 0.95;
const RESAMPLES = 2000;
const SEED = 1;

export type IntervalMethod = 'order_statistics' | 'bootstrap';

/** A two-sided interval for the median of the ratios that more pairs would give. */
export interface Interval {
  readonly low: number;
  readonly high: number;
  /** How often such an interval holds the median: exact for order statistics, nominal for the bootstrap. */
  readonly coverage: number;
  readonly method: IntervalMethod;
}

/**
 * `lower`, `higher`: the whole interval is on that side of 1. `not_told_apart`: it holds 1. `equal`: every ratio is
 * exactly 1. `too_few_to_tell`: fewer than three ratios.
 */
export type RatioOutcome = 'too_few_to_tell' | 'lower' | 'higher' | 'equal' | 'not_told_apart';

export interface MedianStatistics {
  readonly n: number;
  /** With an even number of values the mean of the middle two; null without any, as `min` and `max` are. */
  readonly median: number | null;
  readonly min: number | null;
  readonly max: number | null;
  /** Null below two values. */
  readonly interval: Interval | null;
}

export interface RatioStatistics extends MedianStatistics {
  readonly outcome: RatioOutcome;
}

/** Describes finite values. */
export function describeMedian(values: readonly number[]): MedianStatistics {
  const sorted = Float64Array.from(values).toSorted();
  const n = sorted.length;
  return {
    n,
    median: n === 0 ? null : middle(sorted, Math.floor((n - 1) / 2), Math.floor(n / 2)),
    min: sorted[0] ?? null,
    max: sorted[n - 1] ?? null,
    interval: medianInterval(sorted),
  };
}

/** Describes finite ratios. */
export function describeRatios(ratios: readonly number[]): RatioStatistics {
  const described = describeMedian(ratios);
  return { ...described, outcome: outcomeOf(ratios, described.interval) };
}

function medianInterval(sorted: Float64Array): Interval | null {
  if (sorted.length < 2) return null;
  return sorted.length < FEWEST_TO_RESAMPLE ? orderStatisticInterval(sorted) : bootstrapInterval(sorted);
}

/**
 * The narrowest [x(k), x(n+1-k)] that covers at least 95%, or [min, max] where even that covers less.
 *
 * It misses the median only if fewer than k of n values are below it, or fewer than k above it, so it covers
 * 1 - 2 P(Binomial(n, 1/2) < k), and more where values can tie. Conover, Practical Nonparametric Statistics (3rd ed.,
 * 1999), section 3.2, confidence interval for a quantile.
 */
function orderStatisticInterval(sorted: Float64Array): Interval {
  const n = sorted.length;
  let k = 1;
  while (orderStatisticCoverage(n, k + 1) >= AIMED_COVERAGE) k += 1;
  return {
    low: valueAt(sorted, k - 1),
    high: valueAt(sorted, n - k),
    coverage: orderStatisticCoverage(n, k),
    method: 'order_statistics',
  };
}

/** 1 - 2 P(Binomial(n, 1/2) < k), exact in doubles for n up to 50. */
function orderStatisticCoverage(n: number, k: number): number {
  let ways = 1;
  let tail = 0;
  for (let successes = 0; successes < k; successes += 1) {
    tail += ways;
    ways = (ways * (n - successes)) / (successes + 1);
  }
  return 1 - (2 * tail) / 2 ** n;
}

/**
 * The percentile interval of the bootstrapped median: of B medians of resamples, the k-th smallest and the k-th
 * largest, k = floor((B + 1) 0.025). Efron & Tibshirani, An Introduction to the Bootstrap (1993), section 13.3, with
 * the rank of section 12.5.
 *
 * A resampled median is one of the values or the mean of two, so that the ends move in steps and the coverage is
 * nominal.
 */
function bootstrapInterval(sorted: Float64Array): Interval {
  const medians = resampledMiddles(sorted.length)
    .map(({ lower, upper, times }) => ({ value: middle(sorted, lower, upper), times }))
    .toSorted((a, b) => a.value - b.value);
  const k = Math.floor(((RESAMPLES + 1) * (1 - AIMED_COVERAGE)) / 2);
  return {
    low: kthOf(medians, k),
    high: kthOf(medians.toReversed(), k),
    coverage: AIMED_COVERAGE,
    method: 'bootstrap',
  };
}

/** The ranks, from 0, of the two middle values of a resample, and how many resamples have these. */
interface Middles {
  readonly lower: number;
  readonly upper: number;
  readonly times: number;
}

const middlesBySize = new Map<number, readonly Middles[]>();

/**
 * The middles of all resamples of n sorted values. They do not depend on the values, so that one drawing serves every
 * metric with as many ratios.
 */
function resampledMiddles(n: number): readonly Middles[] {
  const known = middlesBySize.get(n);
  if (known !== undefined) return known;
  const rng = xoroshiro128plus(SEED);
  const drawn = new Uint32Array(n);
  const byRanks = new Map<number, Middles>();
  for (let resample = 0; resample < RESAMPLES; resample += 1) {
    for (let draw = 0; draw < n; draw += 1) drawn[draw] = uniformInt(rng, 0, n - 1);
    drawn.sort();
    const lower = drawn[Math.floor((n - 1) / 2)] ?? 0;
    const upper = drawn[Math.floor(n / 2)] ?? 0;
    const key = lower * n + upper;
    byRanks.set(key, { lower, upper, times: (byRanks.get(key)?.times ?? 0) + 1 });
  }
  const middles = [...byRanks.values()];
  middlesBySize.set(n, middles);
  return middles;
}

function middle(sorted: Float64Array, lower: number, upper: number): number {
  return (valueAt(sorted, lower) + valueAt(sorted, upper)) / 2;
}

/** The k-th value, from 1, of values that stand for several. */
function kthOf(values: readonly { readonly value: number; readonly times: number }[], k: number): number {
  let passed = 0;
  for (const { value, times } of values) {
    passed += times;
    if (passed >= k) return value;
  }
  throw new RangeError(`There is no value ${k} of ${passed}.`);
}

function outcomeOf(ratios: readonly number[], interval: Interval | null): RatioOutcome {
  if (interval === null || ratios.length < FEWEST_TO_TELL) return 'too_few_to_tell';
  if (ratios.every((ratio) => ratio === 1)) return 'equal';
  if (interval.high < 1) return 'lower';
  return interval.low > 1 ? 'higher' : 'not_told_apart';
}

function valueAt(values: Float64Array, index: number): number {
  const value = values[index];
  if (value === undefined) throw new RangeError(`There is no value ${index} of ${values.length}.`);
  return value;
}
