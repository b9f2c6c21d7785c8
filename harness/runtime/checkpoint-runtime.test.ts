import { MemorySaver } from '@langchain/langgraph-checkpoint';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { START, StateGraph, StateSchema } from '@langchain/langgraph';
import { createAgent } from 'langchain';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { listChannel, messagesChannel } from '../../fixtures/workloads/channels.js';
import { CheckpointRuntime } from './checkpoint-runtime.js';
import {
  CheckpointAncestorMissingError,
  CheckpointModeMismatchError,
  CheckpointModeReconfigurationError,
  GraphUnavailableError,
  ModeNotInEffectError,
  UnguardedSaverError,
} from './errors.js';
import {
  allOf,
  DELTA,
  FULL,
  inThread,
  notesGraph,
  releaseChannelMode,
  runtimeOn,
} from './runtime.support.test.js';

beforeEach(releaseChannelMode);
afterEach(releaseChannelMode);

const ASK = { items: ['hello'] };

it('gives a graph the mode of the process and its saver', async () => {
  const runtime = runtimeOn(new MemorySaver());
  const graph = await runtime.build(notesGraph);
  await graph.invoke(ASK, inThread());
  expect(graph.checkpointer).toBe(runtime.saver);
  expect((await graph.getState(inThread())).values).toMatchObject({ items: ['hello', 'seen hello'] });
});

it('has one mode for all runtimes of a process', () => {
  const first = runtimeOn(new MemorySaver());
  const second = new CheckpointRuntime({ ...DELTA, saver: new MemorySaver() });
  expect(second.channelMode).toBe(first.channelMode);
  expect(() => new CheckpointRuntime({ ...FULL, saver: new MemorySaver() })).toThrow(
    CheckpointModeReconfigurationError,
  );
});

it.each([DELTA, FULL])('refuses a graph that writes past it in $mode mode', async (mode) => {
  const raw = new MemorySaver();
  const runtime = runtimeOn(raw, mode);
  await expect(runtime.build((build) => notesGraph({ ...build, saver: raw }))).rejects.toThrow(
    UnguardedSaverError,
  );
  await expect(runtime.accessor((build) => notesGraph({ ...build, saver: raw }))).rejects.toThrow(
    UnguardedSaverError,
  );
});

it('allows a delta graph that keeps no threads', async () => {
  const runtime = runtimeOn(new MemorySaver());
  const graph = await runtime.build((build) => notesGraph({ ...build, saver: undefined }));
  expect(await graph.invoke(ASK)).toMatchObject({ items: ['hello', 'seen hello'] });
});

it.each([
  ['a delta channel in full mode', FULL, DELTA],
  ['another cadence', DELTA, { mode: 'delta', snapshotFrequency: 7 }],
] as const)('refuses a graph with %s', async (_, mode, built) => {
  const runtime = runtimeOn(new MemorySaver(), mode);
  await expect(runtime.build(({ saver }) => notesGraph({ ...built, saver }))).rejects.toThrow(
    ModeNotInEffectError,
  );
});

it('refuses a graph that nobody has lifted, in delta mode', async () => {
  const runtime = runtimeOn(new MemorySaver());
  const forgotten = runtime.build(({ saver }) => notesGraph({ ...FULL, saver }));
  await expect(forgotten).rejects.toThrow(ModeNotInEffectError);
  await expect(forgotten).rejects.toThrow('lift items, with withDeltaMessages');
});

it('looks into subgraphs', async () => {
  const runtime = runtimeOn(new MemorySaver(), FULL);
  const nested = runtime.build(({ saver }) =>
    new StateGraph(new StateSchema({ items: listChannel(FULL) }))
      .addNode('sub', notesGraph(DELTA))
      .addEdge(START, 'sub')
      .compile({ checkpointer: saver }),
  );
  await expect(nested).rejects.toThrow(ModeNotInEffectError);
});

