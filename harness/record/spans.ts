// Arithmetic over spans of time, in milliseconds of one clock: how long something was going on when calls overlap. Pure.

export interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

/** Milliseconds in which at least one of the spans was open: overlapping calls count once. */
export function mergedMs(spans: readonly Span[]): number {
  const sorted = spans.toSorted((a, b) => a.startMs - b.startMs);
  let total = 0;
  let coveredUntil = -Infinity;
  for (const { startMs, endMs } of sorted) {
    if (endMs <= coveredUntil) continue;
    total += endMs - Math.max(startMs, coveredUntil);
    coveredUntil = endMs;
  }
  return total;
}
