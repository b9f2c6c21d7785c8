// How steady the clock and this process are: a busy loop reads the clock, and every gap between two readings is time in
// which something else had the processor.

import { percentile } from '../../../harness/record/percentile.js';
import type { CheckResult } from './check.js';

const MEASURED_MS = 500;
/** The loop is compiled meanwhile. */
const WARM_UP_MS = 50;
/** Well above a reading, which takes less than a microsecond. */
const GAP_MS = 0.02;

/**
 * A read that is timed takes from one millisecond on. A gap of one millisecond that strikes one of a hundred of them
 * doubles it, and the p95 of an update then tells of the machine.
 */
const NOISY_GAP_MS = 1;
/** A hundredth of what is timed. */
const COARSE_STEP_MS = 0.01;

export interface TimerNoise {
  readonly stretches: number;
  /** Smallest step of the clock that was seen. */
  readonly stepMs: number;
  /** Of the longest gap in each stretch of a millisecond: its 99th percentile, and the longest. */
  readonly p99GapMs: number;
  readonly maxGapMs: number;
  /** Share of all time in gaps of at least 0.02 ms. */
  readonly lostShare: number;
}

export function checkTimer(): CheckResult[] {
  const now = () => performance.now();
  measureTimer(now, WARM_UP_MS);
  return [judgeTimer(measureTimer(now, MEASURED_MS))];
}

/** Keeps the processor busy for `durationMs` of the clock `now`. */
export function measureTimer(now: () => number, durationMs: number): TimerNoise {
  const longest: number[] = [];
  const start = now();
  let [last, stepMs, lostMs, longestMs, stretchEnd] = [start, Infinity, 0, 0, start + 1];
  while (last - start < durationMs) {
    const reading = now();
    const gap = reading - last;
    last = reading;
    if (gap > 0 && gap < stepMs) stepMs = gap;
    if (gap > longestMs) longestMs = gap;
    if (gap >= GAP_MS) lostMs += gap;
    if (reading < stretchEnd) continue;
    longest.push(longestMs);
    longestMs = 0;
    stretchEnd = reading + 1;
  }
  return {
    stretches: longest.length,
    stepMs,
    p99GapMs: percentile(longest, 99) ?? 0,
    maxGapMs: percentile(longest, 100) ?? 0,
    lostShare: lostMs / (last - start),
  };
}

export function judgeTimer({ stretches, stepMs, p99GapMs, maxGapMs, lostShare }: TimerNoise): CheckResult {
  const facts = {
    stretches,
    clock_step_ns: Math.round(stepMs * 1e6),
    p99_gap_ms: round(p99GapMs),
    max_gap_ms: round(maxGapMs),
    lost_share: round(lostShare),
  };
  const found =
    `In 99 of 100 stretches of a millisecond this process stood still for at most ${facts.p99_gap_ms} ms at once, ` +
    `at the longest for ${facts.max_gap_ms} ms; the clock has steps of ${facts.clock_step_ns} ns.`;
  const isNoisy = p99GapMs > NOISY_GAP_MS;
  const isCoarse = stepMs > COARSE_STEP_MS;
  const why = [
    ...(isNoisy
      ? [`More than ${NOISY_GAP_MS} ms is as long as a short read: times then tell of the machine.`]
      : []),
    ...(isCoarse ? [`Steps of more than ${COARSE_STEP_MS} ms blur what takes a millisecond.`] : []),
  ];
  return {
    check: 'timer',
    status: why.length > 0 ? 'warning' : 'fine',
    what: [found, ...why].join(' '),
    facts,
    fix: why.length > 0 ? 'run nothing else beside a measurement, or take more --repetitions' : null,
  };
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
