import { BinaryOperatorAggregate, Command, START, StateGraph, StateSchema } from '@langchain/langgraph';
import { MemorySaver, type CheckpointTuple } from '@langchain/langgraph-checkpoint';
import { afterEach, expect, it } from 'vitest';

import { CheckpointResumeRejected, RollbackDisabledError } from './errors.js';
import type { RollbackPoint } from './rollback.js';
import { DELTA, FULL, inThread, notesGraph, releaseChannelMode, runtimeOn } from './runtime.support.test.js';
import { listChannel } from '../../fixtures/workloads/channels.js';
import type { RuntimeBuild } from './checkpoint-runtime.js';
import type { ChannelMode } from './terms.js';

afterEach(releaseChannelMode);

async function opened(mode: ChannelMode = DELTA, saver = new MemorySaver()) {
  const runtime = runtimeOn(saver, mode);
  const graph = await runtime.build(notesGraph);
  const accessor = await runtime.accessor(() => graph);
  const head = async (): Promise<CheckpointTuple> => (await saver.getTuple(inThread())) as CheckpointTuple;
  const before = (signal?: AbortSignal): Promise<RollbackPoint> =>
    runtime.prepareRun(accessor, inThread(), { items: ['x'] }, signal).then(({ rollback }) => rollback);
  return { saver, runtime, graph, accessor, head, before };
}

it.each([DELTA, FULL])('restores every channel after a run that failed in $mode mode', async (mode) => {
  const { runtime, graph, accessor, before } = await opened(mode);
  await graph.invoke({ items: ['one'], title: 'first', files: { a: 1 } }, inThread());
  const was = (await accessor.get(inThread())).values;
  const point = await before();
  await graph.invoke({ items: ['two'], title: 'second', files: { b: 2 } }, inThread());
  await expect(graph.invoke({ items: ['fail'] }, inThread())).rejects.toThrow('The node fails.');
  await runtime.rollBack(accessor, point);
  const restored = await accessor.get(inThread());
  expect(restored).toMatchObject({ values: was, next: [], tasks: [] });
  await graph.invoke({ items: ['three'] }, inThread());
  expect((await accessor.get(inThread())).values).toMatchObject({
    items: ['one', 'seen one', 'three', 'seen three'],
    title: 'first',
    files: { a: 1 },
  });
});

it('resets channels that only the run has made', async () => {
  const { runtime, graph, accessor, before } = await opened();
  await graph.invoke({ items: ['one'] }, inThread());
  const point = await before();
  await graph.invoke({ items: ['two'], title: 'made', owner: 'ann', files: { b: 2 } }, inThread());
  await runtime.rollBack(accessor, point);
  expect((await accessor.get(inThread())).values).toEqual({
    items: ['one', 'seen one'],
    owner: null,
    files: {},
  });
});

it('attaches the pending writes that were there before, and no others', async () => {
  const { runtime, graph, accessor, head, before } = await opened();
  await graph.invoke({ items: ['ask'] }, inThread());
  const { pendingWrites } = await head();
  expect(pendingWrites?.map(([, channel]) => channel)).toEqual(['__interrupt__']);
  const point = await before();
  await graph.invoke(new Command({ resume: 'yes' }), inThread());
  await graph.invoke({ items: ['fail'] }, inThread()).catch(() => {});
  expect((await head()).pendingWrites).not.toEqual(pendingWrites);
  await runtime.rollBack(accessor, point);
  expect((await head()).pendingWrites).toEqual(pendingWrites);
  expect((await accessor.get(inThread())).values).toMatchObject({ items: ['ask'] });
  // A turn after it holds what it adds, and nothing of what was taken back.
  await graph.invoke({ items: ['three'] }, inThread());
  expect((await accessor.get(inThread())).values).toMatchObject({ items: ['ask', 'three', 'seen three'] });
});

it('applies what a pending write has given to the state once', async () => {
  const { runtime, graph, accessor, head, saver, before } = await opened();
  await graph.invoke({ items: ['one'] }, inThread());
  const { config } = await head();
  await saver.putWrites(config, [['items', ['given']]], '00000000-0000-0000-0000-000000000000');
  const was = (await accessor.get(inThread())).values;
  expect(was).toMatchObject({ items: ['one', 'seen one', 'given'] });
  const point = await before();
  await graph.invoke({ items: ['two'] }, inThread());
  await runtime.rollBack(accessor, point);
  expect((await accessor.get(inThread())).values).toEqual({ ...(was as object), files: {} });
});

it('tells a question that took the place of another', async () => {
  const { runtime, graph, accessor, head, saver, before } = await opened();
  await graph.invoke({ items: ['ask'] }, inThread());
  const { config, pendingWrites = [] } = await head();
  const point = await before();
  const [[taskId, channel] = ['', '']] = pendingWrites;
  await saver.putWrites(config, [[channel, [{ value: 'another?' }]]], taskId);
  expect((await head()).pendingWrites).toHaveLength(pendingWrites.length);
  await runtime.rollBack(accessor, point);
  expect((await head()).pendingWrites).toEqual(pendingWrites);
});

