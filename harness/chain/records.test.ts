import { expect, test } from 'vitest';
import { mayHoldSnapshot, storedValues, type CheckpointRecord, type StoredValue } from './records.js';

function checkpoint(payload: string | Uint8Array): CheckpointRecord {
  return {
    kind: 'checkpoint',
    namespace: '',
    checkpointId: 'c1',
    parentId: null,
    payload: typeof payload === 'string' ? Buffer.from(payload) : payload,
    metadataBytes: 2,
  };
}

/** The values of a payload whose channel values are this JSON text. */
function valuesOf(channelValues: string): [string, StoredValue][] {
  return [...storedValues(checkpoint(`{"v":4,"channel_values":${channelValues}}`))];
}

test('channel values are told apart into snapshots and plain values, with their JSON text', () => {
  const snapshot = '{"lc":2,"type":"delta_snapshot","value":[{"id":"m1","content":"é"}]}';

  expect(valuesOf(`{"messages":${snapshot},"files":{"a":1},"list":[],"branch:to:x":null,"n":0}`)).toEqual([
    ['messages', { kind: 'snapshot', json: snapshot }],
    ['files', { kind: 'plain', json: '{"a":1}' }],
    ['list', { kind: 'plain', json: '[]' }],
    ['branch:to:x', { kind: 'plain', json: 'null' }],
    ['n', { kind: 'plain', json: '0' }],
  ]);
});

test('a checkpoint without channel values in its object has none', () => {
  expect(valuesOf('{}')).toEqual([]);
});

test.each([
  ['another version', '{"lc":1,"type":"delta_snapshot","value":[]}'],
  ['a version as text', '{"lc":"2","type":"delta_snapshot","value":[]}'],
  ['another type', '{"lc":2,"type":"undefined"}'],
  ['the record one level deeper', '[{"lc":2,"type":"delta_snapshot","value":[]}]'],
  ['the record as text', JSON.stringify('{"lc":2,"type":"delta_snapshot","value":[]}')],
  ['inherited properties', '{"__proto__":{"lc":2,"type":"delta_snapshot","value":[]}}'],
  ['half in a prototype', '{"lc":2,"__proto__":{"type":"delta_snapshot"}}'],
])('a value with %s is no snapshot', (_, json) => {
  expect(valuesOf(`{"messages":${json}}`)).toEqual([['messages', { kind: 'plain', json }]]);
});

test('a channel named __proto__ is a channel, and changes no object', () => {
  expect(valuesOf('{"__proto__":{"polluted":1},"messages":[]}')).toEqual([
    ['__proto__', { kind: 'plain', json: '{"polluted":1}' }],
    ['messages', { kind: 'plain', json: '[]' }],
  ]);
  expect({}).not.toHaveProperty('polluted');
});

test('channel values that stand in a prototype only are not found', () => {
  const inherited = checkpoint('{"__proto__":{"channel_values":{"messages":[]}}}');

  expect(() => storedValues(inherited)).toThrow(new TypeError('Checkpoint c1 has no channel_values.'));
});

test('what every object inherits is no part of a payload', () => {
  const prototype = Object.prototype as { lc?: number; type?: string; channel_values?: object };
  Object.assign(prototype, { lc: 2, type: 'delta_snapshot', channel_values: { planted: 1 } });
  try {
    expect(valuesOf('{"messages":{}}')).toEqual([['messages', { kind: 'plain', json: '{}' }]]);
    expect(() => storedValues(checkpoint('{}'))).toThrow(/no channel_values/);
  } finally {
    delete prototype.lc;
    delete prototype.type;
    delete prototype.channel_values;
  }
});

test.each(['{}', 'null', '[]', '"channel_values"', '{"channel_values":null}', '{"channel_values":"x"}'])(
  'the payload %s has no channel values, which is said with the checkpoint',
  (payload) => {
    expect(() => storedValues(checkpoint(payload))).toThrow(
      new TypeError('Checkpoint c1 has no channel_values.'),
    );
  },
);

test.each(['', '{"channel_values":{}', 'x'])('the payload %j is not JSON', (payload) => {
  expect(() => storedValues(checkpoint(payload))).toThrow(SyntaxError);
});

test('nothing of a payload is revived', () => {
  const constructor =
    '{"lc":1,"type":"constructor","id":["langchain_core","messages","HumanMessage"],"kwargs":{}}';

  expect(valuesOf(`{"messages":[${constructor}]}`)).toEqual([
    ['messages', { kind: 'plain', json: `[${constructor}]` }],
  ]);
});

test.each([
  ['a snapshot', '{"lc":2,"type":"delta_snapshot","value":[]}', true],
  ['a message that speaks of one as data', '[{"type":"delta_snapshot"}]', true],
  ['a message whose text quotes one', JSON.stringify(['say "delta_snapshot" to it']), false],
  ['no mark', '[]', false],
])('%s is taken for a possible snapshot, or not, without parsing', (_, json, expected) => {
  expect(mayHoldSnapshot(checkpoint(`{"channel_values":{"messages":${json}}}`))).toBe(expected);
});

test('only the bytes of a payload itself are searched, wherever they stand in their buffer', () => {
  const around = Buffer.from('"delta_snapshot"{}"delta_snapshot"');

  expect(mayHoldSnapshot(checkpoint(new Uint8Array(around.buffer, around.byteOffset + 16, 2)))).toBe(false);
  expect(mayHoldSnapshot(checkpoint(new Uint8Array(around.buffer, around.byteOffset + 18, 16)))).toBe(true);
});
