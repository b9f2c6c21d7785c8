import { HumanMessage, type BaseMessage } from '@langchain/core/messages';
import { MessagesAnnotation, MessagesValue, Overwrite, StateSchema } from '@langchain/langgraph';
import { MemorySaver } from '@langchain/langgraph-checkpoint';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BatchReduce } from './delta-form.js';
import { compileAgent, compileGraph, humanTurns, type Compile } from './graphs.support.test.js';
import { recordedTrials, recordedWrites } from './recorded-trials.js';
import { reducerFindings, type ReducerTrial } from './reducer-properties.js';
import { reducersOf, type GraphOrAgent } from './reducers-of.js';
import { withDeltaMessages } from './with-delta-messages.js';

const CONFIG = { configurable: { thread_id: 'thread' } };
const DELTA = { mode: 'delta', snapshotFrequency: 3 } as const;
const RUNS = { seed: 1, runs: 100 };

async function recorded(compile: Compile, definition: unknown, inputs: readonly unknown[]) {
  const saver = new MemorySaver();
  const graph = compile(definition, saver);
  for (const input of inputs) await graph.invoke(input, CONFIG);
  const writes = await recordedWrites(saver, CONFIG, 'messages');
  const channel = reducersOf(graph as unknown as GraphOrAgent).get('messages');
  if (channel === undefined) throw new Error('The channel is not delta.');
  return { graph, saver, writes, channel };
}

function idsOf(writes: readonly unknown[]): unknown[] {
  return (writes as BaseMessage[][]).flat().map(({ id }) => id);
}

describe('The writes of a thread', () => {
  it('are read from its root to its head, snapshots notwithstanding', async () => {
    const lifted = withDeltaMessages(MessagesAnnotation, DELTA);
    const { writes } = await recorded(compileGraph, lifted, humanTurns(3));
    expect(idsOf(writes)).toEqual(['human-0', 'ai-1', 'human-1', 'ai-3', 'human-2', 'ai-5']);
  });

  it('make its state when the reducer of its channel reduces them', async () => {
    const lifted = withDeltaMessages(undefined, { ...DELTA, usedBy: 'createAgent' });
    const { graph, writes, channel } = await recorded(compileAgent, lifted, humanTurns(2));
    const { values } = await graph.getState(CONFIG);
    const reduced = channel.reduce(channel.initialValue(), writes);
    expect(idsOf([reduced])).toEqual(idsOf([(values as { messages: unknown }).messages]));
    expect(writes).toHaveLength(8);
  });

  it('are none where the thread is not there, and end where an ancestor is not', async () => {
    const lifted = withDeltaMessages(MessagesAnnotation, DELTA);
    const { saver } = await recorded(compileGraph, lifted, humanTurns(2));
    expect(await recordedWrites(saver, { configurable: { thread_id: 'other' } }, 'messages')).toEqual([]);
    const turns = Object.keys(saver.storage['thread']?.[''] ?? {}).toSorted();
    // What is left is the second turn and the checkpoint before it.
    for (const id of turns.slice(0, 3)) delete saver.storage['thread']?.['']?.[id];
    expect(idsOf(await recordedWrites(saver, CONFIG, 'messages'))).toEqual(['human-1', 'ai-3']);
  });

  it('end where a chain of checkpoints bites its tail', async () => {
    const { saver } = await recorded(
      compileGraph,
      withDeltaMessages(MessagesAnnotation, DELTA),
      humanTurns(1),
    );
    const stored = saver.storage['thread']?.[''] ?? {};
    const ids = Object.keys(stored).toSorted();
    const [root, head] = [stored[ids.at(0) ?? ''], ids.at(-1)];
    if (root !== undefined) root[2] = head;
    expect(idsOf(await recordedWrites(saver, CONFIG, 'messages'))).toEqual(['human-0', 'ai-1']);
  });
});

