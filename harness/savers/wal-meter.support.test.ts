// Databases with a write-ahead log for the tests of the meter, in a folder of their own.

import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach } from 'vitest';

/** Made before each test of the file. */
export const place = { folder: '' };
const opened: Database.Database[] = [];

beforeEach(() => {
  place.folder = mkdtempSync(join(tmpdir(), 'wal-meter-'));
});

afterEach(() => {
  closeAll();
  rmSync(place.folder, { recursive: true, force: true });
});

/** The newest first: readers before what they read. */
export function closeAll(): void {
  for (const db of opened.splice(0).toReversed()) db.close();
}

export function connection(path: string): Database.Database {
  const db = new Database(path);
  opened.push(db);
  return db;
}

interface Settings {
  readonly pageSize?: number;
  readonly autocheckpoint?: number;
}

export function database(name: string, { pageSize = 4096, autocheckpoint = 0 }: Settings = {}) {
  const path = join(place.folder, name);
  const db = connection(path);
  // Which frames are written does not depend on it, and tests need not wait for the disk.
  db.pragma('synchronous = OFF');
  db.pragma(`page_size = ${pageSize}`);
  db.pragma('journal_mode = WAL');
  db.pragma(`wal_autocheckpoint = ${autocheckpoint}`);
  const logBytes = () => statSync(`${path}-wal`).size;
  return { db, path, logBytes, frames: () => (logBytes() - 32) / (pageSize + 24) };
}

export function createTable(db: Database.Database): void {
  db.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, value BLOB)');
}

/** Transactions of many sizes: some touch one page, some hundreds, some rewrite the same pages. */
export function transaction(db: Database.Database, number: number): void {
  const bytes = [10, 5000, 40, 900_000, 12_000][number % 5] ?? 0;
  db.transaction(() => {
    db.prepare('INSERT INTO t (value) VALUES (?)').run(Buffer.alloc(bytes, number));
    if (number % 3 === 0) db.prepare('UPDATE t SET value = ? WHERE id = 1').run(Buffer.alloc(bytes + 1));
    if (number % 7 === 6) db.prepare('DELETE FROM t WHERE id % 2 = 0').run();
  })();
}
