import { createHash } from 'node:crypto';
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { expect, test } from 'vitest';
import {
  MESSAGE_FIELDS,
  digestState,
  messageRecord,
  sha256Hex,
  type MessageField,
  type MessageRecord,
} from './digest.js';

/** Every field with a value, and another value it could have instead. */
const FIELDS: Readonly<Record<MessageField, readonly [value: unknown, other: unknown]>> = {
  id: ['m1', 'm2'],
  type: ['ai', 'human'],
  content: ['text', [{ type: 'text', text: 'text' }]],
  name: ['ada', 'eve'],
  tool_calls: [
    [{ name: 'search', args: { q: 1 }, id: 'c1' }],
    [{ name: 'search', args: { q: 2 }, id: 'c1' }],
  ],
  invalid_tool_calls: [[{ name: 'x' }], []],
  tool_call_id: ['c1', 'c2'],
  status: ['success', 'error'],
  artifact: [{ rows: 1 }, { rows: 1n }],
  additional_kwargs: [{}, { refusal: null }],
  response_metadata: [{ model: 'a' }, { model: 'b' }],
  usage_metadata: [{ input_tokens: 1 }, { input_tokens: 2 }],
};

const FULL: MessageRecord = Object.fromEntries(
  Object.entries(FIELDS).map(([field, [value]]) => [field, value]),
);

/** An object as LangChain's messages are, with these fields. */
function likeMessage(fields: object): object {
  return Object.assign(
    Object.create({ getType: () => 'human' }) as object,
    { lc_serializable: true },
    fields,
  );
}

function sha(...messages: MessageRecord[]): string {
  return digestState({ messages }).sha256;
}

test('the digest is the sha256 of the canonical text, with the number of elements', () => {
  const text = '{"files":{"a":"1"},"messages":[{"content":"hello","id":"m1","type":"human"},{"id":"m2"}]}';
  const messages = [{ type: 'human', id: 'm1', content: 'hello' }, { id: 'm2' }];

  expect(digestState({ messages, files: { a: '1' } })).toEqual({
    sha256: createHash('sha256').update(text, 'utf8').digest('hex'),
    count: 3,
  });
});

test('the digest of a state without channels is that of an empty object', () => {
  expect(digestState({})).toEqual({
    sha256: '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
    count: 0,
  });
});

test('sha256Hex prints lower-case hex over text and over bytes', () => {
  const hex = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';

  expect(sha256Hex('hello')).toBe(hex);
  expect(sha256Hex(Buffer.from('hello'))).toBe(hex);
});

test.each(MESSAGE_FIELDS)('another %s gives another digest', (field) => {
  const [value, other] = FIELDS[field];
  const { [field]: _, ...without } = FULL;

  expect(new Set([sha(FULL), sha({ ...FULL, [field]: other }), sha(without)]).size).toBe(3);
  expect(sha({ ...without, [field]: value })).toBe(sha(FULL));
});

test.each(MESSAGE_FIELDS)('%s is taken from a message object', (field) => {
  const [value] = FIELDS[field];

  expect(messageRecord(likeMessage({ [field]: value }))).toEqual({ [field]: value });
});

test('an undefined field equals an absent one, null does not', () => {
  expect(messageRecord(likeMessage({ id: 'm1', name: undefined }))).toEqual({ id: 'm1' });
  expect(sha({ id: 'm1', name: undefined })).toBe(sha({ id: 'm1' }));
  expect(messageRecord(likeMessage({ id: 'm1', name: null }))).toEqual({ id: 'm1', name: null });
  expect(sha({ id: 'm1', name: null })).not.toBe(sha({ id: 'm1' }));
});

test('order, number and repetition of messages matter', () => {
  const [a, b] = [{ id: 'a' }, { id: 'b' }];
  const digests = [sha(), sha(a), sha(a, a), sha(a, b), sha(b, a), sha(a, b, a), sha({}), sha({}, {})];

  expect(new Set(digests).size).toBe(digests.length);
});

test('the order in which the fields of a message were set does not matter', () => {
  expect(sha({ id: 'a', type: 'ai' })).toBe(sha({ type: 'ai', id: 'a' }));
});

test('a field that a class gives through a getter is covered', () => {
  class Message {
    readonly lc_serializable = true;
    readonly id = 'm1';
    getType(): string {
      return 'human';
    }
    get type(): string {
      return 'human';
    }
  }

  expect(messageRecord(new Message())).toEqual({ id: 'm1', type: 'human' });
});

test('fields beyond the covered ones are left out, and what is no message gives an empty record', () => {
  expect(messageRecord(likeMessage({ id: 'a', lc_kwargs: { id: 'b' }, extra: 1 }))).toEqual({ id: 'a' });
  expect([null, undefined, 'text', 1].map(messageRecord)).toEqual([{}, {}, {}, {}]);
  expect(messageRecord({ id: 'a', type: 'human', content: 'as data only' })).toEqual({});
});

test('the covered fields are read from LangChain’s own classes, getters and defaults included', () => {
  expect(messageRecord(new HumanMessage({ id: 'h', content: 'hi', name: 'ada' }))).toEqual({
    id: 'h',
    type: 'human',
    content: 'hi',
    name: 'ada',
    additional_kwargs: {},
    response_metadata: {},
  });
  const usage = { input_tokens: 1, output_tokens: 2, total_tokens: 3 };
  const call = { name: 'search', args: { q: 'x' }, id: 'c1', type: 'tool_call' as const };
  const answer = new AIMessage({ id: 'a', content: '', tool_calls: [call] });
  expect(messageRecord(Object.assign(answer, { usage_metadata: usage }))).toEqual({
    id: 'a',
    type: 'ai',
    content: '',
    tool_calls: [call],
    invalid_tool_calls: [],
    additional_kwargs: {},
    response_metadata: {},
    usage_metadata: usage,
  });
  expect(
    messageRecord(
      new ToolMessage({ id: 't', content: 'no', tool_call_id: 'c1', status: 'error', artifact: [1] }),
    ),
  ).toEqual({
    id: 't',
    type: 'tool',
    content: 'no',
    tool_call_id: 'c1',
    status: 'error',
    artifact: [1],
    additional_kwargs: {},
    response_metadata: {},
  });
});
