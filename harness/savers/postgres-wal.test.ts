// The write-ahead log of a server that nobody else uses: one that is started for this file.

import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { putCheckpoint } from '../../fixtures/scenarios/rows-by-hand.js';
import { startBuiltServer } from '../process/built-server.support.test.js';
import type { DatabaseServer } from '../process/postgres-server.js';
import { openPostgres } from './postgres.js';
import type { OpenStore } from './saver.js';
import type { StoreServer } from './store-server.js';

const OTHERS = { reason: 'undecided: others were connected to the server' };

describe.skipIf('missing' in inject('postgres'))('the write-ahead log of a store', () => {
  const folder = mkdtempSync(join(tmpdir(), 'deltaproof-test-'));
  let own: DatabaseServer;
  let store: OpenStore;
  const server = (): StoreServer => store.server as StoreServer;

  beforeAll(async () => {
    chmodSync(folder, 0o755);
    own = await startBuiltServer(null, join(folder, 'postgres'));
    store = await openPostgres({ dir: folder, server: own.schemaOf('wal') });
  });
  afterAll(async () => {
    await store?.close();
    await own?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A connection of another program. */
  async function connected(applicationName: string): Promise<pg.Client> {
    const { uri } = own.schemaOf('wal');
    const client = new pg.Client({ connectionString: uri, application_name: applicationName });
    await client.connect();
    return client;
  }

  let ordinal = 0;
  async function put(bytes: number): Promise<void> {
    ordinal += 1;
    const values = { items: randomBytes(bytes / 2).toString('hex') };
    await putCheckpoint(store.saver, ordinal, null, values, { thread: `thread ${ordinal}` });
  }

  async function walOf(write: () => Promise<unknown>) {
    await server().startWal();
    await write();
    return server().walBytes();
  }

  it('is counted while this process and the keeper alone are connected', async () => {
    const bytes = async (of: number): Promise<number> => {
      const wal = await walOf(() => put(of));
      return 'bytes' in wal ? wal.bytes : -1;
    };
    await bytes(10); // the first write of a page after a checkpoint logs the whole page
    const [small, large] = [await bytes(10), await bytes(200_000)];
    expect(small).toBeGreaterThan(100);
    // Hex digits compress to half at best.
    expect(large - small).toBeGreaterThan(100_000);
    expect(large - small).toBeLessThan(400_000);
  });

  it.each(['psql', '', 'deltaproof-1'])(
    'is undecided while a program named "%s" is connected',
    async (name) => {
      const other = await connected(name);
      expect(await walOf(() => put(10))).toEqual(OTHERS);
      await other.end();
    },
  );

  it('is undecided where another program was there when it began, or has come since', async () => {
    const before = await connected('psql');
    const backends = async () => (await pidsOf('psql')).length;
    await server().startWal();
    await before.end();
    await expect.poll(backends).toBe(0);
    expect(await server().walBytes()).toEqual(OTHERS);
    let since: pg.Client | null = null;
    const come = async () => void (since = await connected('psql'));
    expect(await walOf(come)).toEqual(OTHERS);
    await (since as pg.Client | null)?.end();
    await expect.poll(backends).toBe(0);
    expect(await walOf(() => put(10))).toHaveProperty('bytes');
  });

  async function pidsOf(applicationName: string): Promise<unknown[]> {
    const client = await connected(`deltaproof-${process.pid}`);
    const { rows } = await client.query('SELECT pid FROM pg_stat_activity WHERE application_name = $1', [
      applicationName,
    ]);
    await client.end();
    return rows as unknown[];
  }
});
