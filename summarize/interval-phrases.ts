// An interval and its outcome as the table and the Markdown show them, and the lines that explain what is shown.

import { formatInterval, formatPercent } from './quantities.js';
import { FEWEST_TO_TELL, type IntervalMethod, type RatioOutcome } from './statistics.js';
import type { MetricSummary, RatioSummary, Summary } from './summary-shape.js';

const TOO_FEW = 'too few to tell';
const NOT_TOLD_APART_MARK = '~1';

/** Sample sizes that are named one by one; of more only the smallest and the largest are. */
const LISTED_SIZES = 3;

const METHODS: readonly { method: IntervalMethod; name: string; coverage: string }[] = [
  { method: 'order_statistics', name: 'order statistics', coverage: 'coverage' },
  { method: 'bootstrap', name: 'seeded bootstrap', coverage: 'nominal coverage' },
];

/** An outcome in words. */
export const OUTCOME_WORDS: Readonly<Record<RatioOutcome, string>> = {
  too_few_to_tell: TOO_FEW,
  lower: 'lower',
  higher: 'higher',
  equal: 'equal',
  not_told_apart: 'not told apart',
};

/** `[0.981..1.112]`; empty without an interval, and where every pair gave the same ratio. */
export function intervalText(metric: RatioSummary): string {
  const { ratio_low: low, ratio_high: high } = metric;
  return low === null || high === null || isExact(metric) ? '' : formatInterval(low, high);
}

/** What stands beside a ratio in the table: the interval with `~1` where it holds 1, or that there are too few pairs. */
export function intervalCell(metric: RatioSummary): string {
  if (metric.ratio_n === 0) return '';
  if (metric.outcome === 'too_few_to_tell') return TOO_FEW;
  const mark = metric.outcome === 'not_told_apart' ? ` ${NOT_TOLD_APART_MARK}` : '';
  return intervalText(metric) + mark;
}

/** Explains intervals as far as the summary has any: where they come from, and why some are not there. */
export function intervalLegend(summary: Summary): string[] {
  const metrics = ratiosOf(summary);
  const told = metrics.filter(({ outcome }) => outcome !== 'too_few_to_tell');
  const lines = originLines(told.filter((metric) => !isExact(metric)));
  if (told.some(isExact)) lines.push('no interval: every pair gave the same ratio');
  if (told.length < metrics.length) {
    lines.push(`${TOO_FEW}: fewer than ${FEWEST_TO_TELL} pairs gave a ratio`);
  }
  return lines;
}

/** Explains the mark of {@link intervalCell} where a metric has it. */
export function markLegend(summary: Summary): string[] {
  return ratiosOf(summary).some(({ outcome }) => outcome === 'not_told_apart')
    ? [`${NOT_TOLD_APART_MARK}: the interval holds 1, so delta and full are not told apart`]
    : [];
}

/** Whether every pair gave the same ratio, as exact metrics do. */
function isExact(metric: RatioSummary): boolean {
  return metric.ratio_min === metric.ratio_max;
}

function ratiosOf({ groups }: Summary): MetricSummary[] {
  return groups.flatMap(({ metrics }) => Object.values(metrics)).filter(({ ratio_n: n }) => n > 0);
}

/** `interval: order statistics of 3 pairs, 75% coverage`: a line for each number of pairs, or one for many. */
function originLines(metrics: readonly MetricSummary[]): string[] {
  const bySize = new Map(metrics.map((metric) => [metric.ratio_n, metric]));
  const sizes = [...bySize.values()].toSorted((a, b) => a.ratio_n - b.ratio_n);
  return METHODS.flatMap(({ method, name, coverage }) => {
    const ofMethod = sizes.filter(({ ratio_method: m }) => m === method);
    const lines = ofMethod.length > LISTED_SIZES ? [ofMethod] : ofMethod.map((metric) => [metric]);
    return lines.map((of) => `interval: ${name} of ${sizeRange(of)} pairs, ${coverageRange(of)} ${coverage}`);
  });
}

function sizeRange(metrics: readonly MetricSummary[]): string {
  return rangeOf(
    metrics.map(({ ratio_n: n }) => n),
    String,
  );
}

function coverageRange(metrics: readonly MetricSummary[]): string {
  return rangeOf(
    metrics.map(({ ratio_coverage: coverage }) => coverage ?? 0),
    formatPercent,
  );
}

function rangeOf(values: readonly number[], format: (value: number) => string): string {
  const [low, high] = [format(Math.min(...values)), format(Math.max(...values))];
  return low === high ? low : `${low} to ${high}`;
}
