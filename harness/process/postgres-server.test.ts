// Servers of a run as the controller has them: one of its own, one that was named, and those that refuse or end.

import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { processState, type ProcessIdentity } from '../record/process-identity.js';
import { startBuiltServer } from './built-server.support.test.js';
import type { DatabaseServer } from './postgres-server.js';

const postgres = inject('postgres');
const PASSWORD = 'C0rrect-h0rse';
const REFUSES = 'The server of --postgres-uri (or TEST_POSTGRES_URI) cannot be used: ';

let folder = '';
const started: DatabaseServer[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deltaproof-test-'));
  chmodSync(folder, 0o755);
});
afterEach(async () => {
  for (const server of started.splice(0)) await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function start(uri: string | null): Promise<DatabaseServer> {
  const server = await startBuiltServer(uri, join(folder, 'postgres'));
  started.push(server);
  return server;
}

async function connected(uri: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: uri });
  client.on('error', () => {});
  await client.connect();
  return client;
}

async function schemas(client: pg.Client, prefix: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT nspname::text AS name FROM pg_namespace WHERE starts_with(nspname, $1) ORDER BY 1',
    [prefix],
  );
  return rows.map(({ name }) => name);
}

describe.skipIf('missing' in postgres)('a server that was named', () => {
  const uri = 'missing' in postgres ? '' : postgres.uri;
  let client: pg.Client;
  const withUser = (user: string, password: string, change: (url: URL) => void = () => {}): string => {
    const url = new URL(uri);
    [url.username, url.password] = [user, password];
    change(url);
    return url.href;
  };

  beforeAll(async () => {
    client = await connected(uri);
    await client.query(`CREATE ROLE deltaproof_server_test LOGIN PASSWORD '${PASSWORD}'`);
  });
  afterAll(async () => {
    await client.query('DROP ROLE deltaproof_server_test');
    await client.end();
  });

  it('is told by its version and a hash', async () => {
    const { name } = await start(uri);
    expect(name).toMatch(/^\d+(?:\.\d+)? \S*?[0-9a-f]{16}$/);
    expect((await start(uri)).name).toBe(name);
  });

  it('is there until it is asked to end, which removes the schemas of the run and no other', async () => {
    const server = await start(uri);
    const [one, twelve] = [server.schemaOf('1'), server.schemaOf('12')];
    const other = (await start(uri)).schemaOf('1');
    for (const { schema } of [one, twelve, other]) await client.query(`CREATE SCHEMA ${schema}`);
    expect(await server.problem()).toBeNull();
    await server.drop(one);
    expect(await schemas(client, one.schema)).toEqual([twelve.schema]);
    await server.stop();
    expect(await schemas(client, twelve.schema)).toEqual([]);
    expect(await schemas(client, other.schema)).toEqual([other.schema]);
    expect(existsSync(join(folder, 'postgres'))).toBe(false);
  });

  it('is cleaned up though its connection to the keeper broke', async () => {
    const server = await start(uri);
    const { schema } = server.schemaOf('1');
    await client.query(`CREATE SCHEMA ${schema}`);
    const broken = await client.query(
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_locks JOIN pg_stat_activity USING (pid)
       WHERE locktype = 'advisory' AND application_name = 'deltaproof-keeper'
         AND ((classid::bigint << 32) + objid::bigint) = $1`,
      [BigInt(`0x64${schema.split('_')[1] ?? ''}`).toString()],
    );
    expect(broken.rowCount).toBe(1);
    expect(await server.problem()).toBeNull();
    await server.stop();
    expect(await schemas(client, schema)).toEqual([]);
  });

  it('keeps its keeper, whatever its role is set to', async () => {
    const role = withUser('deltaproof_server_test', PASSWORD);
    const settings = [
      'idle_session_timeout = 50',
      'statement_timeout = 1',
      `search_path = 'evil, pg_catalog'`,
    ];
    for (const setting of settings) await client.query(`ALTER ROLE deltaproof_server_test SET ${setting}`);
    const server = await start(role);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await server.leftovers()).toEqual([]);
    await client.query('ALTER ROLE deltaproof_server_test RESET ALL');
  });

  it.each<[string, () => string, string]>([
    [
      'with a wrong password',
      () => withUser('deltaproof_server_test', 'Wr0ng-h0rse'),
      'password authentication failed for user "deltaproof_server_test".',
    ],
    [
      'with a password in the query that is wrong',
      () =>
        withUser('', '', (url) => {
          url.searchParams.set('user', 'deltaproof_server_test');
          url.searchParams.set('password', 'Wr0ng-h0rse');
        }),
      'password authentication failed for user "deltaproof_server_test".',
    ],
    [
      'without such a database',
      () => withUser('deltaproof_server_test', PASSWORD, (url) => (url.pathname = '/nowhere')),
      'database "nowhere" does not exist.',
    ],
    [
      'with SSL, which it does not have',
      () => withUser('deltaproof_server_test', PASSWORD, (url) => (url.search = '?sslmode=require')),
      'The server does not support SSL connections.',
    ],
    ['with two hosts', () => `postgresql://u:${PASSWORD}@one:1,two:2/db`, 'it is no URI that can be read.'],
    [
      'with no number for a port',
      () => `postgresql://u:${PASSWORD}@one:port/db`,
      'it is no URI that can be read.',
    ],
    [
      'at a socket that is not there',
      () => `postgresql://u:${PASSWORD}@/db?host=/nowhere/at/all`,
      'connect ENOENT .s.PGSQL.5432.',
    ],
  ])('%s refuses with one sentence and no password', async (_, uriOf, sentence) => {
    const given = uriOf();
    const problem = await start(given).catch((error: unknown) => error);
    expect(problem).toMatchObject({ name: 'CommandError', exitCode: 7, message: `${REFUSES}${sentence}` });
    expect(JSON.stringify(problem)).not.toContain('h0rse');
  });

  it('that nobody listens at, or that is no Postgres, refuses', async () => {
    const listener = createServer((socket) => void socket.resume().end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await new Promise<void>((resolve) => void listener.listen(0, '127.0.0.1', resolve));
    const { port } = listener.address() as { port: number };
    const at = `postgresql://u:${PASSWORD}@127.0.0.1:${port}/db`;
    const talks = await start(at).catch((error: unknown) => error);
    expect(talks).toMatchObject({ exitCode: 7, message: expect.stringMatching(/cannot be used: [^\n]+\.$/) });
    await new Promise((resolve) => void listener.close(resolve));
    const silent = await start(at).catch((error: unknown) => error);
    expect(silent).toMatchObject({
      exitCode: 7,
      message: `${REFUSES}connect ECONNREFUSED 127.0.0.1:${port}.`,
    });
  });
});

describe.skipIf('missing' in postgres)("a server of the run's own", () => {
  const recorded = (): ProcessIdentity =>
    JSON.parse(readFileSync(join(folder, 'postgres', 'server.json'), 'utf8')) as ProcessIdentity;

  it('listens on the loopback, with a password, and ends when it is asked to', async () => {
    const server = await start(null);
    expect(server.name).toMatch(/^embedded \d+/);
    const { uri, schema } = server.schemaOf('A case-1');
    expect(schema).toMatch(/^deltaproof_[0-9a-f]{12}_a_case_1$/);
    const url = new URL(uri);
    expect([url.hostname, url.password.length]).toEqual(['127.0.0.1', 32]);
    const client = await connected(uri);
    const settings =
      "SELECT current_setting('listen_addresses') || current_setting('unix_socket_directories') AS at";
    expect((await client.query(settings)).rows).toEqual([{ at: '127.0.0.1' }]);
    url.password = 'guessed';
    await expect(connected(url.href)).rejects.toThrow('password authentication failed');
    expect(processState(recorded())).toBe('running');
    await server.stop();
    expect(processState(recorded())).toBe('ended');
    await client.end().catch(() => {});
  });

  it('that is killed is noticed, and its keeper ends all the same', async () => {
    const server = await start(null);
    expect(await server.problem()).toBeNull();
    process.kill(recorded().pid, 'SIGKILL');
    await expect
      .poll(() => server.problem(), { timeout: 10_000 })
      .toBe('The Postgres server of this run has ended.');
    const before = performance.now();
    await server.stop();
    // It does not wait for the end of what has ended.
    expect(performance.now() - before).toBeLessThan(20_000);
  });

  it('goes on where one of its processes has crashed, once it has recovered', async () => {
    const server = await start(null);
    const client = await connected(server.schemaOf('1').uri);
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const ended = new Promise((resolve) => void client.once('end', resolve));
    process.kill(rows[0]?.pid ?? 0, 'SIGKILL');
    await ended;
    // The server ends its other connections a moment later, and then refuses new ones until it has recovered.
    const comesBack = async () => {
      await (await connected(server.schemaOf('1').uri)).end();
      return true;
    };
    await expect.poll(() => comesBack().catch(() => false), { timeout: 10_000 }).toBe(true);
    expect(await server.problem()).toBeNull();
  });
});
