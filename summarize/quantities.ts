// Numbers as a reader takes them in: three significant digits, decimal units, a dash where there is none.

import type { MetricUnit } from '../harness/record/metrics.js';

const ABSENT = '-';
const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** A metric's value with its unit; rows and counts are exact. */
export function formatQuantity(value: number | null, unit: MetricUnit): string {
  if (value === null) return ABSENT;
  switch (unit) {
    case 'bytes':
      return formatBytes(value);
    case 'ms':
      return `${threeDigits(value)} ms`;
    case 'ratio':
      return threeDigits(value);
    case 'rows':
    case 'count':
      return String(value);
  }
}

/** A delta/full ratio as `0.061x`; below 0.01 with two significant digits, so that small is not shown as zero. */
export function formatRatio(ratio: number | null): string {
  if (ratio === null) return ABSENT;
  if (ratio === 0) return '0x';
  return `${Math.abs(ratio) < 0.01 ? ratio.toPrecision(2) : ratio.toFixed(3)}x`;
}

/** Bytes in decimal units: 1 kB is 1000 bytes. */
function formatBytes(bytes: number): string {
  let value = bytes;
  for (const unit of BYTE_UNITS) {
    const rounded = Number(value.toPrecision(3));
    // Compared as rounded: 999.7 kB has the three digits of 1.00 MB.
    if (Math.abs(rounded) < 1000) return `${unit === 'B' ? rounded : threeDigits(value)} ${unit}`;
    value /= 1000;
  }
  return `${threeDigits(value)} PB`;
}

/** Three significant digits, trailing zeros kept, never an exponent. */
function threeDigits(value: number): string {
  if (value === 0) return '0';
  const rounded = Number(value.toPrecision(3));
  if (Math.abs(rounded) >= 1000) return String(rounded);
  const decimals = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(rounded))));
  return rounded.toFixed(Math.min(decimals, 20));
}
