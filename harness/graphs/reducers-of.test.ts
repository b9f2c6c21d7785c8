import {
  Annotation,
  DeltaChannel,
  END,
  MessagesAnnotation,
  START,
  StateGraph,
  messagesDeltaReducer,
} from '@langchain/langgraph';
import { MemorySaver } from '@langchain/langgraph-checkpoint';
import { createAgent } from 'langchain';
import { expect, it } from 'vitest';
import type { BatchReduce } from './delta-form.js';
import { ScriptedModel } from './graphs.support.test.js';
import { reducersOf } from './reducers-of.js';
import { withDeltaMessages } from './with-delta-messages.js';

const appended: BatchReduce = (state, writes) => [...(state as unknown[]), ...writes];
const State = Annotation.Root({
  ...MessagesAnnotation.spec,
  log: new DeltaChannel(appended, { snapshotFrequency: 7, initialValueFactory: () => ['begin'] }),
  last: Annotation<string>,
});

function compiled(definition: typeof State) {
  return new StateGraph(definition)
    .addNode('noop', () => ({}))
    .addEdge(START, 'noop')
    .addEdge('noop', END)
    .compile();
}

it('gives the delta channels of a compiled graph by name, and no others', () => {
  const found = reducersOf(compiled(withDeltaMessages(State, { mode: 'delta', snapshotFrequency: 3 })));
  expect([...found.keys()].toSorted()).toEqual(['log', 'messages']);
  expect(found.get('messages')).toMatchObject({ reduce: messagesDeltaReducer, snapshotFrequency: 3 });
  expect(found.get('log')).toMatchObject({ reduce: appended, snapshotFrequency: 7 });
  expect(found.get('log')?.initialValue()).toEqual(['begin']);
  expect([...reducersOf(compiled(State)).keys()]).toEqual(['log']);
});

it('gives those of an agent, and none of one in full mode', () => {
  const model = new ScriptedModel({});
  const checkpointer = new MemorySaver();
  const stateSchema = withDeltaMessages(undefined, {
    mode: 'delta',
    snapshotFrequency: 5,
    usedBy: 'createAgent',
  });
  const agent = createAgent({ model, checkpointer, ...(stateSchema === undefined ? {} : { stateSchema }) });
  expect([...reducersOf(agent)].map(([name, { snapshotFrequency }]) => [name, snapshotFrequency])).toEqual([
    ['messages', 5],
  ]);
  expect(reducersOf(createAgent({ model, checkpointer })).size).toBe(0);
});
