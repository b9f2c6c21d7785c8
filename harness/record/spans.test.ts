import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mergedMs } from './spans.js';

const span = (startMs: number, endMs: number) => ({ startMs, endMs });

it.each([
  ['nothing', [], 0],
  ['one span', [span(2, 5)], 3],
  ['spans apart', [span(6, 7), span(2, 5)], 4],
  ['spans that touch', [span(2, 5), span(5, 7)], 5],
  ['spans that overlap', [span(4, 7), span(2, 5)], 5],
  ['a span inside another', [span(2, 7), span(3, 4)], 5],
  ['a span that took no time', [span(3, 3)], 0],
])('%s', (_, spans, ms) => {
  expect(mergedMs(spans)).toBe(ms);
});

it('counts every instant that some span covers, once', () => {
  const spans = fc.array(
    fc.tuple(fc.nat(60), fc.nat(20)).map(([start, length]) => span(start, start + length)),
  );
  fc.assert(
    fc.property(spans, (all) => {
      const covered = new Set<number>();
      for (const { startMs, endMs } of all) for (let ms = startMs; ms < endMs; ms += 1) covered.add(ms);
      expect(mergedMs(all)).toBe(covered.size);
    }),
  );
});
