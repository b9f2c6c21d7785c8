// Order statistics and ratios of timing samples. Nearest rank: every percentile is a value that was measured.

/**
 * The nearest-rank percentile: the smallest sample with at least `percent` of the samples at or below it.
 * With fewer than 100 samples p99 is the maximum. Null without samples.
 */
export function percentile(samples: readonly number[], percent: number): number | null {
  if (samples.length === 0) return null;
  const sorted = samples.toSorted((a, b) => a - b);
  const rank = Math.max(1, Math.ceil((percent * sorted.length) / 100));
  return sorted[rank - 1] ?? null;
}

/** Milliseconds to the microsecond, which is what the clock can tell. */
export function roundMs(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}

/** Null where it cannot be computed. */
export function ratio(dividend: number | null, divisor: number | null): number | null {
  return dividend === null || divisor === null || divisor === 0 ? null : dividend / divisor;
}
