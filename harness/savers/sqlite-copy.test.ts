import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { openCopy } from './sqlite-copy.js';

const PRAGMAS = ['page_size', 'journal_mode', 'synchronous', 'wal_autocheckpoint', 'cache_size'];

test.each([
  ['wal', 'FULL', [8192, 'wal', 2, 77, -123]],
  ['delete', 'OFF', [8192, 'delete', 0, 77, -123]],
])(
  'a copy has the pragmas of the connection, those that no file keeps too: %s, %s',
  (journal, sync, expected) => {
    const folder = mkdtempSync(join(tmpdir(), 'sqlite-copy-'));
    const source = new Database(join(folder, 'source.sqlite'));
    source.pragma('page_size = 8192');
    source.pragma(`journal_mode = ${journal}`);
    source.pragma(`synchronous = ${sync}`);
    source.pragma('wal_autocheckpoint = 77');
    source.pragma('cache_size = -123');
    source.exec('CREATE TABLE writes (id); CREATE TABLE checkpoints (id); CREATE TABLE other (id)');
    const copy = openCopy(source, join(folder, 'copy.sqlite'));
    const pragmas = PRAGMAS.map((name) => copy.pragma(name, { simple: true }));
    const tables = copy.prepare('SELECT name FROM sqlite_master').pluck().all();
    copy.close();
    source.close();
    rmSync(folder, { recursive: true, force: true });

    expect(pragmas).toEqual(expected);
    expect(tables).toEqual(['writes', 'checkpoints']);
  },
);
