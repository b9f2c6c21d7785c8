// LangGraph's SqliteSaver on a file, with the diagnostics of its two tables and three files.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import type { StoredRecord } from '../chain/records.js';
import type { StorePlace } from '../record/store-place.js';
import { writeRecord, type WriteColumns } from './database-rows.js';
import { openSqliteFloor } from './sqlite-floor.js';
import type { OpenStore, RowEditor } from './saver.js';
import { WalMeter } from './wal-meter.js';

export const SQLITE_FILE_NAME = 'checkpoints.sqlite';
const FLOOR_FILE_NAME = 'floor.sqlite';

const PRAGMAS = ['journal_mode', 'synchronous', 'page_size', 'wal_autocheckpoint', 'cache_size'] as const;

export async function openSqlite({ dir }: StorePlace): Promise<OpenStore> {
  const path = join(dir, SQLITE_FILE_NAME);
  const db = new Database(path);
  const wal = new WalMeter(path);
  const beside = new CommitsBeside();
  let second: Database.Database | null = null;
  return {
    saver: new SqliteSaver(db),
    rows: sqliteRows(db),
    second() {
      second ??= new Database(path);
      return { saver: new SqliteSaver(second) };
    },
    records: async (threadId) => sqliteRecords(db, threadId),
    fileBytes: () => ({
      db: sizeOrNull(path),
      wal: sizeOrNull(`${path}-wal`),
      shm: sizeOrNull(`${path}-shm`),
    }),
    openFloor: async (request) => openSqliteFloor(db, join(dir, FLOOR_FILE_NAME), request),
    commitBeside: (bytes) => beside.commit(bytes),
    wal,
    server: null,
    checkpointToDisk: () => void db.pragma('wal_checkpoint(TRUNCATE)'),
    pragmas: async () => ({
      ...Object.fromEntries(
        PRAGMAS.map((name) => [name, db.pragma(name, { simple: true }) as string | number]),
      ),
      sqlite_version: db.prepare<[], { v: string }>('SELECT sqlite_version() AS v').get()?.v ?? 'unknown',
    }),
    close: async () => {
      beside.close();
      second?.close();
      db.close();
      wal.close();
    },
  };
}

/** Commits that leave nothing: in memory, so that no file and no count of written bytes knows of them. */
class CommitsBeside {
  #db: Database.Database | null = null;
  #statement: Database.Statement<[Uint8Array]> | null = null;

  commit(bytes: Uint8Array): void {
    this.#statement ??= this.#open().prepare<[Uint8Array]>('INSERT INTO beside (bytes) VALUES (?)');
    this.#statement.run(bytes);
  }

  close(): void {
    this.#db?.close();
  }

  #open(): Database.Database {
    this.#db = new Database(':memory:');
    return this.#db.exec('CREATE TABLE beside (bytes BLOB)');
  }
}

interface CheckpointRow {
  readonly checkpoint_ns: string;
  readonly checkpoint_id: string;
  readonly parent_checkpoint_id: string | null;
  readonly checkpoint: Buffer;
  readonly metadata_bytes: number;
}

interface WriteRow extends WriteColumns {
  readonly value_bytes: number;
}

const TABLES = ['checkpoints', 'writes'];

/** A table beside the two could hold the state a second time, so nothing would be counted right. */
function refuseOtherTables(db: Database.Database): void {
  const names = db
    .prepare<[], { name: string }>("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")
    .all()
    .map((row) => row.name);
  const others = names.filter((name) => !TABLES.includes(name) && !name.startsWith('sqlite_'));
  if (others.length > 0)
    throw new Error(`there are other tables beside checkpoints and writes (${others.length})`);
}

function* sqliteRecords(db: Database.Database, threadId: string): Generator<StoredRecord> {
  refuseOtherTables(db);
  const checkpoints = db.prepare<[string], CheckpointRow>(
    `SELECT checkpoint_ns, checkpoint_id, parent_checkpoint_id, checkpoint, length(metadata) AS metadata_bytes
     FROM checkpoints WHERE thread_id = ?`,
  );
  for (const row of checkpoints.iterate(threadId)) {
    yield {
      kind: 'checkpoint',
      namespace: row.checkpoint_ns,
      checkpointId: row.checkpoint_id,
      parentId: row.parent_checkpoint_id,
      payload: row.checkpoint,
      metadataBytes: row.metadata_bytes,
    };
  }
  const writes = db.prepare<[string], WriteRow>(
    `SELECT checkpoint_ns, checkpoint_id, task_id, idx, channel, length(value) AS value_bytes
     FROM writes WHERE thread_id = ?`,
  );
  for (const row of writes.iterate(threadId)) yield writeRecord(row, row.value_bytes);
}

function sqliteRows(db: Database.Database): RowEditor {
  return {
    async deleteCheckpoints(threadId, checkpointIds) {
      for (const table of TABLES) {
        const statement = db.prepare(
          `DELETE FROM ${table} WHERE thread_id = ? AND checkpoint_ns = '' AND checkpoint_id = ?`,
        );
        checkpointIds.forEach((id) => statement.run(threadId, id));
      }
    },
    async copyThread(from, to) {
      db.prepare(
        `INSERT INTO checkpoints (thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata)
         SELECT ?, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata
         FROM checkpoints WHERE thread_id = ?`,
      ).run(to, from);
      db.prepare(
        `INSERT INTO writes (thread_id, checkpoint_ns, checkpoint_id, task_id, idx, channel, type, value)
         SELECT ?, checkpoint_ns, checkpoint_id, task_id, idx, channel, type, value
         FROM writes WHERE thread_id = ?`,
      ).run(to, from);
    },
  };
}

function sizeOrNull(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.size ?? null;
}
