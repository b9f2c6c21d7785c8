import { expect, it } from 'vitest';
import { digestState } from './digest.js';
import { renameIds } from './renamed-ids.js';

const UUIDS = ['0cbe1622-892a-429d-86eb-fdfc82a9d096', '897ea50d-1cb7-4d62-9a2e-83bfbdc61f50'] as const;

function messages(first: string, second: string, call: string) {
  return {
    messages: [
      { id: 'question', content: 'hello' },
      { id: first, content: '', tool_calls: [{ id: call, name: 'look', args: {} }] },
      { id: second, content: `saw ${UUIDS[0]}`, tool_call_id: call },
    ],
  };
}

it('names ids by the order in which they come, and wherever they stand', () => {
  const given = { messages: [{ id: 'question', content: 'hello' }] };
  const { state, renamed } = renameIds(messages('run-1', 'run-2', 'call-9'), given);
  expect(renamed).toBe(4);
  expect(state['messages']).toEqual([
    { id: 'question', content: 'hello' },
    { id: 'id-1', content: '', tool_calls: [{ id: 'id-2', name: 'look', args: {} }] },
    { id: 'id-4', content: 'saw id-3', tool_call_id: 'id-2' },
  ]);
});

it('makes states equal that differ in random ids alone', () => {
  const digest = (state: ReturnType<typeof messages>) => digestState(renameIds(state, {}).state).sha256;
  expect(digest(messages('a', 'b', 'c'))).toBe(digest(messages('x', 'y', 'z')));
  // The second message has the id of the first.
  expect(digest(messages('a', 'a', 'c'))).not.toBe(digest(messages('x', 'y', 'z')));
});

it('leaves what the inputs brought, ids and UUIDs inside of texts', () => {
  const state = { notes: [{ id: 'mine', text: `see ${UUIDS[1]}` }] };
  expect(renameIds(state, { seen: ['mine', `about ${UUIDS[1]}`] })).toEqual({ state, renamed: 0 });
});

it('ends where an input contains itself, and renames keys of maps', () => {
  const given: Record<string, unknown> = {};
  given['self'] = given;
  const { state } = renameIds({ files: { [UUIDS[0]]: { id: UUIDS[0] } } }, given);
  expect(state).toEqual({ files: { 'id-1': { id: 'id-1' } } });
});
