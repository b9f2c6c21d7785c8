import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { emptyCheckpoint, uuid6 } from '@langchain/langgraph-checkpoint';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import { describe, expect, test } from 'vitest';
import type { FloorRequest } from './saver.js';
import { openSqliteFloor } from './sqlite-floor.js';
import { appended, place, expectSameRows, newest, open, THREAD } from './sqlite-floor.support.test.js';

describe('replayed writes', () => {
  test.each([
    ['full', null],
    ['delta', 3],
  ])('leave the rows of a %s thread byte for byte, in the transactions that the saver made', async (_, k) => {
    const heads = await appended(7, k);
    const floor = open({ heads });

    const written = await floor.replayWrites();

    expectSameRows();
    // An update makes three checkpoints and two calls of putWrites with three rows between them.
    expect(written).toMatchObject({ rows: 7 * 6, transactions: 7 * 5 });
    expect(written.writeMs).toBeGreaterThan(0);
    expect(written.headReadMs).toBeGreaterThan(0);
  });

  test('make a log of as many frames as the saver did', async () => {
    const heads = await appended(20, null);
    place.source.pragma('wal_autocheckpoint = 0');
    const framesOf = (db: Database.Database) =>
      (db.pragma('wal_checkpoint(PASSIVE)') as { log: number }[])[0]?.log;
    const saverFrames = framesOf(place.source);
    const written = await open({ heads }).replayWrites();
    const copy = new Database(place.copyPath);
    const floorFrames = framesOf(copy);
    copy.close();

    expect(written.rows).toBe(120);
    expect(floorFrames).toBe(saverFrames);
  });

  test('leave out other threads', async () => {
    await appended(2, null, 'another');
    const heads = await appended(2, null);

    await open({ heads }).replayWrites();

    const copy = new Database(place.copyPath, { readonly: true });
    expect(copy.prepare('SELECT DISTINCT thread_id FROM checkpoints').pluck().all()).toEqual([THREAD]);
    copy.close();
    expectSameRows();
  });

  test('start over when they are made again', async () => {
    const heads = await appended(2, null);
    const floor = open({ heads });

    const [first, second] = [await floor.replayWrites(), await floor.replayWrites()];

    expect(second.rows).toBe(first.rows);
    expectSameRows();
  });

  test('go to a database with the definitions and pragmas of the source', async () => {
    place.source.pragma('page_size = 8192');
    const heads = await appended(1, null);
    place.source.pragma('synchronous = FULL');
    place.source.exec('CREATE INDEX by_channel ON writes (channel)');
    place.source.exec("ALTER TABLE writes ADD COLUMN task_path TEXT NOT NULL DEFAULT ''");
    place.source.exec("UPDATE writes SET task_path = 'path'");
    await open({ heads }).replayWrites();

    const copy = new Database(place.copyPath, { readonly: true });
    const definitions = 'SELECT type, name, sql FROM sqlite_master ORDER BY name';
    expect(copy.prepare(definitions).all()).toEqual(place.source.prepare(definitions).all());
    expect(copy.pragma('page_size', { simple: true })).toBe(8192);
    expect(copy.pragma('journal_mode', { simple: true })).toBe('wal');
    copy.close();
    expectSameRows();
  });
});

describe('rows that are out of line', () => {
  const saver = () => new SqliteSaver(place.source);
  const at = (id: string, namespace = '') => ({
    configurable: { thread_id: THREAD, checkpoint_ns: namespace, checkpoint_id: id },
  });

  test('arrive: writes without a checkpoint, before the first and after the last one', async () => {
    const early = uuid6(0);
    const heads = await appended(2, 10);
    const late = uuid6(0);
    for (const id of [early, late]) await saver().putWrites(at(id), [['messages', ['orphan']]], 'task');

    const written = await open({ heads }).replayWrites();

    expectSameRows();
    expect(written).toMatchObject({ rows: 14, transactions: 12 });
  });

  test('arrive: interrupts, resumes, errors, bytes and an empty value', async () => {
    const heads = await appended(2, 10);
    const head = at(heads[1] ?? '');
    await saver().putWrites(head, [['__resume__', 1]], 'task');
    await saver().putWrites(head, [['__interrupt__', { when: 'now' }]], 'task');
    await saver().putWrites(head, [['__error__', 'no']], 'other');
    await saver().putWrites(
      head,
      [
        ['raw', new Uint8Array([0, 255])],
        ['none', undefined],
        ['empty', new Uint8Array()],
      ],
      'third',
    );

    await open({ heads }).replayWrites();

    expectSameRows();
  });

  test('arrive: checkpoints and writes of a subgraph, also after the last head', async () => {
    const heads = await appended(2, 10);
    const checkpoint = { ...emptyCheckpoint(), id: uuid6(0) };
    await saver().put({ configurable: { thread_id: THREAD, checkpoint_ns: 'sub:1' } }, checkpoint, {
      source: 'loop',
      step: 0,
      parents: {},
    });
    await saver().putWrites(at(checkpoint.id, 'sub:1'), [['messages', 'x']], 'task');

    await open({ heads }).replayWrites();

    expectSameRows();
  });

  test('arrive: an update that stored nothing has the head of the one before', async () => {
    const heads = await appended(2, 10);

    expect((await open({ heads: [...heads, ...heads.slice(-1)] }).replayWrites()).rows).toBe(12);
    expectSameRows();
  });

  test('that cannot arrive are an error', async () => {
    const heads = await appended(2, 10);
    place.source.exec("UPDATE writes SET checkpoint_id = '' WHERE rowid = 1");

    await expect(open({ heads }).replayWrites()).rejects.toThrow(
      'The copy has 11 rows of the thread, its source 12.',
    );
  });
});

test('closing removes the copy with its log, and keeps the source', async () => {
  const heads = await appended(2, null);
  const floor = open({ heads });
  await floor.replayWrites();
  expect(existsSync(`${place.copyPath}-wal`)).toBe(true);

  await floor.close();
  await floor.close();

  expect(readdirSync(place.folder).filter((name) => name.startsWith('copy'))).toEqual([]);
  expect(newest(THREAD)).toBe(heads[1]);
});

test.each<[string, string, (heads: string[]) => Partial<FloorRequest> & Pick<FloorRequest, 'heads'>]>([
  ['no heads', 'The last head is not the newest checkpoint of the thread.', () => ({ heads: [] })],
  [
    'a last head that is not the newest',
    'The last head is not the newest checkpoint of the thread.',
    (heads) => ({ heads: heads.slice(0, 2) }),
  ],
  [
    'heads out of order',
    'The heads do not ascend.',
    (heads) => ({ heads: [...heads.slice(0, 2).toReversed(), ...heads.slice(2)] }),
  ],
  [
    'a seed that is not in the thread',
    'The seed is not a checkpoint of the thread.',
    (heads) => ({ heads, seedId: 'x', readsChain: true }),
  ],
])('a request with %s is refused', async (_, message, requestOf) => {
  const heads = await appended(3, null);

  expect(() => open(requestOf(heads))).toThrow(new RangeError(message));
});

test('a copy in the place of its source is refused', async () => {
  const heads = await appended(1, null);
  const request = { threadId: THREAD, heads, seedId: null, readsChain: false };

  expect(() => openSqliteFloor(place.source, join(place.folder, '.', 'source.sqlite'), request)).toThrow(
    new RangeError('The copy would replace its source.'),
  );
  expect(newest(THREAD)).toBe(heads[0]);
});
