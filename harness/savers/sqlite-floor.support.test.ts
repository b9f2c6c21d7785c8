// Threads in a SQLite database, and floors of them, for the tests of the floor.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import { afterEach, beforeEach, expect } from 'vitest';
import { exampleCase } from '../../fixtures/journals/rows.js';
import { append } from '../../fixtures/workloads/append.js';
import type { FloorRequest, StoreFloor } from './saver.js';
import { openSqliteFloor } from './sqlite-floor.js';

export const THREAD = 't';

/** Made before each test of the file. */
export const place = { folder: '', copyPath: '', source: new Database(':memory:') };
const floors: StoreFloor[] = [];

beforeEach(() => {
  place.folder = mkdtempSync(join(tmpdir(), 'sqlite-floor-'));
  place.source = new Database(join(place.folder, 'source.sqlite'));
  place.copyPath = join(place.folder, 'copy.sqlite');
});

afterEach(async () => {
  for (const floor of floors.splice(0)) await floor.close();
  place.source.close();
  rmSync(place.folder, { recursive: true, force: true });
});

export function open(request: Partial<FloorRequest> & Pick<FloorRequest, 'heads'>): StoreFloor {
  const floor = openSqliteFloor(place.source, place.copyPath, {
    threadId: THREAD,
    seedId: null,
    readsChain: false,
    ...request,
  });
  floors.push(floor);
  return floor;
}

/** A thread of the append workload; the head after each update. */
export async function appended(updates: number, k: number | null, threadId = THREAD): Promise<string[]> {
  const mode = k === null ? 'full' : 'delta';
  const c = exampleCase({ mode, updates, payload_bytes: 64, snapshot_frequency: k, seed: 1 });
  const graph = append.buildGraph(c, { saver: new SqliteSaver(place.source), mode, snapshotFrequency: k });
  const heads: string[] = [];
  for (let update = 0; update < updates; update += 1) {
    await graph.invoke(append.input(c, update), { configurable: { thread_id: threadId } });
    heads.push(newest(threadId));
  }
  return heads;
}

export function newest(threadId: string): string {
  return place.source
    .prepare('SELECT max(checkpoint_id) FROM checkpoints WHERE thread_id = ?')
    .pluck()
    .get(threadId) as string;
}

/** Every column of every row of the thread, with the storage class of each value. */
function rowsOf(db: Database.Database): Record<string, unknown[]> {
  const rows = (table: string) => {
    const names = db.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table) as string[];
    const columns = names.flatMap((name) => [name, `typeof(${name})`, `length(${name})`]);
    const sql = `SELECT ${columns.join(', ')} FROM ${table} WHERE thread_id = ? ORDER BY 1, 4, 7, 10, 13`;
    return db.prepare(sql).raw().all(THREAD);
  };
  return { checkpoints: rows('checkpoints'), writes: rows('writes') };
}

export function expectSameRows(): void {
  const copy = new Database(place.copyPath, { readonly: true });
  const copied = rowsOf(copy);
  copy.close();

  expect(copied).toEqual(rowsOf(place.source));
}
