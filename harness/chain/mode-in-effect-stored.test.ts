// What the installed packages store is what the rules of mode-in-effect.ts say.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exampleCase } from '../../fixtures/journals/rows.js';
import { append } from '../../fixtures/workloads/append.js';
import type { ChannelsCase } from '../record/case.js';
import type { MessageRecord } from '../record/digest.js';
import { openStore } from '../savers/saver.js';
import { modeNotInEffect } from './mode-in-effect.js';
import type { StoredRecord } from './records.js';

test.each([
  [1, 1],
  [5, 1],
  [5, 2],
  [6, 3],
  [5, 100],
  [5, null],
])(
  '%i real updates at K=%s on SQLite pass, and at another cadence or mode they do not',
  async (updates, k) => {
    const rows = await realRows(updates, k);
    const c = caseOf(updates, k);
    const messages = append.model(c)['messages'] as MessageRecord[];
    const model = messages.map(({ id }) => String(id));
    const wholeValueMarks = [...new Set([model.at(0), model.at(-1)])].filter((id) => id !== undefined);
    const expected = { channel: 'messages', snapshotFrequency: k, updates, wholeValueMarks };

    expect(modeNotInEffect(rows, expected)).toBeNull();
    expect(modeNotInEffect(rows, { ...expected, snapshotFrequency: k === null ? 2 : null })).not.toBeNull();
    const other = k === 100 ? updates : 100;
    expect(modeNotInEffect(rows, { ...expected, snapshotFrequency: other })).not.toBeNull();
  },
);

function caseOf(updates: number, k: number | null): ChannelsCase {
  return exampleCase({
    mode: k === null ? 'full' : 'delta',
    updates,
    payload_bytes: 16,
    snapshot_frequency: k,
    seed: 1,
  });
}

async function realRows(updates: number, k: number | null): Promise<StoredRecord[]> {
  const folder = mkdtempSync(join(tmpdir(), 'mode-in-effect-'));
  const store = await openStore('sqlite', { dir: folder, server: null });
  const c = caseOf(updates, k);
  const graph = append.buildGraph(c, { saver: store.saver, mode: c.mode, snapshotFrequency: k });
  for (let update = 0; update < updates; update += 1) {
    await graph.invoke(append.input(c, update), { configurable: { thread_id: 't' } });
  }
  const rows = [...(await store.records('t'))];
  await store.close();
  rmSync(folder, { recursive: true, force: true });
  return rows;
}
