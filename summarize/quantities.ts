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

/**
 * A delta/full ratio as `0.061x`: three decimals, from 10 on three significant digits, and below 0.01 two, so that
 * small is not shown as zero.
 */
export function formatRatio(ratio: number | null): string {
  return ratio === null ? ABSENT : `${ratioDigits(ratio)}x`;
}

/** The ends of an interval of ratios as `[0.059..0.063]`. */
export function formatInterval(low: number, high: number): string {
  return `[${ratioDigits(low)}..${ratioDigits(high)}]`;
}

/** A share as a percentage of at most two decimals. */
export function formatPercent(share: number): string {
  return `${Number((share * 100).toFixed(2))}%`;
}

/** A share of a whole, to a tenth of a percent. */
export function formatShare(share: number | null): string {
  return share === null ? ABSENT : `${(share * 100).toFixed(1)}%`;
}

function ratioDigits(ratio: number): string {
  if (ratio === 0) return '0';
  const size = Math.abs(ratio);
  if (size < 0.01) return ratio.toPrecision(2);
  // As rounded: 9.9996 has the three decimals of 10.
  return size < 9.9995 ? ratio.toFixed(3) : threeDigits(ratio);
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
