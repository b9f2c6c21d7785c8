import { uuid6 } from '@langchain/langgraph-checkpoint';
import { describe, expect, it } from 'vitest';
import { checkpointOf, configOf, metadataOf, putWrites } from '../../fixtures/scenarios/rows-by-hand.js';
import { appended, HAS_NO_SERVER, THREAD, usePostgres } from './postgres.support.test.js';
import { TABLES } from './postgres-thread.js';
import type { FloorRequest, StoreFloor } from './saver.js';

const here = usePostgres();

async function open(request: Partial<FloorRequest> & Pick<FloorRequest, 'heads'>): Promise<StoreFloor> {
  const { openFloor } = here().store;
  if (openFloor === null) throw new Error('Postgres has a floor.');
  return openFloor({ threadId: THREAD, seedId: null, readsChain: false, ...request });
}

/** Every column of every row of the thread as the server prints them, by table. */
async function rowsOf(prefix: '' | 'floor_', thread = THREAD): Promise<Record<string, unknown[]>> {
  const tables: [string, unknown[]][] = [];
  for (const table of TABLES) {
    const { rows } = await here().db.query<{ row: string }>(
      `SELECT t::text AS row FROM ${prefix}${table} t WHERE thread_id = $1 ORDER BY 1`,
      [thread],
    );
    tables.push([table, rows.map(({ row }) => row)]);
  }
  return Object.fromEntries(tables);
}

/** How many transactions have made the rows of all three tables. */
async function transactionsOf(prefix: '' | 'floor_'): Promise<number | undefined> {
  const { rows } = await here().db.query<{ n: number }>(
    `SELECT count(DISTINCT id)::int AS n FROM (
       ${TABLES.map((table) => `SELECT xmin::text AS id FROM ${prefix}${table}`).join(' UNION ALL ')}) t`,
  );
  return rows[0]?.n;
}

async function expectSameRows(): Promise<void> {
  const source = await rowsOf('');
  expect(await rowsOf('floor_')).toEqual(source);
  expect(source['checkpoints']).not.toEqual([]);
}

const at = (id: string, namespace = '') => configOf(id, { thread: THREAD, namespace });

describe.skipIf(HAS_NO_SERVER)('replayed writes', () => {
  it.each([
    ['full', null],
    ['delta', 3],
  ])('leave the rows of a %s thread byte for byte, in the transactions that the saver made', async (_, k) => {
    const heads = await appended(here(), 7, k);
    const written = await (await open({ heads })).replayWrites();
    await expectSameRows();
    // An update makes three checkpoints with five blobs, and two calls of putWrites with three rows between them.
    expect(written).toMatchObject({ rows: 7 * 11, transactions: 7 * 5 });
    expect(await transactionsOf('floor_')).toBe(7 * 5);
    expect(await transactionsOf('')).toBe(7 * 5);
    expect(written.writeMs).toBeGreaterThan(0);
    expect(written.headReadMs).toBeGreaterThan(0);
  });

  it('leave out other threads', async () => {
    await appended(here(), 2, null, 'another');
    const heads = await appended(here(), 2, null);
    await (await open({ heads })).replayWrites();
    await expectSameRows();
    expect((await rowsOf('floor_', 'another'))['checkpoints']).toEqual([]);
  });

  it('start over when they are made again', async () => {
    const floor = await open({ heads: await appended(here(), 2, null) });
    const [first, second] = [await floor.replayWrites(), await floor.replayWrites()];
    expect(second.rows).toBe(first.rows);
    await expectSameRows();
  });

  it("go to tables with the keys and defaults of the saver's", async () => {
    const { db } = here();
    await (await open({ heads: await appended(here(), 1, null) })).replayWrites();
    const shape = async (prefix: string) => {
      const { rows } = await db.query(
        `SELECT a.attname, a.atttypid, a.attnotnull, pg_get_expr(d.adbin, d.adrelid) AS "default",
           (SELECT array_agg(i.indkey::text) FROM pg_index i WHERE i.indrelid = a.attrelid) AS keys
         FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
         WHERE a.attrelid = ANY ($1::regclass[]) AND a.attnum > 0 ORDER BY a.attrelid::regclass::text, a.attnum`,
        [TABLES.map((table) => `${prefix}${table}`)],
      );
      return rows as unknown[];
    };
    expect(await shape('floor_')).toEqual(await shape(''));
  });
});

describe.skipIf(HAS_NO_SERVER)('rows that are out of line', () => {
  it('arrive: writes without a checkpoint are an error, since no checkpoint brings them', async () => {
    const heads = await appended(here(), 1, 10);
    await putWrites(here().store.saver, at(uuid6(0)), ['orphan'], 1);
    await expect((await open({ heads })).replayWrites()).rejects.toThrow(
      'The copy has 11 rows of the thread, its source 12.',
    );
  });

  it('arrive: interrupts, resumes, errors, bytes and an empty value', async () => {
    const { saver } = here().store;
    const heads = await appended(here(), 2, 10);
    const head = at(heads[1] ?? '');
    await saver.putWrites(head, [['__resume__', 1]], 'task');
    await saver.putWrites(head, [['__interrupt__', { when: 'now' }]], 'task');
    await saver.putWrites(head, [['__error__', 'no']], 'other');
    const bytes = new Uint8Array([0, 255]);
    await saver.putWrites(
      head,
      [
        ['raw', bytes],
        ['empty', new Uint8Array()],
      ],
      'third',
    );
    const written = await (await open({ heads })).replayWrites();
    // One for each of three tasks more, though one of them wrote twice.
    expect(written).toMatchObject({ rows: 22 + 5, transactions: 10 + 3 });
    await expectSameRows();
  });

  it('arrive: checkpoints, blobs and writes of a subgraph, also after the last head', async () => {
    const { saver } = here().store;
    const heads = await appended(here(), 2, 10);
    const id = uuid6(0);
    const sub = { configurable: { thread_id: THREAD, checkpoint_ns: 'sub:1' } };
    await saver.put(sub, checkpointOf(id, { items: ['x'] }), metadataOf(0), { items: 1 });
    await putWrites(saver, at(id, 'sub:1'), ['x'], 1);
    await (await open({ heads })).replayWrites();
    await expectSameRows();
  });

  it('arrive: an update that stored nothing has the head of the one before', async () => {
    const heads = await appended(here(), 2, 10);
    const floor = await open({ heads: [...heads, ...heads.slice(-1)] });
    expect((await floor.replayWrites()).rows).toBe(22);
    await expectSameRows();
  });
});

