import {
  Annotation,
  BinaryOperatorAggregate,
  DeltaChannel,
  MessagesAnnotation,
  MessagesDeltaValue,
  MessagesValue,
  MessagesZodState,
  StateSchema,
  UntrackedValue,
  messagesDeltaReducer,
} from '@langchain/langgraph';
import { createAgent } from 'langchain';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { stateOf } from '../verify/state-of.js';
import { CannotLiftError } from './cannot-lift.js';
import { ScriptedModel, compileAgent, humanTurns, play } from './graphs.support.test.js';
import { withDeltaMessages, type DeltaMessagesOptions } from './with-delta-messages.js';

const DELTA = { mode: 'delta', snapshotFrequency: 3 } as const;
const State = new StateSchema({ messages: MessagesValue });

function lift(definition: unknown, options: DeltaMessagesOptions): unknown {
  return withDeltaMessages(definition as typeof MessagesAnnotation, options);
}

describe('What cannot be lifted', () => {
  const appended = Annotation<string[]>({ reducer: (left, right) => [...left, ...right] });
  const of = (definition: unknown, options: Partial<DeltaMessagesOptions> = {}) => ({ definition, options });
  const noReducer = (kind: string) =>
    `The channel "messages" is a ${kind}, which has no reducer: delta stores writes to be reduced again, so it cannot be lifted.`;
  const alreadyDelta =
    'The channel "messages" is delta already and cannot be lifted: give the definition that full mode uses.';
  const noChannel = (channel: string, others: string) =>
    `The state definition has no channel "${channel}", ${others}: say with the option "channel" which one to lift.`;
  const onlyKinds = (kind: string) =>
    `A StateSchema, an Annotation.Root, a zod object or a map of channels can be lifted, and this is ${kind}.`;

  it.each([
    [
      'a StateSchema without the channel',
      of(new StateSchema({ a: z.string(), b: z.string() })),
      noChannel('messages', 'only "a", "b"'),
    ],
    ['an empty StateSchema', of(new StateSchema({})), noChannel('messages', 'none at all')],
    [
      'an Annotation.Root without the channel',
      of(Annotation.Root({ log: appended })),
      noChannel('messages', 'only "log"'),
    ],
    ['a zod object without the channel', of(z.object({ a: z.string() })), noChannel('messages', 'only "a"')],
    [
      'another channel that is not there',
      of(State, { channel: 'chat' }),
      noChannel('chat', 'only "messages"'),
    ],
    [
      'a name that every object has',
      of(State, { channel: 'toString' }),
      noChannel('toString', 'only "messages"'),
    ],
    [
      'a StateSchema with MessagesDeltaValue',
      of(new StateSchema({ messages: MessagesDeltaValue })),
      alreadyDelta,
    ],
    [
      'an Annotation.Root with a DeltaChannel',
      of(Annotation.Root({ messages: new DeltaChannel(messagesDeltaReducer) })),
      alreadyDelta,
    ],
    [
      'what has been lifted',
      of(withDeltaMessages(z.object({ messages: MessagesZodState.shape.messages }), DELTA)),
      alreadyDelta,
    ],
    [
      'a bare schema in a StateSchema',
      of(new StateSchema({ messages: z.array(z.string()) })),
      noReducer('LastValue'),
    ],
    [
      'an UntrackedValue',
      of(new StateSchema({ messages: new UntrackedValue(z.string()) })),
      noReducer('UntrackedValue'),
    ],
    [
      'an Annotation without a reducer',
      of(Annotation.Root({ messages: Annotation<string[]> })),
      noReducer('LastValue'),
    ],
    [
      'a zod schema that is not registered',
      of(z.object({ messages: z.array(z.string()) })),
      noReducer('LastValue'),
    ],
    // createAgent asks the registry about schemas of zod 4 only.
    [
      'MessagesZodState in createAgent',
      of(MessagesZodState, { usedBy: 'createAgent' }),
      noReducer('LastValue'),
    ],
    ['nothing, in a StateGraph', of(undefined), onlyKinds('of type undefined')],
    ['null', of(null), onlyKinds('null')],
    ['a list', of([State]), onlyKinds('a list')],
    [
      'an object of other things',
      of({ channels: {}, a: 1 }),
      onlyKinds('an object with the keys channels, a'),
    ],
    ['an empty object', of({}), onlyKinds('an object without keys')],
    [
      'a schema that is no object',
      of(z.string()),
      /^A StateSchema, .* can be lifted, and this is an object with the keys /,
    ],
    [
      'an Annotation.Root in createAgent',
      of(MessagesAnnotation, { usedBy: 'createAgent' }),
      'createAgent reads a StateSchema or a zod object as its stateSchema and would ignore this, which is an Annotation.Root and cannot be lifted for it.',
    ],
  ] as const)('is %s, and is refused in both modes by a sentence', (_, { definition, options }, sentence) => {
    for (const mode of [DELTA, { mode: 'full' }] as const) {
      const act = () => lift(definition, { ...mode, ...options });
      expect(act).toThrow(CannotLiftError);
      expect(act).toThrow(sentence);
    }
  });

  it.each([undefined, null, 0, -1, 1.5, Number.NaN])('is anything at a cadence of %s, in delta', (k) => {
    const act = () => withDeltaMessages(State, { mode: 'delta', snapshotFrequency: k });
    expect(act).toThrow(CannotLiftError);
    expect(act).toThrow(
      `A delta channel needs a snapshotFrequency, a whole number of updates from 1 on, and this is ${String(k)}.`,
    );
    expect(withDeltaMessages(State, { mode: 'full', snapshotFrequency: k })).toBe(State);
  });

  it('is what createAgent makes of MessagesZodState, which forgets the first turn in full mode', async () => {
    const { states } = await play(compileAgent, MessagesZodState, humanTurns(2));
    expect(stateOf(states.at(-1), ['messages'])['messages']).toHaveLength(1);
  });

  it('is what createAgent would make of an Annotation.Root: it has messages of its own', () => {
    const Lifted = withDeltaMessages(MessagesAnnotation, DELTA);
    const { channels } = createAgent({ model: new ScriptedModel({}), stateSchema: Lifted }).graph;
    expect(channels.messages).toBeInstanceOf(BinaryOperatorAggregate);
  });
});
