// Runs on a Postgres server that was named: behind a network that stops, and with a role that may do little.

import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, inject, it } from 'vitest';
import type { Row } from '../harness/record/row.js';
import { rowsOf } from './program.support.test.js';
import { TINY_FULL, usePostgresRuns } from './postgres.support.test.js';

const postgres = inject('postgres');
const here = usePostgresRuns();

function rows(): Row[] {
  try {
    return rowsOf(here.journal);
  } catch {
    return []; // There is no journal yet.
  }
}

describe.skipIf('missing' in postgres)('a server behind a network', () => {
  const uri = 'missing' in postgres ? '' : postgres.uri;

  it('that stops to answer ends the run with exit code 6 and no hang', async () => {
    const sockets = new Set<Socket>();
    const { hostname, port } = new URL(uri);
    let forwards = true;
    const proxy = createServer((client) => {
      client.on('error', () => {});
      sockets.add(client);
      if (!forwards) return;
      const there = connect(Number(port), hostname);
      there.on('error', () => {});
      sockets.add(there);
      client.pipe(there).pipe(client);
    });
    await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve));
    const url = new URL(uri);
    url.port = String((proxy.address() as { port: number }).port);
    try {
      const tiny = [...TINY_FULL, '--backends', 'postgres', '--repetitions', '6', '--output', here.journal];
      const run = here.run([...tiny, '--timeout-seconds', '10', '--postgres-uri', url.href]);
      await expect.poll(() => rows().length, { timeout: 60_000, interval: 20 }).toBeGreaterThanOrEqual(1);
      await wait(500);
      forwards = false;
      for (const socket of sockets) socket.unpipe().pause();
      const start = performance.now();
      const { exitCode, stderr } = await run;
      expect(exitCode).toBe(6);
      expect(performance.now() - start).toBeLessThan(180_000);
      expect(rows().filter((row) => !row.success)).toHaveLength(1);
      expect(rows().at(-1)?.failure).toMatchObject({ reason: 'server_lost' });
      expect(stderr).toContain('--resume --postgres-uri "$TEST_POSTGRES_URI"');
      expect(stderr).not.toContain(url.password);
    } finally {
      sockets.forEach((socket) => socket.destroy());
      await new Promise((resolve) => void proxy.close(resolve));
    }
    await expect.poll(() => here.left(), { timeout: 10_000 }).toEqual([]);
  });

  describe('whose role is limited', () => {
    const ROLE = 'deltaproof_limited_test';

    async function limited(setting: string, run: (uri: string) => Promise<void>): Promise<void> {
      const client = new pg.Client({ connectionString: uri });
      await client.connect();
      await client.query(`CREATE ROLE ${ROLE} LOGIN PASSWORD 'L1mited-role' ${setting}`);
      try {
        await client.query(`GRANT CREATE ON DATABASE postgres TO ${ROLE}`);
        const url = new URL(uri);
        [url.username, url.password] = [ROLE, 'L1mited-role'];
        await run(url.href);
      } finally {
        await client.query(`REVOKE ALL ON DATABASE postgres FROM ${ROLE}`);
        await client.query(`DROP ROLE ${ROLE}`);
        await client.end();
      }
    }

    const one = (given: string) => [
      ...TINY_FULL,
      '--backends',
      'postgres',
      '--repetitions',
      '1',
      '--postgres-uri',
      given,
    ];

    it.each([
      [3, 6],
      [12, 0],
    ])('to %s connections ends a run with exit code %s', async (connections, expected) => {
      await limited(`CONNECTION LIMIT ${connections}`, async (given) => {
        const { exitCode } = await here.run([...one(given), '--output', here.journal]);
        expect(exitCode).toBe(expected);
        if (expected !== 0) expect(rows()[0]?.failure?.message).toMatch(/too many connections for role/);
      });
    });

    it('to reading ends a run with exit code 6, in the words of the server', async () => {
      await limited('', async (given) => {
        const client = new pg.Client({ connectionString: uri });
        await client.connect();
        await client.query(`ALTER ROLE ${ROLE} SET default_transaction_read_only = on`);
        await client.end();
        const { exitCode } = await here.run([...one(given), '--output', here.journal]);
        expect(exitCode).toBe(6);
        expect(rows()[0]?.failure?.message).toMatch(
          /cannot execute CREATE SCHEMA in a read-only transaction/,
        );
        await expect.poll(() => here.left(), { timeout: 10_000 }).toEqual([]);
      });
    });
  });
});
