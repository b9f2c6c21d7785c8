import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { historyKey, threadKeys } from './history-cache.js';
import { MemoryHistoryCache } from './memory-history-cache.js';

const PLACE = { threadId: 'a-1_b.c', namespace: 'sub', checkpointId: 'c1' };

it('names an entry by prefix, thread and the first digits of a hash', () => {
  const hash = createHash('sha256').update('sub\0c1\0items').digest('hex').slice(0, 24);
  expect(historyKey('p', PLACE, 'items')).toBe(`p:a-1_b.c:${hash}`);
});

it('takes no thread for a part of another key or for a pattern', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
      const keys = threadKeys('p', a);
      expect(keys).toMatch(/^p:[A-Za-z0-9_.%-]*:$/);
      expect(historyKey('p', { ...PLACE, threadId: b }, 'items').startsWith(keys)).toBe(a === b);
    }),
  );
});

it.each([-1, 1.5, Number.NaN])('refuses a limit of %s', (limit) => {
  expect(() => new MemoryHistoryCache({ maxEntries: limit })).toThrow(RangeError);
  expect(() => new MemoryHistoryCache({ maxBytes: limit })).toThrow(RangeError);
});

const history = (...texts: string[]) => ({
  writes: texts.map((text): [string, string, string] => ['t', 'c', text]),
});

it('keeps what was used last: a hit and a write both count', async () => {
  const cache = new MemoryHistoryCache({ maxEntries: 2 });
  await cache.set(new Map([['a', history('1')]]));
  await cache.set(new Map([['b', history('2')]]));
  await cache.get(['a']);
  await cache.set(new Map([['c', history('3')]]));
  expect(await cache.get(['a', 'b', 'c'])).toEqual([history('1'), null, history('3')]);
  await cache.set(new Map([['a', history('1')]]));
  await cache.set(new Map([['d', history('4')]]));
  expect(await cache.get(['a', 'c', 'd'])).toEqual([history('1'), null, history('4')]);
  expect(cache.stats()).toMatchObject({ hits: 5, misses: 2, evictions: 2, entries: 2 });
});

it('is bounded by bytes, and keeps nothing larger than all of them', async () => {
  const cache = new MemoryHistoryCache({ maxBytes: 1000 });
  await cache.set(new Map([['large', history('x'.repeat(1001))]]));
  expect(cache.stats()).toMatchObject({ entries: 0, bytes: 0 });
  await cache.set(new Map([['a', history('x'.repeat(500))]]));
  await cache.set(new Map([['b', history('x'.repeat(500))]]));
  expect(cache.stats()).toMatchObject({ entries: 1, evictions: 1 });
  expect(await cache.get(['a', 'b'])).toEqual([null, history('x'.repeat(500))]);
});

it('counts strings, keys and nested values, and a circle once', async () => {
  const circle: Record<string, unknown> = { text: 'x'.repeat(100) };
  circle['self'] = [circle, new Map([['key', new Uint8Array(50)]])];
  const cache = new MemoryHistoryCache();
  await cache.set(new Map([['a', { seed: circle, writes: [] }]]));
  expect(cache.stats().bytes).toBeGreaterThan(160);
  expect(cache.stats().bytes).toBeLessThan(600);
});