describe('Trials of recorded writes', () => {
  const sampled = (writes: readonly unknown[]): ReducerTrial[] => {
    const trials = recordedTrials(writes, () => ['initial']);
    return trials === null ? [] : fc.sample(trials, { seed: 1, numRuns: 200 });
  };

  it('begin where the thread begins and are split at any place', () => {
    const trials = sampled(['a', 'b', 'c']);
    const seen = new Set(trials.map(({ batches }) => batches.map((batch) => batch.join('')).join('|')));
    expect([...seen].toSorted()).toEqual(['a', 'ab', 'abc', 'ab|c', 'a|b', 'a|bc', 'a|b|c']);
    expect(trials.every(({ state }) => JSON.stringify(state) === '["initial"]')).toBe(true);
  });

  it('never hold an Overwrite: they begin with its value, as a channel does', () => {
    const trials = sampled([
      'a',
      new Overwrite('reset'),
      'b',
      { __overwrite__: null },
      new Overwrite('unused'),
    ]);
    const seen = new Set(trials.map((trial) => JSON.stringify(trial)));
    expect([...seen].toSorted()).toEqual([
      '{"state":"reset","batches":[["b"]]}',
      '{"state":["initial"],"batches":[["a"]]}',
    ]);
  });

  it('are none where nothing is given to the reducer', () => {
    expect(recordedTrials([], () => [])).toBeNull();
    expect(recordedTrials([new Overwrite([])], () => [])).toBeNull();
  });
});

describe('The reducers of a graph, tried on what it wrote', () => {
  const findingsOf = async (compile: Compile, definition: unknown, inputs: readonly unknown[]) => {
    const { writes, channel } = await recorded(compile, definition, inputs);
    const trials = recordedTrials(writes, channel.initialValue);
    return trials === null ? null : reducerFindings(channel.reduce, trials, RUNS).map(({ law }) => law);
  };

  it.each([
    ['a graph', compileGraph, withDeltaMessages(MessagesAnnotation, DELTA)],
    [
      'a graph whose reducer is lifted',
      compileGraph,
      withDeltaMessages(MessagesAnnotation, { ...DELTA, reducer: 'lifted' }),
    ],
    ['an agent', compileAgent, withDeltaMessages(undefined, { ...DELTA, usedBy: 'createAgent' })],
  ] as const)('keep their laws in %s', async (_, compile, definition) => {
    expect(await findingsOf(compile, definition, humanTurns(4))).toEqual([]);
  });

  it('are found where they change what the graph holds, or reduce batches in another way', async () => {
    const { writes, channel } = await recorded(
      compileGraph,
      withDeltaMessages(MessagesAnnotation, DELTA),
      humanTurns(4),
    );
    const trials = recordedTrials(writes, channel.initialValue);
    const lawsOf = (reduce: BatchReduce) =>
      trials === null ? null : reducerFindings(reduce, trials, RUNS).map(({ law }) => law);
    const adding: BatchReduce = (state, given) => {
      (state as unknown[]).push(...given.flat());
      return state;
    };
    const reversing: BatchReduce = (state, given) => [...(state as unknown[]), ...given.toReversed().flat()];
    const renaming: BatchReduce = (state, given) => [
      ...(state as unknown[]),
      ...given.flat().map(() => new HumanMessage({ id: crypto.randomUUID(), content: '' })),
    ];
    expect(lawsOf(adding)).toEqual(['the input is not changed']);
    expect(lawsOf(reversing)).toEqual(['batches apart are their concatenation']);
    expect(lawsOf(renaming)).toContain('the same input gives the same output');
  });

  it('are found where a lifted reducer gives the ids that plain objects lack', async () => {
    const definition = withDeltaMessages(new StateSchema({ messages: MessagesValue }), {
      ...DELTA,
      reducer: 'lifted',
    });
    const inputs = [{ messages: [{ role: 'user', content: 'no id' }] }];
    expect(await findingsOf(compileGraph, definition, inputs)).toContain(
      'the same input gives the same output',
    );
  });
});
