import { MemorySaver } from '@langchain/langgraph-checkpoint';
import { afterEach, expect, it, vi } from 'vitest';
import { CheckpointNotFoundError, ModeNotInEffectError, StateValuesError } from './errors.js';
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

const SAID = ['one', 'seen one', 'two', 'seen two'];

async function twoTurns(saver = new MemorySaver(), mode = DELTA) {
  const runtime = runtimeOn(saver, mode);
  const graph = await runtime.build(notesGraph);
  await graph.invoke({ items: ['one'], title: 'a thread' }, inThread());
  await graph.invoke({ items: ['two'] }, inThread());
  return { runtime, graph, saver, accessor: await runtime.accessor(() => graph) };
}

it.each([DELTA, FULL])('reads what the thread is in $mode mode', async (mode) => {
  const { accessor } = await twoTurns(new MemorySaver(), mode);
  const head = await accessor.get(inThread());
  expect(head).toMatchObject({ values: { items: SAID, title: 'a thread' }, next: [] });
  const parent = await accessor.get(head.parentConfig ?? {});
  expect(parent.values).toMatchObject({ items: SAID.slice(0, 3) });
  expect(await accessor.getMetadata(inThread())).toMatchObject({ step: 4 });
  expect(await accessor.getMetadata(inThread('nobody'))).toBeUndefined();
});

it('gives metadata without materializing', async () => {
  const { accessor, saver } = await twoTurns();
  const read = vi.spyOn(saver, 'getTuple');
  expect(await accessor.getMetadata(inThread())).toMatchObject({ step: 4 });
  expect(read).toHaveBeenCalledTimes(1);
  await accessor.get(inThread());
  expect(read.mock.calls.length).toBeGreaterThan(6);
});

it('gives a history of all, of some and of none', async () => {
  const { accessor, saver } = await twoTurns();
  let asked = 0;
  const list = saver.list.bind(saver);
  Object.assign(saver, {
    list: (...given: Parameters<typeof list>) => {
      asked += 1;
      return list(...given);
    },
  });
  expect(await allOf(accessor.history(inThread(), { limit: 0 }))).toEqual([]);
  expect(asked).toBe(0);
  const all = await allOf(accessor.history(inThread()));
  expect(all.map(({ values }) => (values as { items: unknown[] }).items.length)).toEqual([4, 3, 2, 2, 1, 0]);
  expect(await allOf(accessor.history(inThread(), { limit: 2 }))).toEqual(all.slice(0, 2));
  expect(await allOf(accessor.history(inThread(), { before: all[3]?.config ?? {} }))).toEqual(all.slice(4));
  for (const limit of [-1, 1.5, Number.NaN]) {
    await expect(allOf(accessor.history(inThread(), { limit }))).rejects.toThrow(RangeError);
  }
});

it.each([DELTA, FULL])('says so when a named checkpoint is not there in $mode mode', async (mode) => {
  const { accessor } = await twoTurns(new MemorySaver(), mode);
  await expect(accessor.get(inThread('t', 'nobody'))).rejects.toThrow(CheckpointNotFoundError);
  expect(await accessor.get(inThread('nobody'))).toMatchObject({ values: {}, next: [] });
});

/** A store whose retention removes checkpoints while they are read: when a walk has come to the root. */
class Vanishing extends MemorySaver {
  vanish: string[] = [];

  override async getTuple(...given: Parameters<MemorySaver['getTuple']>) {
    const tuple = await super.getTuple(...given);
    const isRoot = tuple !== undefined && tuple.parentConfig === undefined;
    const id = isRoot ? this.vanish.shift() : undefined;
    if (id !== undefined) delete this.storage['t']?.['']?.[id];
    return tuple;
  }
}

it('reads the new head once when the head vanishes while it is read', async () => {
  const { accessor, saver } = await twoTurns(new Vanishing());
  const [head, before, third] = await allOf(accessor.history(inThread()));
  const idOf = (entry: typeof head) => String(entry?.config.configurable?.['checkpoint_id']);
  (saver as Vanishing).vanish = [idOf(head)];
  const state = await accessor.get(inThread());
  // Its pending writes are applied, as in every read of a head.
  expect(state.values).toMatchObject({ items: SAID });
  expect(idOf(state)).toBe(idOf(before));
  (saver as Vanishing).vanish = [idOf(before), idOf(third)];
  await expect(accessor.get(inThread())).rejects.toThrow(CheckpointNotFoundError);
});

