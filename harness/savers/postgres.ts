// LangGraph's PostgresSaver in a schema of its own, with the diagnostics of its three tables and of its server.

import pg, { type Pool, type PoolConfig } from 'pg';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import type { StoredRecord } from '../chain/records.js';
import { SCHEMA_NAME, type StorePlace } from '../record/store-place.js';
import { writeRecord } from './database-rows.js';
import { NO_FILES } from './no-files.js';
import { openPostgresFloor } from './postgres-floor.js';
import { PostgresServer, serverSettings } from './postgres-server.js';
import { TABLES, ThreadRows } from './postgres-thread.js';
import type { OpenStore, RowEditor } from './saver.js';
import { WireMeter } from './wire-meter.js';

const MIGRATIONS_TABLE = 'checkpoint_migrations';
/** So that a server that does not answer is an error and no wait for ever. */
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Opens the store as a service does when it starts: a pool of connections, and `setup()`, which makes the schema and its
 * tables where they are not there.
 *
 * @throws RangeError when the schema is not one of this tool; the error of pg when the server refuses.
 */
export async function openPostgres({ server }: StorePlace): Promise<OpenStore> {
  if (server === null) throw new RangeError('A Postgres store needs a server.');
  const { uri, schema } = server;
  if (!SCHEMA_NAME.test(schema)) throw new RangeError(`The schema ${schema} is not one of this tool.`);
  const settings: PoolConfig = {
    connectionString: uri,
    application_name: `deltaproof-${process.pid}`,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  };
  const pools: Pool[] = [];
  const pooled = (more: PoolConfig = {}): Pool => {
    const pool = new pg.Pool({ ...settings, ...more });
    // A connection that breaks while nobody uses it: whoever needs one next is told.
    pool.on('error', () => {});
    pools.push(pool);
    return pool;
  };
  const close = async (): Promise<void> => {
    await Promise.all(pools.splice(0).map((pool) => pool.end()));
  };
  const pool = pooled();
  const wire = new WireMeter(pool);
  const saver = new PostgresSaver(pool, undefined, { schema });
  try {
    await saver.setup();
  } catch (error) {
    await close();
    throw error;
  }
  let second: PostgresSaver | null = null;
  // Beside the saver's connections, whose traffic is counted.
  let besides: Pool | null = null;
  const beside = (): Pool => (besides ??= pooled({ max: 1 }));
  return {
    ...NO_FILES,
    saver,
    rows: postgresRows(beside, schema),
    second() {
      second ??= new PostgresSaver(pooled(), undefined, { schema });
      return { saver: second };
    },
    records: (threadId) => postgresRecords(beside(), schema, threadId),
    openFloor: (request) => openPostgresFloor(beside(), schema, request),
    server: new PostgresServer({ beside, schema, wire, applicationName: `deltaproof-${process.pid}` }),
    pragmas: () => serverSettings(beside()),
    close,
  };
}

/** A table beside the three could hold the state a second time, so nothing would be counted right. */
async function refuseOtherTables(db: Pool, schema: string): Promise<void> {
  const { rows } = await db.query<{ table_name: string }>(
    'SELECT table_name::text FROM information_schema.tables WHERE table_schema = $1',
    [schema],
  );
  const known: readonly string[] = [...TABLES, MIGRATIONS_TABLE];
  const others = rows.filter(({ table_name: name }) => !known.includes(name));
  if (others.length > 0)
    throw new Error(`there are other tables beside those of the saver (${others.length})`);
}

async function postgresRecords(db: Pool, schema: string, threadId: string): Promise<StoredRecord[]> {
  await refuseOtherTables(db, schema);
  const { checkpoints, writes } = await new ThreadRows(db, schema, threadId).next('', null);
  return [
    ...checkpoints.map(({ row, blobs, carried }): StoredRecord => ({
      kind: 'checkpoint',
      namespace: row.checkpoint_ns,
      checkpointId: row.checkpoint_id,
      parentId: row.parent_checkpoint_id,
      payload: asSent(row.checkpoint),
      metadataBytes: asSent(row.metadata).length,
      blobs,
      carried,
    })),
    ...writes.map((row) => writeRecord(row, row.blob.length)),
  ];
}

/** The saver hands objects to pg, which sends them as JSON.stringify prints them; the server prints spaces between. */
function asSent(json: string): Uint8Array {
  return Buffer.from(JSON.stringify(JSON.parse(json)));
}

function postgresRows(db: () => Pool, schema: string): RowEditor {
  return {
    async deleteCheckpoints(threadId, checkpointIds) {
      // Blobs belong to versions, which several checkpoints can name: as a retention job does, they are left.
      for (const table of ['checkpoint_writes', 'checkpoints']) {
        await db().query(
          `DELETE FROM "${schema}".${table}
           WHERE thread_id = $1 AND checkpoint_ns = '' AND checkpoint_id = ANY ($2)`,
          [threadId, checkpointIds],
        );
      }
    },
    async copyThread(from, to) {
      for (const [table, columns] of Object.entries(COLUMNS)) {
        await db().query(
          `INSERT INTO "${schema}".${table} (thread_id, ${columns})
           SELECT $2, ${columns} FROM "${schema}".${table} WHERE thread_id = $1`,
          [from, to],
        );
      }
    },
  };
}

/** By table, without the thread. */
const COLUMNS: Readonly<Record<(typeof TABLES)[number], string>> = {
  checkpoints: 'checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata',
  checkpoint_blobs: 'checkpoint_ns, channel, version, type, blob',
  checkpoint_writes: 'checkpoint_ns, checkpoint_id, task_id, idx, channel, type, blob',
};
