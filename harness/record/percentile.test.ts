import fc from 'fast-check';
import { expect, test } from 'vitest';
import { percentile, roundMs } from './percentile.js';

const ONE_TO_HUNDRED = Array.from({ length: 100 }, (_, index) => index + 1);

test.each([
  [[15, 20, 35, 40, 50], 30, 20],
  [[15, 20, 35, 40, 50], 40, 20],
  [[15, 20, 35, 40, 50], 50, 35],
  [[15, 20, 35, 40, 50], 100, 50],
  [[3, 1, 2], 50, 2],
  [[4, 3, 2, 1], 50, 2],
  [[10, 9, 2], 100, 10],
  [[7], 0, 7],
  [[7], 99, 7],
  [ONE_TO_HUNDRED, 95, 95],
  [ONE_TO_HUNDRED, 99, 99],
])('the nearest rank of %j at %i is %i', (samples, percent, expected) => {
  expect(percentile(samples, percent)).toBe(expected);
});

test('with fewer than 100 samples the 99th percentile is the maximum, with 100 it is not', () => {
  expect(percentile(ONE_TO_HUNDRED.slice(0, 99), 99)).toBe(99);
  expect(percentile(ONE_TO_HUNDRED.slice(1), 99)).toBe(100);
  expect(percentile(ONE_TO_HUNDRED, 99)).not.toBe(100);
});

test('there is no percentile without samples', () => {
  expect(percentile([], 50)).toBeNull();
});

test('the samples keep their order', () => {
  const samples = [3, 1, 2];

  percentile(samples, 50);

  expect(samples).toEqual([3, 1, 2]);
});

test('at the percentiles in use, it is the smallest sample with enough samples at or below it', () => {
  const cases = fc.tuple(
    fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 300 }),
    fc.constantFrom(50, 95, 99, 100),
  );

  fc.assert(
    fc.property(cases, ([samples, percent]) => {
      const smallest = samples
        .filter((s) => samples.filter((other) => other <= s).length * 100 >= percent * samples.length)
        .toSorted((a, b) => a - b)
        .at(0);
      expect(percentile(samples, percent)).toBe(smallest);
    }),
  );
});

// 7 / 100 * 100 is 7.000000000000001, which is rounded up to rank 8.
test('no percentile is a rank too high because of how 7/100 is stored', () => {
  expect(percentile(ONE_TO_HUNDRED, 7)).toBe(7);
});

test('milliseconds are rounded to the microsecond', () => {
  expect([1.2345, 1.2344999, 0.0004, 0.0005, 12].map(roundMs)).toEqual([1.235, 1.234, 0, 0.001, 12]);
});
