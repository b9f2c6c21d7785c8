import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { DeltaSnapshot, JsonPlusSerializer } from '@langchain/langgraph-checkpoint';
import { expect, it } from 'vitest';
import { isFaithful } from './faithful.js';

const serde = new JsonPlusSerializer();

async function returned(value: unknown): Promise<unknown> {
  const [type, bytes] = await serde.dumpsTyped({ value });
  return ((await serde.loadsTyped(type, bytes)) as { value: unknown }).value;
}

it.each([
  ['data', { text: 'a', list: [1, null, true, { deep: 'b' }], none: undefined, half: '\ud800' }],
  ['a message', new HumanMessage({ id: '1', content: 'a', additional_kwargs: { x: 1 } })],
  [
    'a call',
    new AIMessage({ id: '2', content: '', tool_calls: [{ id: 'c', name: 'look', args: { a: 1 } }] }),
  ],
  ['a result', new ToolMessage({ id: '3', content: 'b', tool_call_id: 'c', artifact: { y: [2] } })],
  ['a snapshot', new DeltaSnapshot([new HumanMessage({ id: '1', content: 'a' })])],
])('takes %s, which comes back as it is', async (_, value) => {
  expect(isFaithful(value)).toBe(true);
  expect(await returned(value)).toEqual(value);
});

it.each([
  ['a date', new Date(0)],
  ['NaN', Number.NaN],
  ['-0', -0],
  ['a mark of the serializer', { lc: 2, type: 'undefined' }],
  ['something in a message', new ToolMessage({ content: '', tool_call_id: 'c', artifact: new Date(0) })],
  ['something in a snapshot', new DeltaSnapshot([Number.POSITIVE_INFINITY])],
  ['something deep', [[{ a: [new Date(0)] }]]],
])('refuses %s, which does not', async (_, value) => {
  expect(isFaithful(value)).toBe(false);
  expect(await returned(value)).not.toEqual(value);
});

it.each([
  ['a function', () => 1],
  ['a symbol', Symbol('a')],
  ['a BigInt', 1n],
  ['bytes', new Uint8Array(2)],
  [
    'an object of a class',
    new (class Own {
      text = 'a';
    })(),
  ],
])('refuses %s, which it is not sure of', (_, value) => {
  expect(isFaithful(value)).toBe(false);
});
