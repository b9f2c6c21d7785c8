// The rows that one update left in a SQLite thread, as the transactions that a saver makes of them. Loads one update at a
// time: a thread can hold hundreds of megabytes.

import type Database from 'better-sqlite3';
import { grouped } from './database-rows.js';
import { tableColumns, type RowWriter } from './sqlite-copy.js';

/** SQLite sorts every blob after every text (https://sqlite.org/datatype3.html#sort_order). */
export const AFTER_EVERY_ID = Buffer.alloc(0);

/** Gives a writer the rows of the checkpoints after `afterId` up to and with `lastId`. */
export type UpdateReader = (writer: RowWriter, afterId: string, lastId: string | Buffer) => void;

/**
 * A reader of a thread's updates, over all its namespaces: each checkpoint row, then its write rows task by task in the
 * order of their insertion. Write rows whose checkpoint has no row are given too.
 */
export function updateReader(source: Database.Database, threadId: string): UpdateReader {
  const namespaces = namespacesOf(source, threadId);
  const checkpoints = selectRange(source, 'checkpoints', 'checkpoint_id');
  const writes = selectRange(source, 'writes', 'checkpoint_id, rowid');
  const checkpointIdAt = tableColumns(source, 'checkpoints').names.indexOf('checkpoint_id');
  const { names } = tableColumns(source, 'writes');
  const [ofCheckpointAt, taskIdAt] = [names.indexOf('checkpoint_id'), names.indexOf('task_id')];

  return (writer, afterId, lastId) => {
    const put = (rows: readonly unknown[][]): void => {
      for (const ofTask of grouped(rows, (row) => row[taskIdAt]).values()) writer.putWrites(ofTask);
    };
    for (const namespace of namespaces) {
      const bounds = [threadId, namespace, afterId, lastId];
      const writesOf = grouped(writes.all(...bounds), (row) => row[ofCheckpointAt]);
      for (const row of checkpoints.all(...bounds)) {
        const id = row[checkpointIdAt];
        writer.putCheckpoint(row);
        put(writesOf.get(id) ?? []);
        writesOf.delete(id);
      }
      for (const rows of writesOf.values()) put(rows);
    }
  };
}

/** The index of the tables begins with thread and namespace, so a range of ids is found in one namespace only. */
function namespacesOf(source: Database.Database, threadId: string): string[] {
  return source
    .prepare<[string, string], { namespace: string }>(
      `SELECT checkpoint_ns AS namespace FROM checkpoints WHERE thread_id = ?
       UNION SELECT checkpoint_ns FROM writes WHERE thread_id = ?`,
    )
    .all(threadId, threadId)
    .map(({ namespace }) => namespace);
}

/** Integers come as BigInt: as numbers they would be written back as floating point where a column lets them. */
function selectRange(
  source: Database.Database,
  table: string,
  order: string,
): Database.Statement<unknown[], unknown[]> {
  return source
    .prepare<unknown[], unknown[]>(
      `SELECT ${tableColumns(source, table).list} FROM ${table}
       WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id > ? AND checkpoint_id <= ? ORDER BY ${order}`,
    )
    .raw()
    .safeIntegers();
}