it('is of the root, whatever namespace the run is directed at', async () => {
  const { runtime, graph, accessor } = await opened();
  await graph.invoke({ items: ['one'] }, inThread());
  const nested = { configurable: { thread_id: 't', checkpoint_ns: 'sub' } };
  const { rollback } = await runtime.prepareRun(accessor, nested, { items: ['x'] });
  await graph.invoke({ items: ['two'] }, inThread());
  await runtime.rollBack(accessor, rollback);
  expect((await accessor.get(inThread())).values).toMatchObject({ items: ['one', 'seen one'] });
});

it.each([DELTA, FULL])('empties a reducing channel without a default again in $mode mode', async (mode) => {
  const saver = new MemorySaver();
  const runtime = runtimeOn(saver, mode);
  const build = ({ saver: checkpointer, ...settings }: RuntimeBuild) =>
    new StateGraph({
      ...new StateSchema({ items: listChannel(settings) }).getChannels(),
      log: new BinaryOperatorAggregate<string[]>((a, b) => a.concat(b)),
    } as never)
      .addNode('note', (state: { items: string[] }) => ({ log: [`log ${state.items.length}`] }) as never)
      .addEdge(START, 'note')
      .compile({ checkpointer });
  const graph = await runtime.build(build);
  const accessor = await runtime.accessor(() => graph);
  await accessor.update(inThread(), { items: ['by hand'] }, 'note');
  const { values } = await accessor.get(inThread());
  const { rollback } = await runtime.prepareRun(accessor, inThread(), {});
  await graph.invoke({ items: ['one'] } as never, inThread());
  await runtime.rollBack(accessor, rollback);
  expect((await accessor.get(inThread())).values).toEqual(values);
  expect(await graph.invoke({ items: ['two'] } as never, inThread())).toMatchObject({ log: ['log 2'] });
});

it('leaves a thread alone that the run did not touch', async () => {
  const { runtime, graph, accessor, saver, before } = await opened();
  await graph.invoke({ items: ['ask'] }, inThread());
  const point = await before();
  const stored = structuredClone(saver.storage);
  await runtime.rollBack(accessor, point);
  expect(saver.storage).toEqual(stored);
  expect((await accessor.get(inThread())).next).toEqual(['note']);
});

it('deletes a thread only where the capture found nothing', async () => {
  const { runtime, graph, accessor, head, before } = await opened();
  const point = await before();
  expect(point.kind).toBe('empty');
  await graph.invoke({ items: ['one'] }, inThread());
  await runtime.rollBack(accessor, point);
  expect(await head()).toBeUndefined();
});

const DISTURBANCES: readonly (readonly [string, (saver: MemorySaver) => AbortSignal | undefined])[] = [
  ['that was cancelled', () => AbortSignal.abort(new Error('The run was cancelled.'))],
  [
    'that failed',
    (saver: MemorySaver) => {
      let calls = 0;
      const getTuple = saver.getTuple.bind(saver);
      Object.assign(saver, {
        getTuple: (...given: Parameters<typeof getTuple>) => {
          calls += 1;
          return calls === 1 ? Promise.reject(new Error('The disk fails.')) : getTuple(...given);
        },
      });
      return undefined;
    },
  ],
  [
    'that was cancelled on the way',
    (saver: MemorySaver) => {
      const controller = new AbortController();
      const getTuple = saver.getTuple.bind(saver);
      Object.assign(saver, {
        getTuple: (...given: Parameters<typeof getTuple>) => {
          controller.abort(new Error('The run was cancelled.'));
          return getTuple(...given);
        },
      });
      return controller.signal;
    },
  ],
];

it.each(DISTURBANCES)('restores and deletes nothing after a capture %s', async (_, disturb) => {
  const { runtime, graph, accessor, saver, before } = await opened();
  await graph.invoke({ items: ['one'] }, inThread());
  const point = await before(disturb(saver));
  expect(point.kind).toBe('disabled');
  const stored = structuredClone(saver.storage);
  const refused = runtime.rollBack(accessor, point);
  await expect(refused).rejects.toThrow(RollbackDisabledError);
  await expect(refused).rejects.toHaveProperty(
    'cause.message',
    expect.stringMatching(/disk fails|cancelled/),
  );
  expect(saver.storage).toEqual(stored);
});

it('writes nothing where the thread is gone', async () => {
  const { runtime, graph, accessor, saver, before } = await opened();
  await graph.invoke({ items: ['one'] }, inThread());
  const point = await before();
  await saver.deleteThread('t');
  await expect(runtime.rollBack(accessor, point)).rejects.toThrow(CheckpointResumeRejected);
  expect(saver.storage['t']).toBeUndefined();
});

it('keeps capture and rewriting of a thread together', async () => {
  const { runtime, graph, accessor, saver } = await opened();
  await graph.invoke({ items: ['one'] }, inThread());
  const first = (await saver.getTuple(inThread()))?.checkpoint.id;
  await graph.invoke({ items: ['two'] }, inThread());
  // Both go back to the first turn: the second waits, and captures what the first has made of the thread.
  const asked = () => runtime.prepareRun(accessor, inThread('t', first), { items: ['x'] });
  const [one, two] = await Promise.all([asked(), asked()]);
  expect([one, two].map(({ rollback }) => rollback.kind === 'captured' && rollback.values)).toMatchObject([
    { items: ['one', 'seen one', 'two', 'seen two'] },
    { items: ['one', 'seen one'] },
  ]);
});
