import { describe, expect, it } from 'vitest';
import { putCheckpoint } from '../../fixtures/scenarios/rows-by-hand.js';
import { appended, HAS_NO_SERVER, THREAD, usePostgres } from './postgres.support.test.js';
import type { StoreServer } from './store-server.js';

const here = usePostgres();
const server = (): StoreServer => here().store.server as StoreServer;
describe.skipIf(HAS_NO_SERVER)('a store on a server', () => {
  it('tells the bytes of its three tables: heap, indexes and TOAST, as the server does', async () => {
    await appended(here(), 3, null);
    await putCheckpoint(here().store.saver, 1, null, {
      // It does not compress below the size of a page.
      items: Array.from({ length: 4000 }, (_, index) => Math.sin(index).toString(36)),
    });
    const relations = await server().relationBytes();
    expect(Object.keys(relations)).toEqual(['checkpoint_blobs', 'checkpoint_writes', 'checkpoints']);
    for (const [table, { heap, index, toast }] of Object.entries(relations)) {
      const { rows } = await here().db.query<{ total: string; fork: string }>(
        `SELECT pg_total_relation_size($1::regclass)::text AS total,
           (pg_table_size($1::regclass) - pg_relation_size($1::regclass)
            - coalesce(pg_total_relation_size(nullif(reltoastrelid, 0)), 0))::text AS fork
         FROM pg_class WHERE oid = $1::regclass`,
        [table],
      );
      // Beside the maps of free space and visibility, which a vacuum makes when it comes.
      expect(heap + index + toast).toBe(Number(rows[0]?.total) - Number(rows[0]?.fork));
      expect([heap % 8192, index % 8192, toast % 8192]).toEqual([0, 0, 0]);
    }
    expect(relations['checkpoint_blobs']?.toast).toBeGreaterThan(8192);
    expect(relations['checkpoint_writes']?.toast).toBe(8192);
  });

  it('counts the rows of a thread in all three tables', async () => {
    await appended(here(), 2, 10);
    await appended(here(), 1, null, 'another');
    expect(await server().rowCount(THREAD)).toBe(22);
    await here().db.query('DELETE FROM checkpoints');
    expect(await server().rowCount(THREAD)).toBe(16);
    expect(await server().rowCount('nobody')).toBe(0);
  });

  it('tells the settings that decide what a commit costs', async () => {
    const settings = await here().store.pragmas();
    expect(settings).toMatchObject({
      fsync: 'on',
      synchronous_commit: 'on',
      full_page_writes: 'on',
      block_size: '8192',
      server_version: expect.stringMatching(/^\d/),
    });
    expect(Object.keys(settings)).toEqual(Object.keys(settings).toSorted());
  });

  it('takes round trips beside the saver, whose traffic they are not', async () => {
    server().takeTraffic();
    expect(await server().roundTripMs()).toBeGreaterThan(0);
    expect(server().takeTraffic()).toMatchObject({ statements: 0, roundTrips: 0 });
  });
});
