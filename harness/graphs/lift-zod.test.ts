import { MessagesZodMeta, Overwrite } from '@langchain/langgraph';
import { registry } from '@langchain/langgraph/zod';
import { HumanMessage, type BaseMessage } from '@langchain/core/messages';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { stateOf } from '../verify/state-of.js';
import { compileAgent, compileGraph, compileNode, humanTurns, play } from './graphs.support.test.js';
import { withDeltaMessages } from './with-delta-messages.js';

const appended = { fn: (left: string[], right: string) => [...left, right], schema: z.string() };
const State = z.object({
  log: z.array(z.string()).register(registry, {
    reducer: appended,
    default: () => ['begin'],
  }),
  messages: z.custom<BaseMessage[]>(Array.isArray).register(registry, { ...MessagesZodMeta }),
  count: z.coerce.number().max(100).default(10),
});

describe.each(['full', 'delta'] as const)('A zod object, in %s mode', (mode) => {
  const definition = withDeltaMessages(State, { mode, snapshotFrequency: 2 });
  const countAfter = async (...inputs: readonly object[]) => {
    const { states } = await play(compileGraph, definition, inputs);
    return stateOf(states.at(-1), ['count'])['count'];
  };

  it('writes its defaults with every input, so that what a node has written starts over', async () => {
    expect(await countAfter(...(humanTurns(3) as object[]))).toEqual([11]);
  });

  it('coerces an input and refuses a wrong one', async () => {
    expect(await countAfter({ messages: [], count: '41' })).toEqual([42]);
    await expect(countAfter({ messages: [], count: 101 })).rejects.toThrow('Too big');
    await expect(countAfter({ messages: 'none' })).rejects.toThrow('Invalid input');
  });

  it('refuses a wrong write of a node', async () => {
    await expect(countAfter({ messages: [], count: 100 })).rejects.toThrow('Too big');
  });

  it('begins a channel as the registry says, and takes writes as the registry says', async () => {
    const { states } = await play(compileGraph, definition, [{ messages: [] }, { messages: [], log: 'one' }]);
    expect(states.map((state) => stateOf(state, ['log'])['log'])).toEqual([
      ['begin'],
      ['begin'],
      ['begin', 'one'],
      ['begin', 'one'],
    ]);
    await expect(play(compileGraph, definition, [{ log: ['one'] }])).rejects.toThrow('Invalid input');
  });

  it('takes writes as the registry says also in an agent', async () => {
    // createAgent asks the registry for the reducer, and the schema itself for the default.
    const log = z
      .array(z.string())
      .default(() => [])
      .register(registry, { reducer: appended });
    const agentState = withDeltaMessages(State.extend({ log }), {
      mode,
      snapshotFrequency: 2,
      usedBy: 'createAgent',
    });
    const inputs = [
      { messages: [], log: 'one' },
      { messages: [], log: 'two' },
    ];
    const { states } = await play(compileAgent, agentState, inputs);
    expect(stateOf(states.at(-1), ['log'])['log']).toEqual(['one', 'two']);
  });

  it('drops keys that it does not know', async () => {
    const { states } = await play(compileGraph, definition, [{ messages: [], unknown: 1 }]);
    expect(Object.keys(states.at(-1) as object).toSorted()).toEqual(['count', 'log', 'messages']);
  });

  it('parses what a node overwrites the channel with as a value of it', async () => {
    const kept = new HumanMessage({ id: 'kept', content: 'kept' });
    const overwriting = (value: unknown) => compileNode(() => ({ messages: new Overwrite(value) }));
    const { states } = await play(overwriting([kept]), definition, humanTurns(2));
    expect(stateOf(states.at(-1), ['messages'])['messages']).toMatchObject([{ id: 'kept' }]);
    await expect(play(overwriting('none'), definition, humanTurns(1))).rejects.toThrow('Invalid input');
  });
});
