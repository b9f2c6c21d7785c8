// Runs on Postgres as a user meets them: with a server of the run's own, and with a password that nobody may read.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { linesOf, rowsOf } from './program.support.test.js';
import { TINY_FULL, usePostgresRuns } from './postgres.support.test.js';

const postgres = inject('postgres');
const here = usePostgresRuns();

describe.skipIf('missing' in postgres)('without a server', () => {
  it("channels measures all backends, on a server of the run's own, and leaves nothing", async () => {
    const { exitCode, stdout, stderr } = await here.run(
      [...TINY_FULL, '--backends', 'memory,sqlite,postgres', '--repetitions', '1', '--output', here.journal],
      { TMPDIR: here.workDir },
    );
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('[3/3]')]);
    expect(stdout).toContain('postgres append N=2 p=128 words seed 1');
    const rows = rowsOf(here.journal).map(({ case: { backend }, success, provenance }) => [
      backend,
      { success, server: provenance.server },
    ]);
    expect(Object.fromEntries(rows)).toEqual({
      memory: { success: true, server: null },
      postgres: { success: true, server: expect.stringMatching(/^embedded \d+/) },
      sqlite: { success: true, server: null },
    });
    const row = rowsOf(here.journal).find(({ case: c }) => c.backend === 'postgres');
    expect(row?.measurement?.metrics).toMatchObject({
      statements_per_update: 22,
      round_trips_per_update: 22,
      statements_per_read: 1,
      round_trips_per_read: 1,
    });
    expect(row?.measurement?.metrics.server_wal_bytes).toBeGreaterThan(0);
    await expect.poll(() => here.left(), { timeout: 5000 }).toEqual([]);
    expect(readdirSync(here.path).toSorted()).toEqual(['run.jsonl', 'work']);
  }, 60_000);
});

