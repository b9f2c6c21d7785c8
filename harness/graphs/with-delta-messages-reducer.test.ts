import { HumanMessage, RemoveMessage, type BaseMessage } from '@langchain/core/messages';
import {
  Annotation,
  END,
  MessagesAnnotation,
  MessagesValue,
  Overwrite,
  ReducedValue,
  START,
  StateGraph,
  StateSchema,
} from '@langchain/langgraph';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { stateOf } from '../verify/state-of.js';
import { compileGraph, play } from './graphs.support.test.js';
import { withDeltaMessages, type DeltaMessagesOptions } from './with-delta-messages.js';

const DELTA = { mode: 'delta', snapshotFrequency: 3 } as const;

const say = (...messages: BaseMessage[]) => ({ messages });
const human = (id: string) => new HumanMessage({ id, content: id });

describe('The reducer of the delta channel', () => {
  const remove = (id: string) => say(new RemoveMessage({ id }));
  const plainObject = { messages: [{ role: 'user', content: 'no id' }] };

  async function idsIn(options: DeltaMessagesOptions, inputs: readonly unknown[]): Promise<unknown[][]> {
    const { states } = await play(compileGraph, withDeltaMessages(MessagesAnnotation, options), inputs);
    return states.map((state) => (state as { messages: BaseMessage[] }).messages.map(({ id }) => id));
  }

  it('is messagesDeltaReducer where the channel has messagesStateReducer, so that every message keeps its id', async () => {
    const [returned, read] = await idsIn({ ...DELTA, snapshotFrequency: 1000 }, [plainObject]);
    expect(read).toEqual(returned);
  });

  it('gives other ids at every read where messagesStateReducer is lifted and a message came as a plain object', async () => {
    const [returned, read] = await idsIn({ ...DELTA, snapshotFrequency: 1000, reducer: 'lifted' }, [
      plainObject,
    ]);
    expect(read).not.toEqual(returned);
    expect(read?.slice(1)).toEqual(returned?.slice(1));
  });

  it('ignores the removal of an unknown id unless it is lifted, as full mode refuses it', async () => {
    await expect(idsIn({ mode: 'full' }, [remove('unknown')])).rejects.toThrow("doesn't exist");
    await expect(idsIn({ ...DELTA, reducer: 'lifted' }, [remove('unknown')])).rejects.toThrow(
      "doesn't exist",
    );
    expect(await idsIn(DELTA, [remove('unknown')])).toEqual([['ai-0'], ['ai-0']]);
  });

  it('puts a message that is removed and added again at the end unless it is lifted', async () => {
    const inputs = [say(human('a'), human('b')), say(new RemoveMessage({ id: 'a' }), human('a'))];
    const full = await idsIn({ mode: 'full' }, inputs);
    expect(await idsIn({ ...DELTA, reducer: 'lifted' }, inputs)).toEqual(full);
    const delta = await idsIn(DELTA, inputs);
    expect(full.at(-1)?.[0]).toBe('a');
    expect(delta.at(-1)?.[0]).toBe('b');
    expect(delta.at(-1)?.toSorted()).toEqual(full.at(-1)?.toSorted());
  });

  it('can be messagesDeltaReducer in place of any other', async () => {
    const Own = Annotation.Root({
      messages: Annotation<BaseMessage[]>({ reducer: (left, right) => [...left, ...right] }),
    });
    const lifted = withDeltaMessages(Own, { ...DELTA, reducer: 'messages_delta' });
    const { states } = await play(compileGraph, lifted, [say(human('a')), say(human('a'))]);
    expect(stateOf(states.at(-1), ['messages'])['messages']).toHaveLength(3);
  });

  it('is the same function in every definition, so that the input of a graph can be lifted too', () => {
    const fields = {
      messages: new ReducedValue(z.array(z.string()), { reducer: (left, right) => [...left, ...right] }),
    };
    const State = new StateSchema({ ...fields, count: z.number().default(0) });
    const input = new StateSchema(fields);
    const state = withDeltaMessages(State, DELTA);
    expect(() => new StateGraph({ state, input: withDeltaMessages(input, DELTA) })).not.toThrow();
    expect(() => new StateGraph({ state, input })).toThrow('already exists with a different type');
  });
});

describe('A lifted definition', () => {
  it('lifts the channel that the options name, and no other', () => {
    const log = Annotation<string[]>({ reducer: (left, right) => [...left, ...right], default: () => [] });
    const { spec } = withDeltaMessages(Annotation.Root({ ...MessagesAnnotation.spec, log }), {
      ...DELTA,
      channel: 'log',
    });
    expect(spec.log).toMatchObject({
      lc_graph_name: 'DeltaChannel',
      snapshotFrequency: DELTA.snapshotFrequency,
    });
    expect(spec.messages).toBe(MessagesAnnotation.spec.messages);
  });

  it('takes writes by the input schema of the definition, and an Overwrite by that of the value', async () => {
    const messages = new ReducedValue(z.array(z.string()), {
      inputSchema: z.string(),
      reducer: (left, right) => [...left, right],
    });
    const lifted = withDeltaMessages(new StateSchema({ messages }), DELTA);
    const isTaken = async (write: unknown) =>
      lifted.validateInput({ messages: write }).then(
        () => true,
        () => false,
      );
    expect(await isTaken('one')).toBe(true);
    expect(await isTaken(['one'])).toBe(false);
    expect(await isTaken(new Overwrite(['one']))).toBe(true);
    expect(await isTaken(new Overwrite('one'))).toBe(false);
  });

  it('describes itself by the JSON schema of the definition', () => {
    const count = z.number().default(0);
    const State = new StateSchema({ messages: MessagesValue, count });
    expect(withDeltaMessages(State, DELTA).getJsonSchema()).toEqual(State.getJsonSchema());
    expect(withDeltaMessages(State, DELTA).getInputJsonSchema()).toEqual(State.getInputJsonSchema());
  });

  it('keeps the types of nodes', async () => {
    const State = new StateSchema({ messages: MessagesValue, count: z.number().default(0) });
    const graph = new StateGraph(withDeltaMessages(State, DELTA))
      .addNode('counts', ({ messages, count }) => ({ count: count + messages.length }))
      .addEdge(START, 'counts')
      .addEdge('counts', END)
      .compile();
    expect((await graph.invoke(say(human('a'), human('b')))).count).toBe(2);
  });
});
