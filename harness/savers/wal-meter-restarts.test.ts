import { readFileSync } from 'node:fs';
import type Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { WalMeter } from './wal-meter.js';
import { closeAll, connection, createTable, database, transaction } from './wal-meter.support.test.js';

describe('where the log restarts', () => {
  test.each([1, 10, 1000])(
    'frames are those of a twin that never checkpoints, at wal_autocheckpoint=%i',
    (autocheckpoint) => {
      const { db, path, logBytes } = database('a.sqlite', { autocheckpoint });
      const twin = database('twin.sqlite');
      const meter = new WalMeter(path);
      createTable(db);
      createTable(twin.db);
      meter.sample();
      for (let number = 0; number < 200; number += 1) {
        transaction(db, number);
        transaction(twin.db, number);
        meter.sample();

        expect(meter.frames).toBe(twin.frames());
      }

      expect(meter.exact).toBe(true);
      expect(meter.peakBytes).toBe(logBytes());
      expect(meter.restarts).toBe(readFileSync(`${path}-wal`).readUInt32BE(12));
      expect(meter.restarts).toBeGreaterThan(5);
    },
  );

  test('transactions between two samples across a restart make the count inexact, and it stays so', () => {
    const { db, path } = database('a.sqlite', { autocheckpoint: 10 });
    const meter = new WalMeter(path);
    createTable(db);
    meter.sample();
    expect(meter.exact).toBe(true);

    for (let number = 0; number < 20; number += 1) transaction(db, number);
    meter.sample();
    expect(meter.exact).toBe(false);

    transaction(db, 0);
    meter.sample();
    expect(meter.exact).toBe(false);
  });

  test('a log that is truncated after a sample has lost nothing, after an unseen transaction its frames', () => {
    const { db, path, frames } = database('a.sqlite');
    const meter = new WalMeter(path);
    createTable(db);
    transaction(db, 1);
    meter.sample();
    const before = meter.frames;
    for (let times = 0; times < 2; times += 1) {
      db.pragma('wal_checkpoint(TRUNCATE)');
      meter.sample();
      expect(meter).toMatchObject({ frames: before, restarts: 1, exact: true });
    }

    transaction(db, 2);
    meter.sample();
    expect(meter).toMatchObject({ frames: before + frames(), restarts: 1, exact: true });

    transaction(db, 3);
    db.pragma('wal_checkpoint(TRUNCATE)');
    meter.sample();
    expect(meter).toMatchObject({ restarts: 2, exact: false });
  });

  test('a log that was truncated and is as long again as at the last sample is inexact', () => {
    const { db, path, frames } = database('a.sqlite');
    createTable(db);
    transaction(db, 2);
    transaction(db, 1);
    const before = frames();
    const fromHere = new WalMeter(path);
    transaction(db, 0);
    db.pragma('wal_checkpoint(TRUNCATE)');
    while (frames() < before) db.prepare('INSERT INTO t DEFAULT VALUES').run();
    fromHere.sample();

    expect(frames()).toBe(before);
    expect(fromHere).toMatchObject({ restarts: 1, exact: false });
  });

  test.each([
    ['begun anew', true],
    ['emptied', false],
  ])('a log that was %s before it was first seen is inexact', (_, writesAgain) => {
    const { db, path } = database('a.sqlite');
    const meter = new WalMeter(path);
    createTable(db);
    db.pragma('wal_checkpoint(TRUNCATE)');
    if (writesAgain) transaction(db, 1);
    meter.sample();

    expect(meter.exact).toBe(false);
  });
});

/** A database whose log never restarts, as an open reader holds it; fed the same, it says how many frames there were. */
function twinWithReader(name: string) {
  const twin = database(name);
  createTable(twin.db);
  const reader = connection(twin.path);
  reader.exec('BEGIN; SELECT * FROM t');
  const frames = () => (twin.db.pragma('wal_checkpoint(PASSIVE)') as { log: number }[])[0]?.log ?? 0;
  return { db: twin.db, frames };
}

test('a count that says it is exact is, however transactions, rollbacks, restarts and samples follow each other', () => {
  const step = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom('one page', 'some pages', 'sample', 'sample') },
    { weight: 1, arbitrary: fc.constantFrom('many pages', 'spill and roll back', 'truncate', 'restart') },
  );
  let [runs, exactRuns, exactRestarts] = [0, 0, 0];
  fc.assert(
    fc.property(fc.array(step, { minLength: 10, maxLength: 60 }), (steps) => {
      runs += 1;
      const { db, path } = database(`${runs}.sqlite`, { autocheckpoint: 20 });
      const meter = new WalMeter(path);
      createTable(db);
      const twin = twinWithReader(`${runs}-twin.sqlite`);
      for (const each of [db, twin.db]) each.pragma('cache_size = 10');
      for (const each of [...steps, 'sample']) {
        if (each === 'sample') meter.sample();
        else if (each === 'truncate') db.pragma('wal_checkpoint(TRUNCATE)');
        else if (each === 'restart') db.pragma('wal_checkpoint(RESTART)');
        else for (const target of [db, twin.db]) take(target, each);
      }
      if (meter.exact) {
        exactRuns += 1;
        exactRestarts += meter.restarts;
        expect(meter.frames).toBe(twin.frames());
      } else {
        expect(meter.frames).toBeLessThanOrEqual(twin.frames());
      }
      closeAll();
    }),
    { numRuns: 60, seed: 1 },
  );
  expect(exactRuns).toBeGreaterThan(20);
  expect(exactRestarts).toBeGreaterThan(20);
});

function take(db: Database.Database, step: string): void {
  const bytes = { 'one page': 10, 'some pages': 20_000, 'many pages': 100_000 }[step] ?? 200_000;
  db.exec('BEGIN');
  db.prepare('INSERT OR REPLACE INTO t VALUES (1 + (SELECT count(*) FROM t) % 5, ?)').run(
    Buffer.alloc(bytes),
  );
  db.exec(step === 'spill and roll back' ? 'ROLLBACK' : 'COMMIT');
}

test('samples after every fifth of small transactions are exact across restarts', () => {
  const { db, path } = database('a.sqlite', { autocheckpoint: 60 });
  const meter = new WalMeter(path);
  createTable(db);
  const twin = twinWithReader('twin.sqlite');
  for (let number = 0; number < 500; number += 1) {
    for (const target of [db, twin.db]) take(target, number % 3 === 0 ? 'some pages' : 'one page');
    if (number % 5 === 4) meter.sample();
  }

  expect(meter).toMatchObject({ exact: true, frames: twin.frames() });
  expect(meter.restarts).toBeGreaterThan(10);
});
