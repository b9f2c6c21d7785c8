import { describe, expect, it } from 'vitest';
import {
  checkpointId,
  checkpointOf,
  configOf,
  metadataOf,
  putCheckpoint,
  putWrites,
  taskId,
  tupleOf,
} from '../../fixtures/scenarios/rows-by-hand.js';
import type { CheckpointRecord, StoredRecord } from '../chain/records.js';
import { openPostgres } from './postgres.js';
import { appended, HAS_NO_SERVER, THREAD, usePostgres } from './postgres.support.test.js';

const here = usePostgres();
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8');

async function recordsOf(thread = 'thread'): Promise<StoredRecord[]> {
  return [...(await here().store.records(thread))];
}

const checkpointsOf = async (thread?: string): Promise<CheckpointRecord[]> =>
  (await recordsOf(thread)).filter((record) => record.kind === 'checkpoint');

describe.skipIf(HAS_NO_SERVER)('the records of a thread', () => {
  it('have the checkpoint and its metadata as the saver sent them, without the values', async () => {
    const { saver } = here().store;
    const { channel_values: _, ...sent } = checkpointOf(checkpointId(1), { items: ['é "quoted" \\'] });
    const metadata = metadataOf(1, { note: 'two  spaces, "é"' });
    await saver.put(configOf(null), { ...sent, channel_values: { items: ['x'] } }, metadata, { items: 1 });
    const [record] = await checkpointsOf();
    // Keys come in the order of the server, which keeps none; a key is as long as before wherever it stands.
    expect(JSON.parse(text(record?.payload ?? new Uint8Array()))).toEqual(sent);
    expect(record?.payload).toHaveLength(Buffer.byteLength(JSON.stringify(sent)));
    expect(record?.metadataBytes).toBe(Buffer.byteLength(JSON.stringify(metadata)));
  });

  it('have each blob with the checkpoint that brought it, and later name what they carry', async () => {
    const { saver } = here().store;
    const put = (
      ordinal: number,
      values: Record<string, unknown>,
      versions: Record<string, number>,
      now: string[],
    ) =>
      saver.put(
        configOf(ordinal === 1 ? null : checkpointId(ordinal - 1)),
        { ...checkpointOf(checkpointId(ordinal), values), channel_versions: versions },
        metadataOf(ordinal),
        Object.fromEntries(now.map((channel) => [channel, versions[channel] ?? 0])),
      );
    await put(1, { a: ['a1'], b: 'b1' }, { a: 1, b: 1 }, ['a', 'b']);
    await put(2, { a: ['a2'], b: 'b1' }, { a: 2, b: 1 }, ['a']);
    await put(3, { a: ['a2'] }, { a: 2, b: 3 }, ['b']);
    await put(4, { a: ['a2'] }, { a: 2, b: 3 }, []);
    const shown = (await checkpointsOf()).map(({ blobs = [], carried = new Set<string>() }) => [
      blobs
        .map(({ channel, version, type, payload }) => `${channel} ${version} ${type} ${text(payload)}`)
        .toSorted(),
      [...carried].toSorted(),
    ]);
    expect(shown).toEqual([
      [['a 1 json ["a1"]', 'b 1 json "b1"'], []],
      [['a 2 json ["a2"]'], ['b']],
      // A version without a value is a row that says so, and no value that is carried.
      [['b 3 empty '], ['a']],
      [[], ['a']],
    ]);
  });

  it('have the writes in the order of their tasks, with their bytes', async () => {
    const { saver } = here().store;
    await putCheckpoint(saver, 1, null);
    await putWrites(saver, configOf(checkpointId(1)), ['second'], 2);
    await putWrites(saver, configOf(checkpointId(1)), ['first', ['é']], 1);
    await saver.putWrites(configOf(checkpointId(1)), [['__error__', 'no']], taskId(3));
    const writes = (await recordsOf()).filter((record) => record.kind === 'write');
    expect(writes).toEqual(
      [
        { taskId: taskId(1), idx: 0, channel: 'items', valueBytes: 7 },
        { taskId: taskId(1), idx: 1, channel: 'items', valueBytes: 6 },
        { taskId: taskId(2), idx: 0, channel: 'items', valueBytes: 8 },
        { taskId: taskId(3), idx: -1, channel: '__error__', valueBytes: 4 },
      ].map((write) => ({ kind: 'write', namespace: '', checkpointId: checkpointId(1), ...write })),
    );
  });

  it.each([
    ['full', null, [1, 1, 1, 1, 1]],
    ['delta', 2, [0, 1, 0, 1, 0]],
  ])('show in %s mode which updates stored the messages', async (_, k, expected) => {
    const heads = await appended(here(), 5, k);
    const all = await checkpointsOf(THREAD);
    const stored = heads.map((head, update) => {
      const own = all.filter(({ checkpointId: id }) => id > (heads[update - 1] ?? '') && id <= head);
      return own
        .flatMap(({ blobs = [] }) => blobs)
        .filter(({ channel, type }) => channel === 'messages' && type !== 'empty').length;
    });
    expect(stored).toEqual(expected);
  });

  it('are refused where another table could hold the state once more', async () => {
    const { store, db } = here();
    await putCheckpoint(store.saver, 1, null, { items: ['x'] });
    await db.query('CREATE TABLE state (thread_id text)');
    await expect(store.records('thread')).rejects.toThrow(
      'there are other tables beside those of the saver (1)',
    );
  });
});

