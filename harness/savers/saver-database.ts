// The database behind one of LangGraph's savers, found by the saver's parts: their classes may come from another copy of
// the packages, and what they keep is not in their types.

import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import type { Pool } from 'pg';
import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import { DelegatingSaver } from './delegating.js';

export type SaverDatabase =
  | { readonly kind: 'sqlite'; readonly db: Database }
  | { readonly kind: 'postgres'; readonly pool: Pool; readonly schema: string };

const HASH_DIGITS = 16;

interface SaverParts {
  readonly db?: Partial<Database>;
  readonly pool?: Partial<Pool> & { readonly Client?: unknown };
  readonly options?: { readonly schema?: string };
}

/** Of a SqliteSaver or a PostgresSaver, also behind savers of this package; null for other savers. */
export function databaseOf(saver: BaseCheckpointSaver): SaverDatabase | null {
  const { db, pool, options } = DelegatingSaver.innermost(saver) as SaverParts;
  if (typeof db?.name === 'string' && typeof db.prepare === 'function') {
    return { kind: 'sqlite', db: db as Database };
  }
  if (typeof pool?.query === 'function' && typeof pool.Client === 'function') {
    return { kind: 'postgres', pool: pool as Pool, schema: options?.schema ?? 'public' };
  }
  return null;
}

/** What a client knows before it connects: what its options, its URI and the environment come to. */
interface ServerPlace {
  readonly host: string;
  readonly port: number;
  readonly database: string;
}

/**
 * The same for every process on one database, and without credentials: 16 hex digits of a hash of a SqliteSaver's file, or of
 * host, port, database and schema of a PostgresSaver. Null for a database that nobody else can open and for other savers.
 */
export function databaseFingerprint(saver: BaseCheckpointSaver): string | null {
  const database = databaseOf(saver);
  if (database === null) return null;
  if (database.kind === 'sqlite') {
    const file = database.db.memory ? null : realPath(database.db.name);
    return file && hashed(['sqlite', file]);
  }
  const { Client, options } = database.pool as unknown as {
    readonly Client: new (options: object) => ServerPlace;
    readonly options: object;
  };
  const { host, port, database: name } = new Client(options);
  return hashed(['postgres', host, port, name, database.schema]);
}

/** Null for a temporary database, and for a file that is no longer there. */
function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

function hashed(identity: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, HASH_DIGITS);
}
