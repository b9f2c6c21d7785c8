import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { expect, test } from 'vitest';
import { describeRatios, type RatioOutcome } from './statistics.js';

/** 1 to n in an order of its own. */
function shuffled(n: number): number[] {
  return Array.from({ length: n }, (_, index) => index + 1).toSorted((a, b) => (a % 5) - (b % 5));
}

test.each([
  // Columns: n, k, and 1 - 2 P(Binomial(n, 1/2) < k) out of 2^n, from a table of binomial coefficients.
  [2, 1, 2 / 4],
  [3, 1, 6 / 8],
  [4, 1, 14 / 16],
  [5, 1, 30 / 32],
  [6, 1, 62 / 64],
  [7, 1, 126 / 128],
  [8, 1, 254 / 256],
  [9, 2, (512 - 2 * (1 + 9)) / 512],
  [10, 2, (1024 - 2 * (1 + 10)) / 1024],
  [11, 2, (2048 - 2 * (1 + 11)) / 2048],
  [12, 3, (4096 - 2 * (1 + 12 + 66)) / 4096],
  [15, 4, (32_768 - 2 * (1 + 15 + 105 + 455)) / 32_768],
  [19, 5, (524_288 - 2 * (1 + 19 + 171 + 969 + 3876)) / 524_288],
])(
  'the interval of %i ratios goes from the %i-th smallest to the %i-th largest, with its own coverage',
  (n, k, coverage) => {
    expect(describeRatios(shuffled(n)).interval).toEqual({
      low: k,
      high: n + 1 - k,
      coverage,
      method: 'order_statistics',
    });
  },
);

test('median, smallest and largest are of the ratios in whatever order they come', () => {
  expect(describeRatios([9, 0.5, 100])).toMatchObject({ n: 3, median: 9, min: 0.5, max: 100 });
  expect(describeRatios([100, 9, 2, 0.5])).toMatchObject({ n: 4, median: 5.5, min: 0.5, max: 100 });
});

test('no ratio has no number, and a single one no interval', () => {
  const nothing = { interval: null, outcome: 'too_few_to_tell' };

  expect(describeRatios([])).toEqual({ n: 0, median: null, min: null, max: null, ...nothing });
  expect(describeRatios([0.25])).toEqual({ n: 1, median: 0.25, min: 0.25, max: 0.25, ...nothing });
});

test.each<[RatioOutcome, number[]]>([
  ['too_few_to_tell', [0.1, 0.1]],
  ['lower', [0.1, 0.2, 0.999]],
  ['higher', [1.001, 2, 3]],
  ['not_told_apart', [0.9, 1.1, 1.2]],
  ['not_told_apart', [0.9, 0.95, 1]],
  ['not_told_apart', [1, 1.1, 1.2]],
  ['lower', [0.5, 0.5, 0.5]],
  ['higher', [2, 2, 2]],
  ['equal', [1, 1, 1]],
  // [x(2), x(8)] is [1, 1], but the pairs do not agree.
  ['not_told_apart', [0.9, 1, 1, 1, 1, 1, 1, 1, 1.1]],
  // [x(2), x(8)] leaves out one that is on the other side.
  ['lower', [0.5, 0.6, 0.6, 0.7, 0.7, 0.8, 0.8, 0.9, 5]],
])('the outcome is %s for the ratios %j', (outcome, ratios) => {
  expect(describeRatios(ratios).outcome).toBe(outcome);
});

test('equal ratios have an interval without a width', () => {
  const third = { low: 1 / 3, high: 1 / 3 };

  expect(describeRatios([1 / 3, 2 / 6, 10 / 30]).interval).toMatchObject(third);
  expect(describeRatios(Array.from({ length: 24 }, () => 1 / 3)).interval).toMatchObject(third);
});

test.each([
  [19, 'order_statistics'],
  [20, 'bootstrap'],
])('%i ratios have an interval by %s', (n, method) => {
  expect(describeRatios(shuffled(n)).interval?.method).toBe(method);
});

test.each([
  [20, 6.5, 14.5],
  // Exact: of resamples of 21 a median of 6 or less has P(Binomial(21, 6/21) > 10) = 0.018, of 7 or less 0.056.
  [21, 7, 15],
  // Of 25: 7 or less 0.0096, 8 or less 0.030.
  [25, 8, 18],
  [30, 10.5, 20.5],
])('the bootstrap of 1 to %i is the same every time: from %d to %d', (n, low, high) => {
  const interval = { low, high, coverage: 0.95, method: 'bootstrap' };

  expect(describeRatios(shuffled(n)).interval).toEqual(interval);
  expect(describeRatios(shuffled(n).toReversed()).interval).toEqual(interval);
});

test('the bootstrap is seeded: where its ends depend on the drawing they are these', () => {
  const ends = [100, 200, 300, 400, 500, 600].map((n) => {
    const { low, high } = describeRatios(shuffled(n)).interval ?? {};
    return [low, high];
  });

  // About n/2 ± 1.96 √n/2; another seed moves most of them by half a rank or more.
  expect(ends).toEqual([
    [40.5, 60],
    [87, 114.5],
    [133, 167.5],
    [181, 220.5],
    [229, 273.5],
    [277, 324.5],
  ]);
});

/** exp(normal) by Box and Muller: a duration as benchmarks see them, with its long right tail. */
function lognormals(seed: number): () => number {
  const rng = xoroshiro128plus(seed);
  return () => {
    const radius = Math.sqrt(-2 * Math.log(1 - uniformFloat64(rng)));
    return Math.exp(0.4 * radius * Math.cos(2 * Math.PI * uniformFloat64(rng)));
  };
}

/** The share of 4000 sets of n paired ratios whose interval holds their true median, 1.3. */
function empiricalCoverage(n: number): number {
  const trials = 4000;
  const draw = lognormals(n);
  let held = 0;
  for (let trial = 0; trial < trials; trial += 1) {
    const ratios = Array.from({ length: n }, () => (1.3 * draw()) / draw());
    const interval = describeRatios(ratios).interval;
    if (interval !== null && interval.low <= 1.3 && interval.high >= 1.3) held += 1;
  }
  return held / trials;
}

test.each([3, 5, 7, 12, 20, 30])(
  'intervals of %i paired lognormal ratios hold the true median as often as they say, within 2 points',
  (n) => {
    const coverage = describeRatios(shuffled(n)).interval?.coverage ?? Number.NaN;
    const empirical = empiricalCoverage(n);

    expect(empirical).toBeGreaterThanOrEqual(coverage - 0.02);
    expect(empirical).toBeLessThanOrEqual(coverage + 0.02);
  },
);
