import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { MemorySaver } from '@langchain/langgraph-checkpoint';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import { expect, it } from 'vitest';
import { OrderedSaver } from './ordered.js';
import { databaseFingerprint, databaseOf } from './saver-database.js';

function postgres(uri: string, schema?: string): string | null {
  const pool = new pg.Pool({ connectionString: uri });
  return databaseFingerprint(new PostgresSaver(pool, undefined, schema === undefined ? {} : { schema }));
}

it('is the same for one database, whoever asks', () => {
  const prefix = postgres('postgres://ann:secret@127.0.0.1:5432/threads');
  expect(prefix).toMatch(/^[0-9a-f]{16}$/);
  expect(postgres('postgres://ben:other@127.0.0.1/threads')).toBe(prefix);
  expect(postgres('postgres://ann:secret@127.0.0.1:5432/threads', 'public')).toBe(prefix);
});

it.each([
  'postgres://ann:secret@127.0.0.2:5432/threads',
  'postgres://ann:secret@127.0.0.1:5433/threads',
  'postgres://ann:secret@127.0.0.1:5432/others',
])('is another for %s', (uri) => {
  expect(postgres(uri)).not.toBe(postgres('postgres://ann:secret@127.0.0.1:5432/threads'));
});

it('is another for another schema', () => {
  const uri = 'postgres://ann@127.0.0.1/threads';
  expect(postgres(uri, 'other')).not.toBe(postgres(uri));
});

it('is the same for a file by whatever way, and none for a database in memory', () => {
  const folder = mkdtempSync(join(tmpdir(), 'deltaproof-test-'));
  const file = SqliteSaver.fromConnString(join(folder, 'a.sqlite'));
  symlinkSync(join(folder, 'a.sqlite'), join(folder, 'b.sqlite'));
  const linked = SqliteSaver.fromConnString(join(folder, 'b.sqlite'));
  expect(databaseFingerprint(file)).toMatch(/^[0-9a-f]{16}$/);
  expect(databaseFingerprint(new OrderedSaver(linked))).toBe(databaseFingerprint(file));
  expect(databaseFingerprint(SqliteSaver.fromConnString(':memory:'))).toBeNull();
  expect(databaseFingerprint(SqliteSaver.fromConnString(''))).toBeNull();
  expect(databaseFingerprint(new MemorySaver())).toBeNull();
  expect(databaseOf(new MemorySaver())).toBeNull();
  rmSync(folder, { recursive: true });
});