describe.skipIf(HAS_NO_SERVER)('a read of the head', () => {
  interface Read {
    readonly checkpoints: readonly {
      readonly checkpoint: { readonly id: string };
      readonly metadata: { readonly step: number };
    }[];
    readonly values: readonly unknown[];
  }
  const idsOf = ({ checkpoints }: Read) => checkpoints.map(({ checkpoint }) => checkpoint.id);

  async function ids(): Promise<string[]> {
    const { rows } = await here().db.query<{ id: string }>(
      'SELECT checkpoint_id AS id FROM checkpoints WHERE thread_id = $1 ORDER BY 1',
      [THREAD],
    );
    return rows.map(({ id }) => id);
  }

  it('takes the head and its blobs alone in full mode', async () => {
    const heads = await appended(here(), 5, null);
    const floor = await open({ heads, seedId: heads[0] ?? null });
    await floor.replayWrites();
    const read = (await floor.readHead()) as Read;
    expect(idsOf(read)).toEqual([heads[4]]);
    expect(read.checkpoints[0]?.metadata.step).toBe(13);
    const messages = Array.from({ length: 5 }, () => ({ lc: 1 }));
    expect(read.values).toContainEqual(
      expect.objectContaining(messages.map((each) => expect.objectContaining(each))),
    );
  });

  it('takes checkpoints and writes from the seed on in delta mode, and the blobs of both ends', async () => {
    const heads = await appended(here(), 5, 3);
    const all = await ids();
    const seedId = all[7] ?? null;
    const floor = await open({ heads, seedId, readsChain: true });
    await floor.replayWrites();
    const read = (await floor.readHead()) as Read;
    expect(idsOf(read)).toEqual(all.slice(7).toReversed());
    const snapshots = read.values.filter((value) => JSON.stringify(value)?.includes('delta_snapshot'));
    expect(snapshots).toHaveLength(1);
    const writes = read.values.filter((value) => Array.isArray(value) && value.length === 1);
    expect(writes).toHaveLength(2);
  });

  it('takes the whole chain in delta mode where there is no seed', async () => {
    const heads = await appended(here(), 4, 10);
    const floor = await open({ heads, readsChain: true });
    await floor.replayWrites();
    expect(idsOf((await floor.readHead()) as Read)).toEqual((await ids()).toReversed());
  });

  it('leaves bytes as they are and takes no other namespace', async () => {
    const { saver } = here().store;
    const heads = await appended(here(), 1, null);
    const head = heads[0] ?? '';
    for (const [namespace, bytes] of [
      ['', [123, 0]],
      ['sub', [9]],
    ] as const)
      await saver.putWrites(at(head, namespace), [['raw', new Uint8Array(bytes)]], 'a');
    const floor = await open({ heads });
    // The write in a namespace without a checkpoint cannot arrive.
    await expect(floor.replayWrites()).rejects.toThrow('The copy has 12 rows of the thread, its source 13.');
    await here().db.query("DELETE FROM checkpoint_writes WHERE checkpoint_ns = 'sub'");
    await floor.replayWrites();
    const { values } = (await floor.readHead()) as Read;
    expect(values.filter((value) => Buffer.isBuffer(value))).toEqual([Buffer.from([123, 0])]);
  });

  it('needs the writes first', async () => {
    const floor = await open({ heads: await appended(here(), 1, null) });
    expect(() => floor.readHead()).toThrow(/once the writes have been replayed/);
  });
});

describe.skipIf(HAS_NO_SERVER)('a floor', () => {
  it('takes its tables away when it is closed, and leaves those of the saver', async () => {
    const heads = await appended(here(), 2, null);
    const before = await rowsOf('');
    const floor = await open({ heads });
    await floor.replayWrites();
    await floor.close();
    await floor.close();
    const { rows } = await here().db.query<{ name: string }>(
      `SELECT table_name::text AS name FROM information_schema.tables WHERE table_schema = $1 ORDER BY 1`,
      [here().place.server.schema],
    );
    expect(rows.map(({ name }) => name)).toEqual([
      'checkpoint_blobs',
      'checkpoint_migrations',
      'checkpoint_writes',
      'checkpoints',
    ]);
    expect(await rowsOf('')).toEqual(before);
  });

  it.each<[string, string, (heads: string[]) => string[]]>([
    ['no heads', 'The last head is not the newest checkpoint of the thread.', () => []],
    [
      'a last head that is not the newest',
      'The last head is not the newest checkpoint of the thread.',
      (heads) => heads.slice(0, 2),
    ],
    [
      'heads out of order',
      'The heads do not ascend.',
      (heads) => [...heads.slice(0, 2).toReversed(), ...heads.slice(2)],
    ],
  ])('is refused for %s', async (_, message, headsOf) => {
    const heads = await appended(here(), 3, null);
    await expect(open({ heads: headsOf(heads) })).rejects.toThrow(new RangeError(message));
  });
});
