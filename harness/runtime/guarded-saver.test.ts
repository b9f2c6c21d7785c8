import { MemorySaver, type BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import { expect, it } from 'vitest';
import { MODE_MARKER } from './channel-mode.js';
import { CheckpointModeMismatchError } from './errors.js';
import { GuardedSaver } from './guarded-saver.js';
import { DELTA, FULL, inThread, notesGraph } from './runtime.support.test.js';

const ASK = { items: ['hello'] };

/** Two turns of delta mode and one of full mode, each in a thread of its own. */
async function threads(): Promise<{ inner: MemorySaver; full: GuardedSaver }> {
  const inner = new MemorySaver();
  const delta = notesGraph({ ...DELTA, saver: new GuardedSaver(inner, DELTA) });
  await delta.invoke(ASK, inThread('delta'));
  await delta.invoke(ASK, inThread('delta'));
  await notesGraph({ ...FULL, saver: new GuardedSaver(inner, FULL) }).invoke(ASK, inThread('full'));
  return { inner, full: new GuardedSaver(inner, FULL) };
}

async function metadataOf(saver: BaseCheckpointSaver, thread: string): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const { metadata } of saver.list(inThread(thread))) all.push(metadata);
  return all;
}

it('marks every checkpoint of delta mode, and none of full mode', async () => {
  const { inner } = await threads();
  const delta = await metadataOf(inner, 'delta');
  expect(delta).toHaveLength(6);
  for (const metadata of delta) expect(metadata).toHaveProperty(MODE_MARKER, 'delta');
  for (const metadata of await metadataOf(inner, 'full')) expect(metadata).not.toHaveProperty(MODE_MARKER);
  expect(JSON.stringify(delta)).not.toContain('1000');
});

async function drained(listing: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of listing) continue;
}

const CALLS: readonly [string, (saver: GuardedSaver) => Promise<unknown>][] = [
  ['getState', (saver) => notesGraph({ ...FULL, saver }).getState(inThread('delta'))],
  ['invoke', (saver) => notesGraph({ ...FULL, saver }).invoke(ASK, inThread('delta'))],
  ['updateState', (saver) => notesGraph({ ...FULL, saver }).updateState(inThread('delta'), ASK)],
  ['getStateHistory', (saver) => drained(notesGraph({ ...FULL, saver }).getStateHistory(inThread('delta')))],
  ['list of all threads', (saver) => drained(saver.list({}))],
  ['put', (saver) => saver.put(inThread('delta'), { id: 'x' } as never, {} as never, {})],
  ['putWrites', (saver) => saver.putWrites(inThread('delta', 'x'), [['items', ['y']]], 'task')],
];

it.each(CALLS)('keeps a process in full mode from a thread of delta mode: %s', async (_, call) => {
  const { inner, full } = await threads();
  const before = structuredClone({ storage: inner.storage, writes: inner.writes });
  const refused: unknown = await call(full).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(CheckpointModeMismatchError);
  expect(refused).toMatchObject({ threadId: 'delta', sign: 'marker' });
  expect({ storage: inner.storage, writes: inner.writes }).toEqual(before);
});

it('knows threads of delta mode that never met the runtime', async () => {
  const inner = new MemorySaver();
  await notesGraph({ ...DELTA, saver: inner }).invoke(ASK, inThread());
  const full = new GuardedSaver(inner, FULL);
  await expect(full.getTuple(inThread())).rejects.toMatchObject({ threadId: 't', sign: 'counters' });
});

it('refuses a checkpoint of full mode whose thread has gone on in delta mode', async () => {
  const { inner, full } = await threads();
  const old = await inner.getTuple(inThread('full'));
  await notesGraph({ ...DELTA, saver: new GuardedSaver(inner, DELTA) }).invoke(ASK, inThread('full'));
  await expect(full.getTuple(inThread('full', old?.checkpoint.id))).rejects.toThrow(
    CheckpointModeMismatchError,
  );
  // So does a page of its history that ends before it went on.
  const page = full.list(inThread('full'), { before: inThread('full', old?.checkpoint.id) });
  await expect(drained(page)).rejects.toThrow(CheckpointModeMismatchError);
});

it('reads threads of full mode in delta mode, and marks what it adds', async () => {
  const { inner } = await threads();
  const delta = notesGraph({ ...DELTA, saver: new GuardedSaver(inner, DELTA) });
  expect((await delta.getState(inThread('full'))).values).toMatchObject({ items: ['hello', 'seen hello'] });
  await delta.invoke(ASK, inThread('full'));
  expect((await delta.getState(inThread('full'))).values).toMatchObject({
    items: ['hello', 'seen hello', 'hello', 'seen hello'],
  });
  expect((await metadataOf(inner, 'full'))[0]).toHaveProperty(MODE_MARKER, 'delta');
});

it('deletes threads of either mode', async () => {
  const { inner, full } = await threads();
  await full.deleteThread('delta');
  expect(await inner.getTuple(inThread('delta'))).toBeUndefined();
});

it('looks again at a thread that was deleted and begun anew in delta mode', async () => {
  const inner = new MemorySaver();
  const full = new GuardedSaver(inner, FULL);
  const put = (id: string) => full.put(inThread(), { id, channel_values: {} } as never, {} as never, {});
  await put('1');
  await full.deleteThread('t');
  await notesGraph({ ...DELTA, saver: new GuardedSaver(inner, DELTA) }).invoke(ASK, inThread());
  await expect(put('2')).rejects.toThrow(CheckpointModeMismatchError);
});

it('asks for the head once before writes that follow each other', async () => {
  let reads = 0;
  class Counting extends MemorySaver {
    override getTuple(...given: Parameters<MemorySaver['getTuple']>) {
      reads += 1;
      return super.getTuple(...given);
    }
  }
  const graph = notesGraph({ ...FULL, saver: new GuardedSaver(new Counting(), FULL) });
  await graph.invoke(ASK, inThread());
  await graph.invoke(ASK, inThread());
  // One that LangGraph asks for each run, and one before the first checkpoint of the thread.
  expect(reads).toBe(3);
});
