import { describe, expect, it } from 'vitest';
import { compareStates, errorSignature, nameElements } from './compare.js';

function signature(
  expected: readonly unknown[],
  actual: readonly unknown[],
  parallel: readonly (readonly string[])[] = [],
): string | null {
  const want = nameElements({ channels: { items: expected }, parallel });
  return compareStates(want, { items: actual })?.signature ?? null;
}

describe('a state that is not what it must be has a signature', () => {
  it('is null for equal states, whatever the order of keys in a map', () => {
    expect(signature(['a', { id: 'm', x: 1, y: 2 }], ['a', { y: 2, id: 'm', x: 1 }])).toBeNull();
    const want = nameElements({ channels: { files: { b: 1, a: 2 } } });
    expect(compareStates(want, { files: { a: 2, b: 1 } })).toBeNull();
  });

  it.each([
    ['loss', ['a', 'b', 'c'], ['a', 'c'], 'items: missing[b]'],
    ['a leak', ['a'], ['a', 'x'], 'items: extra[x]'],
    ['a duplicate', ['a', 'b'], ['a', 'b', 'b'], 'items: extra[b]'],
    ['loss of one of two equal elements', ['a', 'a'], ['a'], 'items: missing[a]'],
    ['order', ['a', 'b'], ['b', 'a'], 'items: order'],
    ['loss and order at once', ['a', 'b', 'c'], ['c', 'a'], 'items: missing[b] order'],
    ['another value under the same id', [{ id: 'm', v: 1 }], [{ id: 'm', v: 2 }], 'items: changed[m]'],
    ['a value of another type', ['1'], [1], 'items: changed[1]'],
    ['everything gone', ['a'], [], 'items: missing[a]'],
  ])('names %s', (_, expected, actual, text) => {
    expect(signature(expected, actual)).toBe(text);
  });

  it('tells order within what one superstep wrote from every other', () => {
    const parallel = [['b', 'c', 'd']];
    expect(signature(['a', 'b', 'c', 'd', 'e'], ['a', 'd', 'b', 'c', 'e'], parallel)).toBe(
      'items: order within a superstep',
    );
    expect(signature(['a', 'b', 'c', 'd', 'e'], ['b', 'a', 'c', 'd', 'e'], parallel)).toBe('items: order');
    const two = [
      ['a', 'b'],
      ['c', 'd'],
    ];
    expect(signature(['a', 'b', 'c', 'd'], ['c', 'd', 'a', 'b'], two)).toBe('items: order');
  });

  it('does not hide a loss behind such an order', () => {
    expect(signature(['a', 'b', 'c'], ['c', 'a'], [['a', 'b', 'c']])).toBe(
      'items: missing[b] order within a superstep',
    );
  });

  it('names every channel that differs, and shows what was expected and found', () => {
    const want = nameElements({ channels: { items: ['a'], files: { f: 1 } } });
    expect(compareStates(want, { items: [], files: {}, other: ['x'] })).toEqual({
      signature: 'items: missing[a]; files: missing[f]; other: extra[x]',
      expected: 'items [a]; files [f]; other []',
      actual: 'items []; files []; other [x]',
    });
  });

  it('counts what is too long to name', () => {
    const many = Array.from({ length: 20 }, (_, index) => `n${index}`);
    expect(signature(many, [])).toBe('items: missing[n0,n1,n2,…,n19: 20]');
  });
});

it('an error is its first line, without the ids of one run', () => {
  const error = new TypeError('no checkpoint 1f0b3c4d-0000-6000-8000-00000000000a\nat somewhere');
  expect(errorSignature(error)).toBe('throws[TypeError: no checkpoint <id>]');
});

it('throws an error of the machine, by which no saver is judged', () => {
  for (const code of ['SQLITE_FULL', 'ECONNRESET', '53100']) {
    const error = Object.assign(new Error('database or disk is full'), { code });
    expect(() => errorSignature(error)).toThrow(error);
  }
  expect(errorSignature(Object.assign(new Error('x'), { code: 'SQLITE_ERROR' }))).toBe('throws[Error: x]');
});
