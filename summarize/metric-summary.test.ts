import { expect, test } from 'vitest';
import { deltaRow, fullRow, journalRows } from '../fixtures/journals/rows.js';
import { summarizeMetric } from './metric-summary.js';
import type { MetricSummary } from './summary-shape.js';

/** The summary of `write_p50_ms` over pairs of full and delta values at K=10. */
function metricOfPairs(...pairs: readonly [number | null, number | null][]): MetricSummary {
  const rows = pairs.flatMap(([full, delta], index) => [
    fullRow(index + 1, { write_p50_ms: full }),
    deltaRow(10, index + 1, { write_p50_ms: delta }),
  ]);
  return summarizeMetric(journalRows(rows).pairing.pairs, 'write_p50_ms');
}

test('the ratio is the median of the paired ratios, not the ratio of the medians', () => {
  // Ratios 0.6, 0.5 and 50; the medians are 10 and 50, and their ratio would be 5.
  expect(metricOfPairs([100, 60], [10, 5], [1, 50])).toEqual({
    unit: 'ms',
    full_median: 10,
    full_n: 3,
    delta_median: 50,
    delta_n: 3,
    ratio_median: 0.6,
    ratio_n: 3,
    ratio_min: 0.5,
    ratio_max: 50,
    ratio_low: 0.5,
    ratio_high: 50,
    ratio_coverage: 0.75,
    ratio_method: 'order_statistics',
    outcome: 'not_told_apart',
  });
});

test('from 20 pairs on the interval is a bootstrap, the same whenever and in whatever order rows come', () => {
  const pairs = Array.from({ length: 20 }, (_, index): [number, number] => [100, 50 + index]);
  const expected = {
    ratio_median: 0.595,
    ratio_n: 20,
    ratio_min: 0.5,
    ratio_max: 0.69,
    ratio_low: 0.555,
    ratio_high: 0.635,
    ratio_coverage: 0.95,
    ratio_method: 'bootstrap',
    outcome: 'lower',
  };

  expect(metricOfPairs(...pairs)).toMatchObject(expected);
  expect(metricOfPairs(...pairs.toReversed())).toMatchObject(expected);
});

test('the interval of a metric is of its own pairs, not of all pairs of its cell', () => {
  expect(metricOfPairs([10, 5], [10, 6], [0, 7], [null, 8])).toMatchObject({
    ratio_n: 2,
    ratio_low: 0.5,
    ratio_high: 0.6,
    ratio_coverage: 0.5,
    outcome: 'too_few_to_tell',
  });
});

test('an even number of pairs has the mean of the middle two as its median', () => {
  expect(metricOfPairs([10, 1], [10, 2], [10, 4], [10, 9])).toMatchObject({
    full_median: 10,
    delta_median: 3,
    ratio_median: (0.2 + 0.4) / 2,
  });
});

test.each<[string, number | null, number | null, Partial<MetricSummary>]>([
  ['full is 0', 0, 5, { full_median: 0, full_n: 1, delta_median: 5, delta_n: 1 }],
  ['both are 0', 0, 0, { full_median: 0, full_n: 1, delta_median: 0, delta_n: 1 }],
  ['full is missing', null, 5, { full_median: null, full_n: 0, delta_median: 5, delta_n: 1 }],
  ['delta is missing', 5, null, { full_median: 5, full_n: 1, delta_median: null, delta_n: 0 }],
  ['it overflows', 5e-324, 1e300, { full_n: 1, delta_n: 1 }],
])('a ratio is absent where %s', (_, full, delta, medians) => {
  expect(metricOfPairs([full, delta])).toMatchObject({ ...medians, ratio_median: null, ratio_n: 0 });
});

test('a ratio of 0 is a ratio', () => {
  expect(metricOfPairs([5, 0])).toMatchObject({ ratio_median: 0, ratio_n: 1 });
});

test('ratio_n counts the pairs that gave a ratio', () => {
  expect(metricOfPairs([10, 5], [0, 5], [null, 5], [10, 1], [10, 2])).toMatchObject({
    full_n: 4,
    delta_n: 5,
    ratio_median: 0.2,
    ratio_n: 3,
  });
});