it('never moves a named checkpoint that vanishes while it is read', async () => {
  const { accessor, saver } = await twoTurns(new Vanishing());
  const { config } = await accessor.get(inThread());
  (saver as Vanishing).vanish = [String(config.configurable?.['checkpoint_id'])];
  await expect(accessor.get(config)).rejects.toThrow(CheckpointNotFoundError);
});

it.each([DELTA, FULL])('replaces the whole state and leaves nothing to run in $mode mode', async (mode) => {
  const { accessor, graph } = await twoTurns(new MemorySaver(), mode);
  await graph.invoke({ items: ['ask'], files: { a: 1 } }, inThread());
  expect((await accessor.get(inThread())).next).toEqual(['note']);
  await accessor.replace(inThread(), { items: ['new'], title: 'another' });
  const state = await accessor.get(inThread());
  // A map that only the head had falls back to its default.
  expect(state).toMatchObject({
    values: { items: ['new'], title: 'another', files: {} },
    next: [],
    tasks: [],
  });
  await graph.invoke({ items: ['three'] }, inThread());
  expect((await accessor.get(inThread())).values).toMatchObject({
    items: ['new', 'three', 'seen three'],
    title: 'another',
    files: {},
  });
});

it('resets a channel without a default to null', async () => {
  const { accessor } = await twoTurns();
  await accessor.update(inThread(), { owner: 'ann' }, 'note');
  await accessor.replace(inThread(), { items: ['new'] });
  expect((await accessor.get(inThread())).values).toEqual({ items: ['new'], owner: null, files: {} });
});

it.each([
  ['a name that is no channel', { itmes: [] }, 'no channel itmes; it has items, files, title, owner'],
  ['a list', ['x'], 'an object of its channels'],
  ['nothing', null, 'an object of its channels'],
])('refuses %s in the place of a state, and writes nothing', async (_, values, problem) => {
  const { accessor, saver } = await twoTurns();
  const before = structuredClone(saver.storage);
  const refused = accessor.replace(inThread(), values as never);
  await expect(refused).rejects.toThrow(StateValuesError);
  await expect(refused).rejects.toThrow(problem);
  expect(saver.storage).toEqual(before);
});

it.each([DELTA, FULL])('updates no checkpoint that is not there in $mode mode', async (mode) => {
  const { accessor } = await twoTurns(new MemorySaver(), mode);
  await expect(accessor.update(inThread('t', 'nobody'), { items: ['x'] }, 'note')).rejects.toThrow(
    CheckpointNotFoundError,
  );
});

it.each([5, '', undefined])('refuses %s as a thread', async (thread) => {
  const { accessor } = await twoTurns();
  const config = { configurable: { thread_id: thread } } as never;
  await expect(accessor.get(config)).rejects.toThrow('thread_id must be a text');
  await expect(accessor.update(config, {})).rejects.toThrow('thread_id must be a text');
});

it('replaces the root alone', async () => {
  const { accessor } = await twoTurns();
  const nested = { configurable: { thread_id: 't', checkpoint_ns: 'sub' } };
  await expect(accessor.replace(nested, { items: [] })).rejects.toThrow(StateValuesError);
});

it('refuses to replace what no channel can', async () => {
  const { accessor, graph } = await twoTurns();
  Object.assign(graph.builder.channels, { log: { lc_graph_name: 'Topic' } });
  await expect(accessor.replace(inThread(), { log: [] })).rejects.toThrow(ModeNotInEffectError);
});

it('updates as the graph does', async () => {
  const { accessor } = await twoTurns();
  await accessor.update(inThread(), { items: ['by hand'] }, 'note');
  expect((await accessor.get(inThread())).values).toMatchObject({ items: [...SAID, 'by hand'] });
});
