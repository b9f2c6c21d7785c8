import { isDeepStrictEqual } from 'node:util';
import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { expect, it } from 'vitest';
import { copyOf } from './copy-of.js';

it.each([
  ['a message', () => new AIMessage({ id: 'm', content: [{ type: 'text', text: 'a' }], tool_calls: [] })],
  ['a list of plain data', () => [1, 'a', null, undefined, -0, { a: [{ b: 2n }] }]],
  ['a map and a set', () => new Map<unknown, unknown>([['a', new Set([{ b: 1 }])]])],
  ['dates, expressions and bytes', () => [new Date(0), /a/g, new Uint8Array([1, 2]), new ArrayBuffer(2)]],
  ['a sparse list', () => Object.assign([], { 2: 'c' })],
])('copies %s as it is, and shares nothing with it', (_, make) => {
  const original = make();
  const copy = copyOf(original);
  expect(isDeepStrictEqual(copy, original)).toBe(true);
  expect(copy).not.toBe(original);
  expect(sharedObjects(copy, original)).toEqual([]);
});

it('keeps what is the same object the same, also in a cycle', () => {
  const one = { name: 'one', self: null as unknown };
  one.self = one;
  const [first, second] = copyOf([one, one]);
  expect(first).toBe(second);
  expect(first?.self).toBe(first);
  expect(first).not.toBe(one);
});

it('copies a message as a message', () => {
  expect(HumanMessage.isInstance(copyOf(new HumanMessage('hi')))).toBe(true);
});

function sharedObjects(copy: unknown, original: unknown): unknown[] {
  const objects = new Set(objectsIn(original));
  return objectsIn(copy).filter((object) => objects.has(object));
}

function objectsIn(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const items = value instanceof Map || value instanceof Set ? [...value].flat() : Object.values(value);
  return [value, ...items.flatMap(objectsIn)];
}
