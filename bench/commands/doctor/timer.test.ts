import { expect, it } from 'vitest';
import { checkTimer, judgeTimer, measureTimer } from './timer.js';

/** A clock in steps of 0.01 ms that stands still for `gapMs` once in every `everyMs`. */
function clock(gapMs: number, everyMs: number): () => number {
  let [steps, gaps] = [0, 0];
  return () => {
    steps += 1;
    const ms = steps / 100;
    if (ms >= (gaps + 1) * everyMs) gaps += 1;
    return ms + gaps * gapMs;
  };
}

it('finds the gaps of a clock, how often they are and what share of the time they take', () => {
  const noise = measureTimer(clock(2, 10), 1200);
  expect(noise.stepMs).toBeCloseTo(0.01);
  expect(noise.p99GapMs).toBeCloseTo(2.01);
  expect(noise.maxGapMs).toBeCloseTo(2.01);
  expect(noise.lostShare).toBeCloseTo(2.01 / 12, 2);
});

it('does not take one long gap in many for the rule', () => {
  const noise = measureTimer(clock(5, 400), 500);
  expect(noise.p99GapMs).toBeLessThan(0.02);
  expect(noise.maxGapMs).toBeCloseTo(5.01);
  expect(judgeTimer({ ...noise, stepMs: 0.001 })).toMatchObject({ status: 'fine', fix: null });
});

const QUIET = { stretches: 500, stepMs: 0.00004, p99GapMs: 0.1, maxGapMs: 1.8, lostShare: 0.05 };

it('warns where gaps of a millisecond are common, and where the clock is coarse', () => {
  expect(judgeTimer(QUIET)).toMatchObject({ status: 'fine', facts: { clock_step_ns: 40, max_gap_ms: 1.8 } });
  expect(judgeTimer({ ...QUIET, p99GapMs: 1.2 })).toMatchObject({
    status: 'warning',
    what: expect.stringContaining('times then tell of the machine'),
    fix: expect.stringContaining('--repetitions'),
  });
  expect(judgeTimer({ ...QUIET, stepMs: 0.1 })).toMatchObject({
    status: 'warning',
    what: expect.stringContaining('Steps of more than 0.01 ms'),
  });
});

it('takes about half a second of the real clock', () => {
  const startedAt = performance.now();
  const [{ facts }] = checkTimer() as [ReturnType<typeof judgeTimer>];
  const tookMs = performance.now() - startedAt;
  expect(tookMs).toBeGreaterThan(500);
  expect(tookMs).toBeLessThan(10_000);
  expect(facts['stretches']).toBeGreaterThan(0);
  expect(facts['clock_step_ns']).toBeGreaterThan(0);
});
