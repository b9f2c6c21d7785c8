// What retention jobs and copies do to the rows of a thread, on every backend.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkpointId, configOf, putCheckpoint, putWrites } from '../../fixtures/scenarios/rows-by-hand.js';
import type { Backend } from '../record/names.js';
import { openStore, type OpenStore } from './saver.js';
import { BACKENDS_HERE, placeOf } from './store-places.support.test.js';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'deltaproof-test-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Two checkpoints with a write each in the root, one in another namespace. */
async function filled(backend: Backend): Promise<OpenStore> {
  const store = await openStore(backend, placeOf(backend, mkdtempSync(join(folder, 'store-'))));
  for (const [ordinal, parent] of [[1, null] as const, [2, 1] as const]) {
    await putCheckpoint(store.saver, ordinal, parent);
    await putWrites(store.saver, configOf(checkpointId(ordinal)), [`w${ordinal}`], 1);
  }
  await putCheckpoint(store.saver, 1, null, {}, { namespace: 'sub' });
  return store;
}

const rowsOf = async (store: OpenStore, thread: string): Promise<string[]> =>
  [...(await store.records(thread))]
    .map(({ kind, namespace, checkpointId: id }) => `${kind} ${namespace} ${id.slice(-1)}`)
    .toSorted();

describe.each(BACKENDS_HERE)('the rows of a thread on %s', (backend) => {
  it('lose a checkpoint of the root with its writes, and nothing else', async () => {
    const store = await filled(backend);
    await store.rows.deleteCheckpoints('thread', [checkpointId(1)]);
    expect(await rowsOf(store, 'thread')).toEqual(['checkpoint  2', 'checkpoint sub 1', 'write  2']);
    await store.close();
  });

  it('are copied whole to another thread, which then goes its own way', async () => {
    const store = await filled(backend);
    const before = await rowsOf(store, 'thread');
    await store.rows.copyThread('thread', 'copy');
    expect(await rowsOf(store, 'copy')).toEqual(before);
    await store.saver.deleteThread('thread');
    expect(await rowsOf(store, 'thread')).toEqual([]);
    expect(await rowsOf(store, 'copy')).toEqual(before);
    await store.close();
  });

  it('are seen by a second saver on the store', async () => {
    const store = await filled(backend);
    const tuple = await store.second().saver.getTuple(configOf(null));
    expect(tuple?.checkpoint.id).toBe(checkpointId(2));
    await store.close();
  });
});