describe.skipIf('missing' in postgres)('the password of a server', () => {
  const PASSWORD = 'Xy7\'Zq"9@Wv:Kk';
  const ROLE = 'deltaproof_secret_test';
  const client = new pg.Client({ connectionString: 'missing' in postgres ? '' : postgres.uri });
  const uri = (change: (url: URL) => void = () => {}): string => {
    const url = new URL('missing' in postgres ? 'http://nowhere' : postgres.uri);
    [url.username, url.password] = [ROLE, encodeURIComponent(PASSWORD)];
    change(url);
    return url.href;
  };

  beforeAll(async () => {
    await client.connect();
    await client.query(`CREATE ROLE ${ROLE} LOGIN PASSWORD ${client.escapeLiteral(PASSWORD)}`);
    await client.query(`GRANT CREATE ON DATABASE postgres TO ${ROLE}`);
  });
  afterAll(async () => {
    await client.query(`REVOKE ALL ON DATABASE postgres FROM ${ROLE}`);
    await client.query(`DROP ROLE ${ROLE}`);
    await client.end();
  });

  /** Every text that a run has left, by where it is. */
  function texts({
    stdout,
    stderr,
  }: {
    readonly stdout: string;
    readonly stderr: string;
  }): Record<string, string> {
    const files = readdirSync(here.path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    return { stdout, stderr, ...Object.fromEntries(files.map((file) => [file, readFileSync(file, 'utf8')])) };
  }

  /** Also where it is escaped, or only a piece of it is there. */
  function expectNoSecret(ran: { readonly stdout: string; readonly stderr: string }): void {
    for (const [where, text] of Object.entries(texts(ran))) {
      for (const piece of ['Xy7', 'Zq', 'Wv%3AKk', 'Wv:Kk'])
        expect([where, piece, text.includes(piece) ? text : '']).toEqual([where, piece, '']);
    }
  }

  const places = () => ['--work-dir', 'work', '--postgres-uri', uri()];

  it('reaches no output, journal or report of channels, and the schemas of the run are gone', async () => {
    const before = await schemaCount();
    const args = [...TINY_FULL, '--backends', 'postgres', '--repetitions', '1'];
    const ran = await here.run([...args, ...places()]);
    expect([ran.exitCode, ran.stderr]).toEqual([0, expect.stringContaining('[1/1]')]);
    const [run = ''] = readdirSync(join(here.path, '.deltaproof'));
    expect(readdirSync(join(here.path, '.deltaproof', run)).toSorted()).toEqual([
      'journal.jsonl',
      'summary.csv',
      'summary.md',
    ]);
    expect(rowsOf(join(here.path, '.deltaproof', run, 'journal.jsonl'))[0]?.provenance.server).toMatch(
      / [0-9a-f]{16}$/,
    );
    expectNoSecret(ran);
    expect(await schemaCount()).toBe(before);
  }, 60_000);

  it('reaches none of verify', async () => {
    const args = [
      'verify',
      '--scenarios',
      'linear',
      '--backends',
      'postgres',
      '--quick',
      '--output',
      here.journal,
    ];
    const reports = ['--junit', 'junit.xml', '--markdown', 'verify.md'];
    const ran = await here.run([...args, ...reports, ...places()]);
    expect([ran.exitCode, ran.stdout]).toEqual([0, expect.stringMatching(/^linear +holds$/m)]);
    expect(linesOf(here.journal)).toHaveLength(2);
    expectNoSecret(ran);
  }, 60_000);

  it.each<[string, () => string, RegExp]>([
    [
      'an unknown database',
      () => uri((url) => (url.pathname = '/nowhere')),
      /database "nowhere" does not exist\.$/m,
    ],
    [
      'a wrong password',
      () => uri((url) => (url.password = `${url.password}wrong`)),
      /password authentication failed for user "deltaproof_secret_test"\.$/m,
    ],
    ['a host with a bad port', () => uri().replace(/:\d+\//, ':port/'), /it is no URI that can be read\.$/m],
  ])('reaches none of a run that %s ends with exit code 7', async (_, given, sentence) => {
    const args = [...TINY_FULL, '--backends', 'postgres', '--output', here.journal, '--work-dir', 'work'];
    const ran = await here.run(args, { TEST_POSTGRES_URI: given() });
    expect([ran.exitCode, ran.stdout]).toEqual([7, '']);
    expect(ran.stderr).toMatch(sentence);
    expect(ran.stderr.trim().split('\n')).toHaveLength(1);
    expectNoSecret(ran);
    expect(readdirSync(here.path)).toEqual(['work']);
    await expect.poll(() => here.left(), { timeout: 5000 }).toEqual([]);
  });

  it('reaches none of a command line that is not understood', async () => {
    for (const args of [
      ['channels', '--postgres-url', uri()],
      ['channels', uri()],
      ['channels', '--backends', 'postgres', '--postgres-uri', `mysql${uri().slice(8)}`],
      ['channels', '--backends', 'postgres', '--postgres-uri', uri(), '--postgres-uri', uri()],
      [uri()],
      ['channels', '--backends', uri()],
      ['channels', '--output', uri(), '--resume', '--overwrite'],
    ]) {
      const ran = await here.run(args);
      expect([args[0], ran.exitCode]).toEqual([args[0], 2]);
      expectNoSecret(ran);
    }
  });

  it('reaches none of the rows of a run whose role may make no schema, each of which says so', async () => {
    await client.query(`REVOKE CREATE ON DATABASE postgres FROM ${ROLE}`);
    const args = [...TINY_FULL, '--backends', 'postgres', '--repetitions', '1', '--output', here.journal];
    const ran = await here.run([...args, ...places()]);
    await client.query(`GRANT CREATE ON DATABASE postgres TO ${ROLE}`);
    expect(ran.exitCode).toBe(6);
    expect(rowsOf(here.journal)[0]?.failure?.message).toBe(
      'The writer exited with code 1 before it reported. It said: error: permission denied for database postgres',
    );
    expectNoSecret(ran);
  }, 60_000);

  async function schemaCount(): Promise<number | undefined> {
    const { rows } = await client.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM pg_namespace WHERE pg_get_userbyid(nspowner) = $1',
      [ROLE],
    );
    return rows[0]?.n;
  }
});
