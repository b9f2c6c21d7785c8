// The floor of a SQLite case: the rows that a saver has left in a thread, written and read again with bare better-sqlite3.
// No saver, no serializer and no graph; what a case takes beyond it, they take.

import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import type Database from 'better-sqlite3';
import { openCopy, rowWriter } from './sqlite-copy.js';
import type { FloorRequest, FloorWrites, StoreFloor } from './saver.js';
import { AFTER_EVERY_ID, updateReader } from './sqlite-updates.js';

/**
 * Prepares the floor of the thread that a saver has written into `source`.
 *
 * @param source the saver's own connection, as cache, sync and checkpoint pragmas are a connection's.
 * @param copyPath where the copy goes; what is there is removed.
 * @throws RangeError when the heads are not those of the thread, the seed is none of its checkpoints, or the copy would be
 * the source.
 */
export function openSqliteFloor(
  source: Database.Database,
  copyPath: string,
  request: FloorRequest,
): StoreFloor {
  if (resolve(copyPath) === resolve(source.name)) throw new RangeError('The copy would replace its source.');
  const headId = checkedHead(source, request);
  let copy: Database.Database | null = null;
  let readHead: (() => unknown) | null = null;
  const discard = (): void => {
    copy?.close();
    copy = null;
    readHead = null;
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(copyPath + suffix, { force: true });
  };
  return {
    replayWrites: async () => {
      discard();
      copy = openCopy(source, copyPath);
      const written = replay(source, copy, request);
      readHead = headReader(copy, request, headId);
      return written;
    },
    readHead: () => {
      if (readHead === null) throw new Error('The head can be read once the writes have been replayed.');
      return readHead();
    },
    close: async () => discard(),
  };
}

/** Subgraphs have other namespaces; heads are of the graph itself. */
const ROOT_NAMESPACE = '';

function checkedHead(source: Database.Database, { threadId, heads, seedId }: FloorRequest): string {
  const newest = source
    .prepare<[string, string], { id: string | null }>(
      'SELECT max(checkpoint_id) AS id FROM checkpoints WHERE thread_id = ? AND checkpoint_ns = ?',
    )
    .get(threadId, ROOT_NAMESPACE)?.id;
  const headId = heads.at(-1);
  if (headId === undefined || headId !== newest)
    throw new RangeError('The last head is not the newest checkpoint of the thread.');
  if (heads.some((head, update) => update > 0 && head < (heads[update - 1] ?? '')))
    throw new RangeError('The heads do not ascend.');
  const isCheckpoint = source.prepare(
    'SELECT 1 FROM checkpoints WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ?',
  );
  if (seedId !== null && isCheckpoint.get(threadId, ROOT_NAMESPACE, seedId) === undefined)
    throw new RangeError('The seed is not a checkpoint of the thread.');
  return headId;
}

function replay(
  source: Database.Database,
  copy: Database.Database,
  { threadId, heads }: FloorRequest,
): FloorWrites {
  const putUpdate = updateReader(source, threadId);
  const writer = rowWriter(copy);
  const selectHead = headSelector(copy, threadId);
  let headReadMs = 0;
  let previous = '';
  for (const [update, head] of heads.entries()) {
    const start = performance.now();
    selectHead();
    headReadMs += performance.now() - start;
    putUpdate(writer, previous, update === heads.length - 1 ? AFTER_EVERY_ID : head);
    previous = head;
  }
  const { writeMs, transactions, rows } = writer;
  const expected = rowCount(source, threadId);
  if (rows !== expected || rowCount(copy, threadId) !== expected)
    throw new Error(`The copy has ${rowCount(copy, threadId)} rows of the thread, its source ${expected}.`);
  return { writeMs, headReadMs, transactions, rows };
}

/** Selects the newest checkpoint row and its write rows. */
function headSelector(db: Database.Database, threadId: string): () => void {
  const checkpoint = db
    .prepare<unknown[], unknown[]>(
      `SELECT checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata FROM checkpoints
       WHERE thread_id = ? AND checkpoint_ns = ? ORDER BY checkpoint_id DESC LIMIT 1`,
    )
    .raw();
  const writes = db
    .prepare<unknown[], unknown[]>(
      `SELECT task_id, channel, type, value FROM writes
       WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ?`,
    )
    .raw();
  return () => {
    const row = checkpoint.get(threadId, ROOT_NAMESPACE);
    if (row !== undefined) writes.all(threadId, ROOT_NAMESPACE, row[0]);
  };
}

function headReader(db: Database.Database, request: FloorRequest, headId: string): () => unknown {
  const range = 'thread_id = ? AND checkpoint_ns = ? AND checkpoint_id BETWEEN ? AND ?';
  const checkpoints = db
    .prepare<unknown[], [string | null, Payload, Payload]>(
      `SELECT type, checkpoint, metadata FROM checkpoints WHERE ${range} ORDER BY checkpoint_id DESC`,
    )
    .raw();
  const writes = db
    .prepare<unknown[], [string | null, Payload]>(`SELECT type, value FROM writes WHERE ${range}`)
    .raw();
  const oldest = request.readsChain ? (request.seedId ?? '') : headId;
  const bounds = [request.threadId, ROOT_NAMESPACE, oldest, headId];
  return () => {
    const rows = checkpoints.all(...bounds);
    const head = rows[0];
    return {
      metadata: head === undefined ? null : parsed(head[0], head[2]),
      checkpoints: rows.map(([type, checkpoint]) => parsed(type, checkpoint)),
      writes: writes.all(...bounds).map(([type, value]) => parsed(type, value)),
    };
  };
}

type Payload = Buffer | string | null;

/** The saver stores JSON and says so, or bytes as they are. */
function parsed(type: string | null, payload: Payload): unknown {
  if (type === 'bytes') return payload;
  return JSON.parse(typeof payload === 'string' ? payload : (payload?.toString('utf8') ?? ''));
}

function rowCount(db: Database.Database, threadId: string): number {
  const counts = db
    .prepare<[string, string], { n: number }>(
      `SELECT (SELECT count(*) FROM checkpoints WHERE thread_id = ?)
            + (SELECT count(*) FROM writes WHERE thread_id = ?) AS n`,
    )
    .get(threadId, threadId);
  return counts?.n ?? 0;
}