it('says what it needs', async () => {
  releaseChannelMode();
  expect(() => new CheckpointRuntime(DELTA as never)).toThrow('A checkpoint runtime needs a saver');
  const runtime = runtimeOn(new MemorySaver());
  await expect(runtime.build(() => undefined as never)).rejects.toThrow('no compiled StateGraph');
});

it('refuses a chain that retention has cut, whatever stands before the saver', async () => {
  const raw = new MemorySaver();
  const runtime = runtimeOn(raw);
  const graph = await runtime.build(notesGraph);
  for (const item of ['one', 'two']) await graph.invoke({ items: [item] }, inThread());
  const accessor = await runtime.accessor(notesGraph);
  const [, , third] = await allOf(accessor.history(inThread()));
  delete raw.storage['t']?.['']?.[String(third?.config.configurable?.['checkpoint_id'])];
  await expect(accessor.get(inThread())).rejects.toThrow(CheckpointAncestorMissingError);
  await expect(graph.invoke({ items: ['three'] }, inThread())).rejects.toThrow(
    CheckpointAncestorMissingError,
  );
});

it('takes agents', async () => {
  const runtime = runtimeOn(new MemorySaver());
  const agent = await runtime.build(({ saver, ...mode }) =>
    createAgent({
      model: new FakeListChatModel({ responses: ['hi'] }),
      tools: [],
      stateSchema: new StateSchema({ messages: messagesChannel(mode) }),
      checkpointer: saver,
    }),
  );
  await agent.invoke({ messages: [{ role: 'user', content: 'hello' }] } as never, inThread());
  const accessor = await runtime.accessor(() => agent);
  const { values } = await accessor.get(inThread());
  expect((values as { messages: unknown[] }).messages).toHaveLength(2);
});

const broken = () => {
  throw new Error('no model is configured');
};

it('has no state in delta mode without its graph', async () => {
  const refused = runtimeOn(new MemorySaver()).accessor(broken);
  await expect(refused).rejects.toThrow(GraphUnavailableError);
  await expect(refused).rejects.toMatchObject({ cause: { message: 'no model is configured' } });
});

it('reads raw checkpoints in full mode where the graph cannot be built', async () => {
  const runtime = runtimeOn(new MemorySaver(), FULL);
  const graph = await runtime.build(notesGraph);
  await graph.invoke({ ...ASK, title: 'a thread' }, inThread());
  await graph.invoke({ items: ['ask'] }, inThread());
  const raw = await runtime.accessor(broken);
  const whole = await graph.getState(inThread());
  const { checkpoint } = (await runtime.saver.getTuple(inThread())) ?? {};
  expect(raw.degraded).toBeInstanceOf(GraphUnavailableError);
  const state = await raw.get(inThread());
  expect(state).toMatchObject({ values: whole.values, next: [], tasks: [], createdAt: checkpoint?.ts });
  expect(whole.next).toEqual(['note']);
  expect(state.metadata).toMatchObject({ source: 'loop', step: 3 });
  const history = await allOf(raw.history(inThread(), { limit: 2 }));
  expect(history.map(({ values }) => values)).toEqual([
    whole.values,
    { items: ['hello', 'seen hello'], files: {}, title: 'a thread' },
  ]);
  expect(await allOf(raw.history(inThread(), { limit: 0 }))).toEqual([]);
  await expect(raw.update(inThread(), ASK)).rejects.toThrow(GraphUnavailableError);
  await expect(raw.replace(inThread(), ASK)).rejects.toThrow(GraphUnavailableError);
});

it('keeps raw reads from threads of delta mode', async () => {
  const saver = new MemorySaver();
  await (await runtimeOn(saver).build(notesGraph)).invoke(ASK, inThread());
  const raw = await runtimeOn(saver, FULL).accessor(broken);
  for (const read of [raw.get(inThread()), raw.getMetadata(inThread()), allOf(raw.history(inThread()))]) {
    await expect(read).rejects.toThrow(CheckpointModeMismatchError);
  }
});
