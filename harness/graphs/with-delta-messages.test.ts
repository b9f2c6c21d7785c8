import type { BaseMessage } from '@langchain/core/messages';
import {
  Annotation,
  MessagesAnnotation,
  MessagesValue,
  MessagesZodMeta,
  MessagesZodState,
  ReducedValue,
  StateSchema,
} from '@langchain/langgraph';
import { registry } from '@langchain/langgraph/zod';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { modeNotInEffect } from '../chain/mode-in-effect.js';
import { stateOf } from '../verify/state-of.js';
import { compileAgent, compileGraph, humanTurns, play, type Played } from './graphs.support.test.js';
import { withDeltaMessages, type DeltaMessagesOptions } from './with-delta-messages.js';

const CHANNELS = ['messages', 'count'];
const TURNS = 4;
const K = 3;

const concat = (left: BaseMessage[], right: BaseMessage[]) => [...left, ...right];
const list = z.array(z.custom<BaseMessage>());
const zodMessages = () => z.custom<BaseMessage[]>().register(registry, { ...MessagesZodMeta });

interface Kind {
  readonly name: string;
  readonly definition: unknown;
  readonly usedBy: 'StateGraph' | 'createAgent';
}

const KINDS: readonly Kind[] = [
  {
    name: 'a StateSchema with MessagesValue',
    definition: new StateSchema({ messages: MessagesValue, count: z.number().default(0) }),
    usedBy: 'StateGraph',
  },
  {
    name: 'a StateSchema with a reducer of its own',
    definition: new StateSchema({
      messages: new ReducedValue(
        list.default(() => []),
        { reducer: concat },
      ),
      count: z.number().default(0),
    }),
    usedBy: 'StateGraph',
  },
  {
    name: 'a StateSchema whose messages have no default',
    definition: new StateSchema({ messages: new ReducedValue(list, { reducer: concat }) }),
    usedBy: 'StateGraph',
  },
  {
    name: 'an Annotation.Root with messagesStateReducer',
    definition: Annotation.Root({ ...MessagesAnnotation.spec, count: Annotation<number> }),
    usedBy: 'StateGraph',
  },
  {
    name: 'an Annotation.Root with a reducer of its own',
    definition: Annotation.Root({ messages: Annotation({ reducer: concat }), count: Annotation<number>() }),
    usedBy: 'StateGraph',
  },
  {
    name: 'a map of channels',
    definition: { ...MessagesAnnotation.spec, count: Annotation<number> },
    usedBy: 'StateGraph',
  },
  {
    name: 'a zod object with registered messages',
    definition: z.object({ messages: zodMessages(), count: z.number().default(0) }),
    usedBy: 'StateGraph',
  },
  {
    name: 'a zod object with a reducer of its own',
    definition: z.object({
      messages: list.register(registry, { reducer: { fn: concat } }),
      count: z.number().default(0),
    }),
    usedBy: 'StateGraph',
  },
  { name: 'MessagesZodState, which is of zod 3', definition: MessagesZodState, usedBy: 'StateGraph' },
  { name: 'the default messages', definition: undefined, usedBy: 'createAgent' },
  {
    name: 'a StateSchema without messages',
    definition: new StateSchema({ count: z.number().default(0) }),
    usedBy: 'createAgent',
  },
  {
    name: 'a StateSchema with messages',
    definition: new StateSchema({ messages: MessagesValue, count: z.number().default(0) }),
    usedBy: 'createAgent',
  },
  {
    name: 'a zod object without messages',
    definition: z.object({ count: z.number().default(0) }),
    usedBy: 'createAgent',
  },
  {
    name: 'a zod object with messages',
    definition: z.object({ messages: zodMessages(), count: z.number().default(0) }),
    usedBy: 'createAgent',
  },
];

describe.each(KINDS)('$name, given to $usedBy', ({ definition, usedBy }) => {
  const compile = usedBy === 'createAgent' ? compileAgent : compileGraph;
  // An agent's turn: the input, the model's call, the tool's answer, the model's answer.
  const updates = TURNS * (usedBy === 'createAgent' ? 4 : 2);
  const inMode = (options: DeltaMessagesOptions) => lift(definition, { ...options, usedBy });

  it('is the same object in full mode', () => {
    expect(inMode({ mode: 'full' })).toBe(definition);
  });

  it.each([undefined, 'lifted'] as const)(
    'gives the same states in both modes after every turn, with the reducer %s',
    async (reducer) => {
      const full = await play(compile, definition, humanTurns(TURNS));
      const delta = await play(
        compile,
        inMode({ mode: 'delta', snapshotFrequency: K, reducer }),
        humanTurns(TURNS),
      );
      expect(full.states.map(plain)).toEqual(delta.states.map(plain));
      expect(stateOf(full.states.at(-1), ['messages'])['messages']).toHaveLength(updates);
    },
  );

  it.each([1, K, 1000])(
    'stores snapshots where K=%i puts them, and nothing whole',
    async (snapshotFrequency) => {
      const lifted = inMode({ mode: 'delta', snapshotFrequency });
      const { records } = await play(compile, lifted, humanTurns(TURNS));
      expect(notInEffect(records, updates, snapshotFrequency)).toBeNull();
      expect(notInEffect(records, updates, null)).not.toBeNull();
    },
  );

  it('leaves the definition that it was given in full mode', async () => {
    inMode({ mode: 'delta', snapshotFrequency: K });
    const { records } = await play(compile, definition, humanTurns(TURNS));
    expect(notInEffect(records, updates, null)).toBeNull();
  });
});

function lift(definition: unknown, options: DeltaMessagesOptions): unknown {
  return withDeltaMessages(definition as typeof MessagesAnnotation, options);
}

function plain(state: unknown): unknown {
  return stateOf(state, CHANNELS);
}

function notInEffect(records: Played['records'], updates: number, snapshotFrequency: number | null) {
  return modeNotInEffect(records, { channel: 'messages', snapshotFrequency, updates });
}
