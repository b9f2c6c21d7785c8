import { Command } from '@langchain/langgraph';
import { MemorySaver } from '@langchain/langgraph-checkpoint';
import { afterEach, expect, it } from 'vitest';
import { CheckpointResumeRejected } from './errors.js';
import {
  allOf,
  DELTA,
  FULL,
  inThread,
  notesGraph,
  releaseChannelMode,
  runtimeOn,
} from './runtime.support.test.js';
import type { ChannelMode } from './terms.js';

afterEach(releaseChannelMode);

async function threeTurns(mode: ChannelMode = DELTA) {
  const saver = new MemorySaver();
  const runtime = runtimeOn(saver, mode);
  const graph = await runtime.build(notesGraph);
  const accessor = await runtime.accessor(() => graph);
  const heads: string[] = [];
  for (const item of ['one', 'two', 'three']) {
    await graph.invoke({ items: [item] }, inThread());
    heads.push((await saver.getTuple(inThread()))?.checkpoint.id ?? '');
  }
  const itemsNow = async () => (await accessor.get(inThread())).values as { items: string[] };
  return { saver, runtime, graph, accessor, heads, itemsNow };
}

it('goes on from an older checkpoint on the head, in delta mode', async () => {
  const { runtime, graph, accessor, heads, itemsNow } = await threeTurns();
  const asked = inThread('t', heads[0]);
  const { config } = await runtime.prepareRun(accessor, asked, { items: ['again'] });
  expect(config.configurable).not.toHaveProperty('checkpoint_id');
  expect(await itemsNow()).toMatchObject({ items: ['one', 'seen one'] });
  await graph.invoke({ items: ['again'] }, config as never);
  expect(await itemsNow()).toMatchObject({ items: ['one', 'seen one', 'again', 'seen again'] });
  const steps = await allOf(accessor.history(inThread()));
  // One line: every checkpoint is the parent of the next, the turns that were left among them.
  const ids = steps.map((entry) => String(entry.config.configurable?.['checkpoint_id']));
  expect(steps.map((entry) => entry.parentConfig?.configurable?.['checkpoint_id'] as unknown)).toEqual([
    ...ids.slice(1),
    undefined,
  ]);
  expect(ids).toContain(heads[2]);
});

it('forks in full mode', async () => {
  const { runtime, accessor, heads, saver } = await threeTurns(FULL);
  const asked = inThread('t', heads[0]);
  const before = structuredClone(saver.storage);
  expect((await runtime.prepareRun(accessor, asked, { items: ['again'] })).config).toBe(asked);
  expect(saver.storage).toEqual(before);
});

it('writes nothing where the run goes on at the head or in a subgraph', async () => {
  const { runtime, accessor, heads, saver } = await threeTurns();
  const before = structuredClone(saver.storage);
  const resumed = async (config: object) =>
    (await runtime.prepareRun(accessor, config as never, { items: ['x'] })).config.configurable;
  expect(await resumed(inThread())).toEqual({ thread_id: 't' });
  expect(await resumed(inThread('t', heads[2]))).toEqual({ thread_id: 't' });
  const nested = { configurable: { thread_id: 't', checkpoint_ns: 'sub', checkpoint_id: heads[0] } };
  expect(await resumed(nested)).toEqual(nested.configurable);
  expect(saver.storage).toEqual(before);
});

/** Rejects, and nothing is written. */
async function expectRejected(
  { saver, runtime, accessor }: Awaited<ReturnType<typeof threeTurns>>,
  checkpoint: string | undefined,
  input: unknown,
  reason: string,
) {
  const before = structuredClone({ storage: saver.storage, writes: saver.writes });
  const rejected = runtime.prepareRun(accessor, inThread('t', checkpoint), input);
  await expect(rejected).rejects.toThrow(CheckpointResumeRejected);
  await expect(rejected).rejects.toThrow(reason);
  expect({ storage: saver.storage, writes: saver.writes }).toEqual(before);
}

it('rejects a checkpoint that is not there, and a thread that has no head', async () => {
  const threads = await threeTurns();
  await expectRejected(threads, 'nobody', { items: ['x'] }, 'it is not there');
  const { saver, heads } = threads;
  const getTuple = saver.getTuple.bind(saver);
  Object.assign(saver, {
    getTuple: (config: Parameters<typeof getTuple>[0]) =>
      config.configurable?.['checkpoint_id'] === undefined ? Promise.resolve(undefined) : getTuple(config),
  });
  await expectRejected(threads, heads[0], { items: ['x'] }, 'its thread has no head');
});

it('rejects a checkpoint that is not there in full mode too', async () => {
  await expectRejected(await threeTurns(FULL), 'nobody', { items: ['x'] }, 'it is not there');
});

it('rejects Sends that were not run yet, on either side', async () => {
  const threads = await threeTurns();
  const { graph, saver, heads } = threads;
  await graph.invoke({ items: ['send'] }, inThread());
  await expectRejected(threads, heads[0], { items: ['x'] }, 'the head has Sends');
  const withSends = (await saver.getTuple(inThread()))?.checkpoint.id;
  await graph.invoke(null, inThread());
  await expectRejected(threads, withSends, { items: ['x'] }, 'it has Sends');
});

it.each([
  ['null', null],
  ['a resume', new Command({ resume: 'yes' })],
  ['an update', new Command({ update: { items: ['x'] } })],
  ['undefined', undefined],
])('rejects %s where nodes are due that the head would lose', async (_, input) => {
  const threads = await threeTurns();
  await threads.graph.invoke({ items: ['ask'] }, inThread());
  await expectRejected(threads, threads.heads[0], input, 'nodes are due (note)');
});
