import { readFileSync, readdirSync, readlinkSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { WalMeter } from './wal-meter.js';
import { connection, createTable, database, place, transaction } from './wal-meter.support.test.js';

describe('against the size of a log that is never checkpointed', () => {
  test.each([512, 4096, 65_536])('frames and peak are its frames and bytes at page size %i', (pageSize) => {
    const { db, path, frames, logBytes } = database('a.sqlite', { pageSize });
    const meter = new WalMeter(path);
    createTable(db);
    for (let number = 0; number < 30; number += 1) {
      transaction(db, number);
      meter.sample();

      expect(meter.frames).toBe(frames());
    }

    expect(meter).toMatchObject({ peakBytes: logBytes(), restarts: 0, exact: true });
    expect(meter.frames).toBeGreaterThan(100);
  });

  test('samples in between and samples left out change nothing', () => {
    const { db, path, frames } = database('a.sqlite');
    const meter = new WalMeter(path);
    createTable(db);
    for (let number = 0; number < 30; number += 1) {
      transaction(db, number);
      if (number % 4 === 0) meter.sample();
      if (number % 8 === 0) meter.sample();
    }
    meter.sample();

    expect(meter).toMatchObject({ frames: frames(), exact: true });
  });

  test('a transaction larger than the cache counts each page that it leaves once', () => {
    const { db, path, frames } = database('a.sqlite');
    const meter = new WalMeter(path);
    createTable(db);
    db.pragma('cache_size = 10');
    db.transaction(() => {
      for (let number = 0; number < 20; number += 1) {
        db.prepare('INSERT OR REPLACE INTO t VALUES (?, ?)').run((number % 2) + 1, Buffer.alloc(400_000));
      }
    })();
    meter.sample();

    expect(meter).toMatchObject({ frames: frames(), exact: true });
  });

  test('a transaction that is rolled back after it spilled counts nothing', () => {
    const { db, path, frames } = database('a.sqlite');
    const meter = new WalMeter(path);
    createTable(db);
    meter.sample();
    const before = meter.frames;
    db.pragma('cache_size = 10');
    db.exec('BEGIN');
    db.prepare('INSERT INTO t (value) VALUES (?)').run(Buffer.alloc(400_000));
    db.exec('ROLLBACK');
    meter.sample();

    expect(frames()).toBeGreaterThan(before);
    expect(meter).toMatchObject({ frames: before, exact: true });
  });
});

describe('what there was before the meter', () => {
  test('frames in the log are not counted, and are part of its peak', () => {
    const { db, path, frames, logBytes } = database('a.sqlite');
    createTable(db);
    transaction(db, 3);
    const before = frames();
    const meter = new WalMeter(path);
    expect(meter).toMatchObject({ frames: 0, peakBytes: logBytes(), exact: true });

    transaction(db, 4);
    meter.sample();
    expect(meter.frames).toBe(frames() - before);
  });
});

test('a database without a write-ahead log has no frames', () => {
  const path = join(place.folder, 'a.sqlite');
  const db = connection(path);
  const meter = new WalMeter(path);
  createTable(db);
  transaction(db, 1);
  meter.sample();
  meter.close();

  expect(meter).toMatchObject({ frames: 0, peakBytes: 0, restarts: 0, exact: true });
});

test('a wal-index of an unknown version is an error, an empty one is none yet', () => {
  const path = join(place.folder, 'a.sqlite');
  const meter = new WalMeter(path);
  writeFileSync(`${path}-shm`, '');
  meter.sample();
  expect(meter).toMatchObject({ frames: 0, exact: true });

  writeFileSync(`${path}-shm`, Buffer.alloc(32_768, 1));
  expect(() => meter.sample()).toThrow(/^The wal-index has version 16843009; known is 3007000\.$/);
});

describe.skipIf(process.platform !== 'linux')('the wal-index file', () => {
  function locksOn(path: string): number {
    const { ino } = statSync(path);
    const held = readFileSync('/proc/locks', 'utf8').split('\n');
    return held.filter((line) => line.includes(`:${ino} `) && line.includes(` ${process.pid} `)).length;
  }

  test('keeps the locks of SQLite when a meter is closed while the database is open', () => {
    const { db, path } = database('a.sqlite');
    createTable(db);
    const meter = new WalMeter(path);
    meter.sample();
    const before = locksOn(`${path}-shm`);
    meter.close();

    expect(before).toBeGreaterThan(0);
    expect(locksOn(`${path}-shm`)).toBe(before);
  });

  test('is closed where the database was closed before the meter', () => {
    const { db, path } = database('a.sqlite');
    createTable(db);
    const meter = new WalMeter(path);
    expect(openFiles()).toHaveLength(2);

    db.close();
    expect(openFiles()).toHaveLength(1);

    meter.close();
    meter.close();
    expect(openFiles()).toEqual([]);
  });

  function openFiles(): string[] {
    return readdirSync('/proc/self/fd').flatMap((fd) => {
      try {
        const target = readlinkSync(`/proc/self/fd/${fd}`);
        return target.startsWith(place.folder) && target.includes('-shm') ? [target] : [];
      } catch {
        return [];
      }
    });
  }
});
