// The last reader of a case on a server deletes its thread, and looks whether it is gone.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { exampleCase } from '../../fixtures/journals/rows.js';
import { WORKLOAD_SUBJECTS } from '../../fixtures/workloads/registry.js';
import { PeakRss } from '../../harness/process/usage.js';
import { DelegatingSaver } from '../../harness/savers/delegating.js';
import { openStore, type OpenStore } from '../../harness/savers/saver.js';
import { placeOf } from '../../harness/savers/store-places.support.test.js';
import { measureReader, measureWriter } from './measure.js';
import { THREAD } from './timing.js';

const { append } = WORKLOAD_SUBJECTS;
const { thread_id: thread } = THREAD.configurable;

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deltaproof-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf('missing' in inject('postgres'))('a thread on a server', () => {
  const open = () => openStore('postgres', placeOf('postgres', folder));

  async function rowsLeft(): Promise<number | undefined> {
    const store = await open();
    try {
      return await store.server?.rowCount(thread);
    } finally {
      await store.close();
    }
  }

  it.each([
    ['full', null],
    ['delta', 2],
  ] as const)('is there for every reader but the last one, which removes it (%s)', async (mode, k) => {
    const c = exampleCase({ backend: 'postgres', mode, updates: 3, snapshot_frequency: k, seed: 1 });
    const subject = { workload: append, open };
    expect((await measureWriter(c, subject, new PeakRss())).failure).toBeNull();
    const written = await rowsLeft();
    // Of each update three checkpoints, three writes and five blobs.
    expect(written).toBe(3 * (3 + 3 + 5));
    expect((await measureReader(c, subject)).failure).toBeNull();
    expect(await rowsLeft()).toBe(written);
    const last = await measureReader(c, subject, { expected: null, removes_thread: true });
    expect(last.failure).toBeNull();
    expect(last.state.count).toBe(3);
    expect(await rowsLeft()).toBe(0);
  });

  it('of which rows are left is a failure that says so, though its state was right', async () => {
    const c = exampleCase({ backend: 'postgres', mode: 'full', updates: 1, seed: 1 });
    class ForgetsToDelete extends DelegatingSaver {
      override async deleteThread(): Promise<void> {}
    }
    const forgets = async (): Promise<OpenStore> => {
      const store = await open();
      return { ...store, saver: new ForgetsToDelete(store.saver) };
    };
    await measureWriter(c, { workload: append, open }, new PeakRss());
    const { failure } = await measureReader(
      c,
      { workload: append, open: forgets },
      { expected: null, removes_thread: true },
    );
    expect(failure).toEqual({
      reason: 'not_removed',
      message: 'deleteThread of the saver has left 11 rows of the thread.',
      difference: null,
    });
  });
});