describe.skipIf(HAS_NO_SERVER)('a Postgres store', () => {
  it.each(['public', 'deltaproof', 'deltaproof_', 'deltaproof_x"; DROP SCHEMA public; --', 'Deltaproof_x'])(
    'is not made in the schema %s',
    async (schema) => {
      const { place, db } = here();
      const tables = async () =>
        (
          await db.query(
            `SELECT nspname, count(c.oid) FROM pg_namespace AS n LEFT JOIN pg_class AS c ON relnamespace = n.oid
             WHERE lower(nspname) = lower($1) GROUP BY nspname`,
            [schema],
          )
        ).rows;
      const before = await tables();
      const elsewhere = { ...place, server: { ...place.server, schema } };
      await expect(openPostgres(elsewhere)).rejects.toThrow(
        new RangeError(`The schema ${schema} is not one of this tool.`),
      );
      expect(await tables()).toEqual(before);
    },
  );

  it('needs a server', async () => {
    await expect(openPostgres({ dir: '/nowhere', server: null })).rejects.toThrow(
      new RangeError('A Postgres store needs a server.'),
    );
  });

  it('is opened again with what is in it, and has a second saver with connections of its own', async () => {
    const { store, place, db } = here();
    await putCheckpoint(store.saver, 1, null, { items: ['x'] });
    const again = await openPostgres(place);
    const second = store.second().saver;
    expect(second).not.toBe(store.saver);
    for (const saver of [again.saver, second])
      expect((await tupleOf(saver, 1)).checkpoint.channel_values).toEqual({ items: ['x'] });
    store.server?.takeTraffic();
    await putCheckpoint(second, 2, 1);
    // Nothing of it passed over the first saver's connections.
    expect(store.server?.takeTraffic()).toMatchObject({ statements: 0, roundTrips: 0 });
    await again.close();
    const open = async () => {
      const { rows } = await db.query<{ n: number }>(
        'SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = $1',
        [`deltaproof-${process.pid}`],
      );
      return rows[0]?.n;
    };
    await store.close();
    await expect.poll(open).toBe(0);
  });

  it('leaves no connection where the server refuses it', async () => {
    const { place } = here();
    const nowhere = {
      ...place,
      server: { ...place.server, uri: place.server.uri.replace(/\/postgres\b/, '/nowhere') },
    };
    await expect(openPostgres(nowhere)).rejects.toThrow('database "nowhere" does not exist');
  });
});
