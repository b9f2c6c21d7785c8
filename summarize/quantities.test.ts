import { expect, test } from 'vitest';
import type { MetricUnit } from '../harness/record/metrics.js';
import { formatInterval, formatPercent, formatQuantity, formatRatio } from './quantities.js';

test.each<[number | null, MetricUnit, string]>([
  [null, 'bytes', '-'],
  [0, 'bytes', '0 B'],
  [7, 'bytes', '7 B'],
  [12.5, 'bytes', '12.5 B'],
  [999, 'bytes', '999 B'],
  [999.6, 'bytes', '1.00 kB'],
  [1000, 'bytes', '1.00 kB'],
  [12_345, 'bytes', '12.3 kB'],
  [999_499, 'bytes', '999 kB'],
  [999_500, 'bytes', '1.00 MB'],
  [1_234_567, 'bytes', '1.23 MB'],
  [5_000_000_000, 'bytes', '5.00 GB'],
  [7_770_000_000_000, 'bytes', '7.77 TB'],
  [1e15, 'bytes', '1.00 PB'],
  [1.2e18, 'bytes', '1200 PB'],
  [0, 'ms', '0 ms'],
  [0.0123, 'ms', '0.0123 ms'],
  [1.5, 'ms', '1.50 ms'],
  [9.999, 'ms', '10.0 ms'],
  [12.34, 'ms', '12.3 ms'],
  [999.9, 'ms', '1000 ms'],
  [123_456, 'ms', '123000 ms'],
  [3, 'ratio', '3.00'],
  [300, 'rows', '300'],
  [12_345_678, 'rows', '12345678'],
  [2.5, 'count', '2.5'],
])('%s in %s reads %s', (value, unit, text) => {
  expect(formatQuantity(value, unit)).toBe(text);
});

test.each([
  [null, '-'],
  [0, '0x'],
  [0.0614, '0.061x'],
  [0.5, '0.500x'],
  [1, '1.000x'],
  [9.9994, '9.999x'],
  [9.9996, '10.0x'],
  [12.3456, '12.3x'],
  [1234.5, '1230x'],
  [0.00042, '0.00042x'],
  [0.0099, '0.0099x'],
])('the ratio %s reads %s', (ratio, text) => {
  expect(formatRatio(ratio)).toBe(text);
});

test.each([
  [0.9812, 1.1124, '[0.981..1.112]'],
  [0, 0.0042, '[0..0.0042]'],
  [9.5, 120, '[9.500..120]'],
])('the interval from %s to %s reads %s', (low, high, text) => {
  expect(formatInterval(low, high)).toBe(text);
});

test.each([
  [0.75, '75%'],
  [0.9375, '93.75%'],
  [0.984375, '98.44%'],
  [0.95, '95%'],
])('the share %s reads %s', (share, text) => {
  expect(formatPercent(share)).toBe(text);
});
