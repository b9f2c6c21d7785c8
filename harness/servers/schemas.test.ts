import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { dropSchemas, holdRun, leftoverSchemas } from './schemas.js';

const postgres = inject('postgres');

describe.skipIf('missing' in postgres)('the schemas of runs', () => {
  const uri = 'missing' in postgres ? '' : postgres.uri;
  const client = new pg.Client({ connectionString: uri });
  const [run, other] = [1, 2].map(() => randomBytes(6).toString('hex')) as [string, string];
  const made = new Set<string>();

  beforeAll(() => client.connect());
  afterAll(async () => {
    for (const schema of made) await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
    await client.end();
  });

  async function make(...schemas: string[]): Promise<void> {
    for (const schema of schemas) {
      made.add(schema);
      await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
      await client.query(`CREATE TABLE IF NOT EXISTS ${schema}.kept (id int PRIMARY KEY)`);
    }
  }

  async function there(): Promise<string[]> {
    const { rows } = await client.query<{ name: string }>(
      'SELECT nspname::text AS name FROM pg_namespace WHERE nspname = ANY ($1) ORDER BY 1',
      [[...made]],
    );
    return rows.map(({ name }) => name);
  }

  /** Of those that this test has made; other tests have their own. */
  const leftovers = async () =>
    (await leftoverSchemas(client)).filter(({ schema }) => made.has(schema)).map(({ schema }) => schema);

  it('are dropped by the name of a store, with those of its parts, and no other that begins like it', async () => {
    const [one, parts, twelve] = [
      `deltaproof_${run}_1`,
      `deltaproof_${run}_1_empty2`,
      `deltaproof_${run}_12`,
    ];
    await make(one, parts, twelve);
    await dropSchemas(client, one);
    expect(await there()).toEqual([twelve]);
  });

  it("are dropped by the name of a run, and no other run's", async () => {
    await make(`deltaproof_${run}_1`, `deltaproof_${run}_2`, `deltaproof_${other}_1`);
    await dropSchemas(client, `deltaproof_${run}`);
    expect(await there()).toEqual([`deltaproof_${other}_1`]);
  });

  it('are not those that no run has made, which are neither dropped nor listed', async () => {
    const foreign = [
      'deltaproof_mine',
      'deltaproofs_0123456789ab_1',
      `deltaproof_${run}`,
      `xdeltaproof_${run}_1`,
      `"deltaproof_${run}_Quoted"`,
    ];
    await make(...foreign);
    made.add(`deltaproof_${run}_Quoted`);
    expect(await leftovers()).toEqual([`deltaproof_${other}_1`]);
    await dropSchemas(client, `deltaproof_${run}_1`);
    await dropSchemas(client, `deltaproof_${other}`);
    expect(await there()).toHaveLength(foreign.length);
    await expect(dropSchemas(client, 'public')).resolves.toBeUndefined();
  });

  it('are not left over while their run goes on, and are once it has ended', async () => {
    const schema = `deltaproof_${other}_7`;
    await make(schema, `deltaproof_${other}_8`);
    const [first, second] = [1, 2].map(() => new pg.Client({ connectionString: uri })) as [
      pg.Client,
      pg.Client,
    ];
    await first.connect();
    await second.connect();
    await holdRun(first, other);
    await holdRun(second, other);
    expect(await leftovers()).toEqual([]);
    await first.end();
    expect(await leftovers()).toEqual([]);
    await second.end();
    await expect.poll(leftovers).toEqual([schema, `deltaproof_${other}_8`]);
    // To have asked leaves no lock behind.
    const { rows } = await client.query(
      "SELECT FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()",
    );
    expect(rows).toEqual([]);
  });

  it('are told with their size on disk', async () => {
    const schema = `deltaproof_${other}_9`;
    await make(schema);
    await client.query(`INSERT INTO ${schema}.kept SELECT generate_series(1, 10000)`);
    const found = (await leftoverSchemas(client)).find((leftover) => leftover.schema === schema);
    const { rows } = await client.query<{ bytes: string }>(
      `SELECT pg_total_relation_size('${schema}.kept')::text AS bytes`,
    );
    expect(found?.bytes).toBe(Number(rows[0]?.bytes));
    expect(found?.bytes).toBeGreaterThan(300_000);
  });

  it('are those of another role as little as if they were not there', async () => {
    const role = `deltaproof_test_${run}`;
    await client.query(`CREATE ROLE ${role} LOGIN PASSWORD 'Str4nger'`);
    const url = new URL(uri);
    [url.username, url.password] = [role, 'Str4nger'];
    const stranger = new pg.Client({ connectionString: url.href });
    await stranger.connect();
    try {
      const schema = `deltaproof_${other}_10`;
      await make(schema);
      expect(await leftovers()).toContain(schema);
      expect(await leftoverSchemas(stranger)).toEqual([]);
      await dropSchemas(stranger, `deltaproof_${other}`);
      expect(await there()).toContain(schema);
    } finally {
      await stranger.end();
      await client.query(`DROP ROLE ${role}`);
    }
  });
});
