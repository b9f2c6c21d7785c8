// A second, empty database as a saver's database is, and rows written into it in the saver's transactions, timed.

import Database from 'better-sqlite3';

/** `page_size` first: it holds for a file that has no page yet, and not once the journal is a write-ahead log. */
const COPIED_PRAGMAS = ['page_size', 'journal_mode', 'synchronous', 'wal_autocheckpoint', 'cache_size'];

/** A new database at `path` with the tables, indexes and pragmas of `source`, and no rows. */
export function openCopy(source: Database.Database, path: string): Database.Database {
  const copy = new Database(path);
  for (const pragma of COPIED_PRAGMAS) {
    copy.pragma(`${pragma} = ${String(source.pragma(pragma, { simple: true }))}`);
  }
  const definitions = source
    .prepare<[], { sql: string }>(
      `SELECT sql FROM sqlite_master WHERE tbl_name IN ('checkpoints', 'writes')
       AND type IN ('table', 'index') AND sql IS NOT NULL ORDER BY type DESC`,
    )
    .all();
  for (const { sql } of definitions) copy.exec(sql);
  return copy;
}

/** The columns of a table in their order; `list` is quoted for SQL. */
export function tableColumns(
  db: Database.Database,
  table: string,
): { readonly names: readonly string[]; readonly list: string } {
  const names = db
    .prepare<[string], { name: string }>('SELECT name FROM pragma_table_info(?)')
    .all(table)
    .map(({ name }) => name);
  return { names, list: names.map((name) => `"${name.replaceAll('"', '""')}"`).join(', ') };
}

/** Writes rows as SqliteSaver does (its `put` and `putWrites`), and keeps the time that the driver took. */
export interface RowWriter {
  /** Milliseconds in the driver so far. */
  readonly writeMs: number;
  readonly transactions: number;
  readonly rows: number;
  /** One checkpoint row, its columns in the table's order, as a transaction of its own. */
  putCheckpoint(row: unknown[]): void;
  /** The write rows of one task of a checkpoint in one transaction. */
  putWrites(rows: readonly unknown[][]): void;
}

/** A writer into `db` whose statements are prepared once. */
export function rowWriter(db: Database.Database): RowWriter {
  const insert = (table: string, conflict: string) => {
    const { names, list } = tableColumns(db, table);
    return db.prepare(
      `INSERT OR ${conflict} INTO ${table} (${list}) VALUES (${names.map(() => '?').join(', ')})`,
    );
  };
  const insertInOne = (statement: Database.Statement) =>
    db.transaction((rows: readonly unknown[][]) => {
      for (const row of rows) statement.run(row);
    });
  const checkpoint = insert('checkpoints', 'REPLACE');
  const writes = insertInOne(insert('writes', 'IGNORE'));
  const specialWrites = insertInOne(insert('writes', 'REPLACE'));
  const idxAt = tableColumns(db, 'writes').names.indexOf('idx');
  const total = { writeMs: 0, transactions: 0, rows: 0 };
  const took = (start: number, rows: number): void => {
    total.writeMs += performance.now() - start;
    total.transactions += 1;
    total.rows += rows;
  };
  return {
    get writeMs() {
      return total.writeMs;
    },
    get transactions() {
      return total.transactions;
    },
    get rows() {
      return total.rows;
    },
    putCheckpoint: (row) => {
      const start = performance.now();
      checkpoint.run(row);
      took(start, 1);
    },
    putWrites: (rows) => {
      // Errors, interrupts and resumes have negative positions (WRITES_IDX_MAP) and replace what stands there.
      const put = rows.every((row) => Number(row[idxAt]) < 0) ? specialWrites : writes;
      const start = performance.now();
      put(rows);
      took(start, rows.length);
    },
  };
}
