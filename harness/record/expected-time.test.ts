import { expect, test } from 'vitest';
import type { ThreadShape } from './expected-bytes.js';
import { expectedCaseMs } from './expected-time.js';

function shape(updates: number, snapshotFrequency: number | null, payloadBytes = 128): ThreadShape {
  const elementBytes = payloadBytes + 197.5;
  return { updates, elementBytes, checkpointEnvelopeBytes: 306, snapshotFrequency, heldAfter: [0, 1, 1] };
}

/** The case without its processes, which cost the same whatever it does. */
function writingAndReadingMs(s: ThreadShape): number {
  return expectedCaseMs(s, 0, 0) - 700;
}

test('a full case of two updates is what the formula gives by hand', () => {
  // m = 1000 bytes, so L = 0.09 and S = 0.028. Two processes, 6 checkpoints, one message loaded, 3 + 2*2 dumped, and
  // three reads of 2L.
  expect(expectedCaseMs(shape(2, null, 802.5), 1, 2)).toBeCloseTo(1400 + 9 + 0.09 + 7 * 0.028 + 0.54, 9);
});

test('a delta case of three updates at K=2 is what the formula gives by hand', () => {
  // 9 checkpoints, 1 + 2 messages loaded, one update walked back over 3 ancestors at 0.08, one snapshot of two
  // messages, three reads of 3L and 3 ancestors, and 48 pinned ones, on average in the middle of a cadence.
  const reads = (3 + 48) * (0.27 + 0.24);
  expect(expectedCaseMs(shape(3, 2, 802.5), 1, 2)).toBeCloseTo(1400 + 13.5 + 0.27 + 0.24 + 0.056 + reads, 9);
});

test('a full case takes longer with every further update', () => {
  const times = Array.from({ length: 300 }, (_, index) => expectedCaseMs(shape(index + 1, null), 3, 30));

  expect(times.every((time, index) => index === 0 || time > (times[index - 1] as number))).toBe(true);
});

test('a delta case takes longer with every further snapshot', () => {
  const times = Array.from({ length: 30 }, (_, index) => expectedCaseMs(shape((index + 1) * 10, 10), 3, 30));

  expect(times.every((time, index) => index === 0 || time > (times[index - 1] as number))).toBe(true);
});

test.each([null, 1, 10, 1000])('a case takes longer with a larger payload, at K=%s', (k) => {
  const times = [1, 2, 128, 2048, 65_536].map((bytes) => expectedCaseMs(shape(100, k, bytes), 3, 30));

  expect(times.every((time, index) => index === 0 || time > (times[index - 1] as number))).toBe(true);
});

test('full mode grows with the square of the updates once they are many', () => {
  const growth =
    writingAndReadingMs(shape(20_000, null, 2048)) / writingAndReadingMs(shape(10_000, null, 2048));

  expect(growth).toBeGreaterThan(3.9);
  expect(growth).toBeLessThan(4);
});

test('delta mode at a small cadence is faster than full mode', () => {
  expect(writingAndReadingMs(shape(500, 10, 2048))).toBeLessThan(writingAndReadingMs(shape(500, null, 2048)));
});

test('K=1000 is slower than K=10 for 500 updates, since every update then walks the whole thread', () => {
  expect(expectedCaseMs(shape(500, 1000), 3, 30)).toBeGreaterThan(expectedCaseMs(shape(500, 10), 3, 30));
});

test('every reader adds the start of a process and one read of the head', () => {
  const s = shape(2, null, 802.5);

  expect(expectedCaseMs(s, 3, 0) - expectedCaseMs(s, 0, 0)).toBeCloseTo(3 * (700 + 0.18), 9);
});

test('on a server every checkpoint, byte and ancestor takes longer', () => {
  for (const k of [null, 10])
    expect(expectedCaseMs(shape(100, k), 3, 30, { isOnServer: true })).toBeGreaterThan(
      expectedCaseMs(shape(100, k), 3, 30),
    );
});
