// `deltaproof doctor` on a Postgres server that the user has named.

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { CheckResult } from './commands/doctor/check.js';
import { start, useFolder } from './program.support.test.js';

const postgres = inject('postgres');
const folder = useFolder();

describe.skipIf('missing' in postgres)('on a server that was named', () => {
  const server = 'missing' in postgres ? '' : postgres.uri;
  /** Its own database: the schemas of the tests beside it come and go in the server's first one. */
  const DATABASE = `deltaproof_doctor_${process.pid}`;
  const uri = server && Object.assign(new URL(server), { pathname: DATABASE }).href;
  /** A run that has ended; the second leftover has the size of its table. */
  const LEFT = ['deltaproof_0123456789ab_1', 'deltaproof_0123456789ab_2'] as const;
  const OURS_NOT = ['deltaproof_mine', 'deltaproofs_0123456789ab_1'];
  const db = new pg.Client({ connectionString: uri });

  async function onServer(sql: string): Promise<void> {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    await client.query(sql);
    await client.end();
  }

  beforeAll(async () => {
    await onServer(`CREATE DATABASE ${DATABASE}`);
    await db.connect();
    await db.query("CREATE ROLE doctor_without_rights LOGIN PASSWORD 'Tr0ub4dor_doctor'");
  });
  afterAll(async () => {
    await db.end();
    await onServer(`DROP DATABASE ${DATABASE}`);
    await onServer('DROP ROLE doctor_without_rights');
  });

  async function doctor(...args: string[]) {
    const given = ['doctor', '--json', '--work-dir', '.', '--backends', 'postgres', ...args];
    const { exitCode, stdout, stderr } = await start(folder.path, given);
    const { checks } = JSON.parse(stdout) as { readonly checks: readonly CheckResult[] };
    const of = (name: string) => checks.filter(({ check }) => check === name);
    return { exitCode, stdout, stderr, backends: of('backends'), leftovers: of('leftovers') };
  }

  const schemas = async (): Promise<string[]> => {
    const { rows } = await db.query<{ name: string }>(
      `SELECT nspname AS name FROM pg_namespace WHERE nspname = ANY ($1) ORDER BY nspname`,
      [[...LEFT, ...OURS_NOT]],
    );
    return rows.map(({ name }) => name);
  };

  it('opens a store there and leaves nothing', async () => {
    const before = await db.query('SELECT count(*) FROM pg_namespace');
    const { exitCode, backends, leftovers } = await doctor('--postgres-uri', uri);
    expect(backends).toMatchObject([{ status: 'fine', facts: { backend: 'postgres', error: null } }]);
    expect(leftovers.at(-1)).toMatchObject({ what: 'No ended run has left a schema on the server.' });
    expect(exitCode).toBe(0);
    expect((await db.query('SELECT count(*) FROM pg_namespace')).rows).toEqual(before.rows);
  });

  it('lists what ended runs have left there, and drops it with --clean alone', async () => {
    for (const schema of [...LEFT, ...OURS_NOT]) await db.query(`CREATE SCHEMA ${schema}`);
    await db.query(`CREATE TABLE ${LEFT[1]}.checkpoints (thread_id text PRIMARY KEY)`);
    const listed = await doctor('--postgres-uri', uri);
    expect(listed.exitCode).toBe(0);
    expect(listed.leftovers.at(-1)).toEqual({
      check: 'leftovers',
      status: 'warning',
      // An empty table, its empty TOAST table with an index of one page, and its own index of one page.
      what: `Runs that have ended left 2 schemas on the server, 16.4 kB: ${LEFT.join(', ')}.`,
      facts: { schemas_found: 2, schemas_left: 2, bytes_found: 16_384 },
      fix: 'deltaproof doctor --clean --postgres-uri "$TEST_POSTGRES_URI"',
    });
    expect(await schemas()).toEqual([...LEFT, ...OURS_NOT]);
    const cleaned = await doctor('--postgres-uri', uri, '--clean');
    expect(cleaned.leftovers.at(-1)).toMatchObject({
      status: 'fine',
      what: `Dropped 2 schemas of runs that have ended, 16.4 kB: ${LEFT.join(', ')}.`,
    });
    expect(await schemas()).toEqual(OURS_NOT);
  });

  it('misses a server that refuses, and one whose role may make no schema, without the password', async () => {
    const url = new URL(uri);
    [url.username, url.password] = ['doctor_without_rights', 'Tr0ub4dor_doctor'];
    const poor = await doctor('--postgres-uri', url.href);
    expect(poor.exitCode).toBe(7);
    expect(poor.backends).toMatchObject([
      {
        status: 'missing',
        what: `postgres does not start: permission denied for database ${DATABASE}`,
        fix: expect.stringContaining('GRANT CREATE ON DATABASE'),
      },
    ]);
    expect(poor.leftovers.at(-1)).toMatchObject({ facts: { schemas_found: 0 } });
    url.password = 'Wr0ng_doctor';
    const refused = await doctor('--postgres-uri', url.href);
    expect(refused.exitCode).toBe(7);
    expect(refused.backends[0]?.what).toBe(
      'postgres does not start: The server of --postgres-uri (or TEST_POSTGRES_URI) cannot be used: password authentication failed for user "doctor_without_rights".',
    );
    expect(refused.backends[0]?.fix).toContain('lets you in');
    // What has no server has no leftovers either.
    expect(refused.leftovers).toHaveLength(1);
    for (const { stdout, stderr } of [poor, refused]) expect(stdout + stderr).not.toMatch(/_doctor(?!_)/);
  });
});
