// What a service notes of a run, in a checkpoint of its own.

import { MemorySaver } from '@langchain/langgraph-checkpoint';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import { afterEach, describe, expect, it } from 'vitest';
import { CheckpointNotFoundError, GraphUnavailableError, PendingWritesError } from './errors.js';
import {
  allOf,
  DELTA,
  FULL,
  inThread,
  notesGraph,
  releaseChannelMode,
  runtimeOn,
} from './runtime.support.test.js';

afterEach(releaseChannelMode);

const savers = { memory: () => new MemorySaver(), sqlite: () => SqliteSaver.fromConnString(':memory:') };

describe.each(Object.entries(savers))('on the %s saver', (_, open) => {
  it.each([FULL, DELTA, { ...DELTA, snapshotFrequency: 2 }, { ...DELTA, snapshotFrequency: 1 }])(
    'is the same state in $mode mode, K=$snapshotFrequency, before and after more turns',
    async (mode) => {
      const runtime = runtimeOn(open(), mode);
      const graph = await runtime.build(notesGraph);
      const accessor = await runtime.accessor(() => graph);
      for (const turn of [0, 1, 2]) {
        await graph.invoke({ items: [`turn ${turn}`], title: `after ${turn}` }, inThread());
        const before = await accessor.get(inThread());
        await runtime.annotate(accessor, inThread(), { run_durations: { [`run-${turn}`]: 5 } });
        const head = await accessor.get(inThread());
        expect(head.values).toEqual(before.values);
        expect(head).toMatchObject({
          next: [],
          tasks: [],
          parentConfig: before.config,
          metadata: {
            source: 'update',
            step: (before.metadata?.step ?? 0) + 1,
            run_durations: { [`run-${turn}`]: 5 },
          },
        });
      }
      // The next turn goes on from it, and what was noted stays where it was.
      expect((await accessor.get(inThread())).values).toMatchObject({
        items: ['turn 0', 'seen turn 0', 'turn 1', 'seen turn 1', 'turn 2', 'seen turn 2'],
      });
      const noted = (await allOf(accessor.history(inThread()))).filter(
        ({ metadata }) => 'run_durations' in (metadata ?? {}),
      );
      expect(noted).toHaveLength(3);
    },
  );
});

it('cannot replace what LangGraph says of a checkpoint', async () => {
  const runtime = runtimeOn(new MemorySaver());
  const graph = await runtime.build(notesGraph);
  const accessor = await runtime.accessor(() => graph);
  await graph.invoke({ items: ['one'] }, inThread());
  await accessor.annotate(inThread(), { source: 'loop', step: 99, counters_since_delta_snapshot: {} });
  expect(await accessor.getMetadata(inThread())).toMatchObject({
    source: 'update',
    step: 2,
    counters_since_delta_snapshot: { items: [2, 4] },
  });
});

it('is refused where the head has pending writes, and nothing is written', async () => {
  const runtime = runtimeOn(new MemorySaver());
  const graph = await runtime.build(notesGraph);
  const accessor = await runtime.accessor(() => graph);
  await graph.invoke({ items: ['ask'] }, inThread());
  const before = await allOf(accessor.history(inThread()));
  await expect(runtime.annotate(accessor, inThread(), { noted: 1 })).rejects.toThrow(PendingWritesError);
  expect(await allOf(accessor.history(inThread()))).toHaveLength(before.length);
});

it('is refused for a thread that is not there, and where the graph is not', async () => {
  const runtime = runtimeOn(new MemorySaver(), FULL);
  const accessor = await runtime.accessor(notesGraph);
  await expect(accessor.annotate(inThread('nobody'), {})).rejects.toThrow(CheckpointNotFoundError);
  const degraded = await runtime.accessor(() => {
    throw new Error('no model');
  });
  await expect(degraded.annotate(inThread(), {})).rejects.toThrow(GraphUnavailableError);
});
