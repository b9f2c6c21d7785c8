// A Postgres store in a schema of its own for each test, and threads in it. No tests here.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg, { type Pool } from 'pg';
import { afterEach, beforeEach, inject } from 'vitest';
import { exampleCase } from '../../fixtures/journals/rows.js';
import { append } from '../../fixtures/workloads/append.js';
import type { SchemaPlace, StorePlace } from '../record/store-place.js';
import { openPostgres } from './postgres.js';
import type { OpenStore } from './saver.js';
import { placeOf } from './store-places.support.test.js';

export const THREAD = 't';
export const HAS_NO_SERVER = 'missing' in inject('postgres');

export interface PostgresHere {
  readonly store: OpenStore;
  /** Beside the store: with its tables in the search path. */
  readonly db: Pool;
  readonly place: StorePlace & { readonly server: SchemaPlace };
}

/** Made before each test of the file; call the function for it. */
export function usePostgres(): () => PostgresHere {
  let here: PostgresHere | null = null;
  beforeEach(async () => {
    if (HAS_NO_SERVER) return;
    const dir = mkdtempSync(join(tmpdir(), 'deltaproof-test-'));
    rmSync(dir, { recursive: true });
    const place = placeOf('postgres', dir) as PostgresHere['place'];
    const { uri, schema } = place.server;
    const db = new pg.Pool({ connectionString: uri, max: 1, options: `-c search_path=${schema}` });
    here = { store: await openPostgres(place), db, place };
  });
  afterEach(async () => {
    await here?.store.close();
    await here?.db.query(`DROP SCHEMA ${here.place.server.schema} CASCADE`);
    await here?.db.end();
    here = null;
  });
  return () => {
    if (here === null) throw new Error('There is no server.');
    return here;
  };
}

/** A thread of the append workload; the head after each update. */
export async function appended(
  { store }: Pick<PostgresHere, 'store'>,
  updates: number,
  k: number | null,
  thread = THREAD,
): Promise<string[]> {
  const mode = k === null ? 'full' : 'delta';
  const c = exampleCase({ mode, updates, payload_bytes: 64, snapshot_frequency: k, seed: 1 });
  const graph = append.buildGraph(c, { saver: store.saver, mode, snapshotFrequency: k });
  const config = { configurable: { thread_id: thread } };
  const heads: string[] = [];
  for (let update = 0; update < updates; update += 1) {
    await graph.invoke(append.input(c, update), config);
    heads.push((await store.saver.getTuple(config))?.checkpoint.id ?? '');
  }
  return heads;
}
