// The floor of a Postgres case: the rows that a saver has left in a thread, written and read again with bare pg. No saver,
// no serializer and no graph; what a case takes beyond it, they take.

import type { Pool, PoolClient } from 'pg';
import { grouped } from './database-rows.js';
import type { FloorRequest, FloorWrites, StoreFloor } from './saver.js';
import { rowCount, TABLES, ThreadRows, type StoredCheckpoint, type WriteRow } from './postgres-thread.js';

const ROOT_NAMESPACE = '';

/**
 * Prepares the floor of the thread that a saver has written into `schema`, in tables beside the saver's.
 *
 * @throws RangeError when the heads are not those of the thread.
 */
export async function openPostgresFloor(
  db: Pool,
  schema: string,
  request: FloorRequest,
): Promise<StoreFloor> {
  const headId = await checkedHead(db, schema, request);
  const copies = new FloorTables(db, schema);
  let isReplayed = false;
  return {
    async replayWrites() {
      isReplayed = false;
      await copies.make();
      const client = await db.connect();
      try {
        const written = await replay(client, schema, copies, request);
        isReplayed = true;
        return written;
      } finally {
        client.release();
      }
    },
    readHead() {
      if (!isReplayed) throw new Error('The head can be read once the writes have been replayed.');
      return readHead(db, copies, request, headId);
    },
    close: () => copies.drop(),
  };
}

async function checkedHead(db: Pool, schema: string, { threadId, heads }: FloorRequest): Promise<string> {
  const { rows } = await db.query<{ id: string | null }>(
    `SELECT max(checkpoint_id COLLATE "C") AS id FROM "${schema}".checkpoints
     WHERE thread_id = $1 AND checkpoint_ns = $2`,
    [threadId, ROOT_NAMESPACE],
  );
  const headId = heads.at(-1);
  if (headId === undefined || headId !== rows[0]?.id)
    throw new RangeError('The last head is not the newest checkpoint of the thread.');
  if (heads.some((head, update) => update > 0 && head < (heads[update - 1] ?? '')))
    throw new RangeError('The heads do not ascend.');
  return headId;
}

/** Tables with the columns, keys and defaults of the saver's. */
class FloorTables {
  readonly #db: Pool;
  readonly #schema: string;

  constructor(db: Pool, schema: string) {
    this.#db = db;
    this.#schema = schema;
  }

  /** As SQL names it. */
  name(table: (typeof TABLES)[number]): string {
    return `"${this.#schema}".floor_${table}`;
  }

  async make(): Promise<void> {
    await this.drop();
    for (const table of TABLES) {
      await this.#db.query(
        `CREATE TABLE ${this.name(table)} (LIKE "${this.#schema}".${table} INCLUDING ALL)`,
      );
    }
  }

  async drop(): Promise<void> {
    for (const table of TABLES) await this.#db.query(`DROP TABLE IF EXISTS ${this.name(table)}`);
  }
}

/** Statements into the copies, one after the other on one connection, and the time they took. */
class FloorWriter {
  readonly #client: PoolClient;
  readonly #copies: FloorTables;
  readonly #threadId: string;
  writeMs = 0;
  transactions = 0;
  rows = 0;

  constructor(client: PoolClient, copies: FloorTables, threadId: string) {
    this.#client = client;
    this.#copies = copies;
    this.#threadId = threadId;
  }

  /** As `put`: a statement for each blob, one for the checkpoint, all in one transaction. */
  putCheckpoint({ row, blobs }: StoredCheckpoint): Promise<void> {
    const inserts = blobs.map((blob): Insert => [
      'checkpoint_blobs',
      'checkpoint_ns, channel, version, type, blob',
      [row.checkpoint_ns, blob.channel, blob.version, blob.type, blob.type === 'empty' ? null : blob.payload],
    ]);
    return this.#transaction([
      ...inserts,
      [
        'checkpoints',
        'checkpoint_ns, checkpoint_id, parent_checkpoint_id, checkpoint, metadata',
        [row.checkpoint_ns, row.checkpoint_id, row.parent_checkpoint_id, row.checkpoint, row.metadata],
      ],
    ]);
  }

  /** As `putWrites`: a statement for each write of one task, all in one transaction. */
  putWrites(writes: readonly WriteRow[]): Promise<void> {
    return this.#transaction(
      writes.map((write): Insert => [
        'checkpoint_writes',
        'checkpoint_ns, checkpoint_id, task_id, idx, channel, type, blob',
        [
          write.checkpoint_ns,
          write.checkpoint_id,
          write.task_id,
          write.idx,
          write.channel,
          write.type,
          write.blob,
        ],
      ]),
    );
  }

  async #transaction(inserts: readonly Insert[]): Promise<void> {
    const statements = inserts.map(([table, columns, values]) => ({
      text: `INSERT INTO ${this.#copies.name(table)} (thread_id, ${columns})
             VALUES ($1, ${values.map((_, index) => `$${index + 2}`).join(', ')}) ON CONFLICT DO NOTHING`,
      values: [this.#threadId, ...values],
    }));
    const start = performance.now();
    await this.#client.query('BEGIN');
    for (const statement of statements) await this.#client.query(statement);
    await this.#client.query('COMMIT');
    this.writeMs += performance.now() - start;
    this.transactions += 1;
    this.rows += inserts.length;
  }
}

type Insert = readonly [table: (typeof TABLES)[number], columns: string, values: readonly unknown[]];

async function replay(
  client: PoolClient,
  schema: string,
  copies: FloorTables,
  { threadId, heads }: FloorRequest,
): Promise<FloorWrites> {
  const source = new ThreadRows(client, schema, threadId);
  const writer = new FloorWriter(client, copies, threadId);
  let headReadMs = 0;
  let previous = '';
  for (const [update, head] of heads.entries()) {
    const start = performance.now();
    const newest = heads[update - 1];
    if (newest !== undefined) await selectHead(client, copies, { threadId, oldest: newest, headId: newest });
    headReadMs += performance.now() - start;
    const part = await source.next(previous, update === heads.length - 1 ? null : head);
    const writesOf = grouped(part.writes, placeOf);
    for (const checkpoint of part.checkpoints) {
      await writer.putCheckpoint(checkpoint);
      const writes = writesOf.get(placeOf(checkpoint.row)) ?? [];
      for (const ofTask of grouped(writes, ({ task_id: task }) => task).values())
        await writer.putWrites(ofTask);
    }
    previous = head;
  }
  const { writeMs, transactions, rows } = writer;
  const expected = await rowCount(client, (table) => `"${schema}".${table}`, threadId);
  const copied = await rowCount(client, (table) => copies.name(table), threadId);
  if (copied !== expected)
    throw new Error(`The copy has ${copied} rows of the thread, its source ${expected}.`);
  return { writeMs, headReadMs, transactions, rows };
}

function placeOf({
  checkpoint_ns,
  checkpoint_id,
}: Pick<WriteRow, 'checkpoint_ns' | 'checkpoint_id'>): string {
  return JSON.stringify([checkpoint_ns, checkpoint_id]);
}

interface Chain {
  readonly threadId: string;
  /** The first checkpoint whose rows count; the empty text for the root. */
  readonly oldest: string;
  readonly headId: string;
}

/** The checkpoints of a chain, and as plain rows its writes and the blobs that its two ends name. */
async function selectHead(db: Pool | PoolClient, copies: FloorTables, { threadId, oldest, headId }: Chain) {
  const of = `thread_id = $1 AND checkpoint_ns = '' AND checkpoint_id >= $2 AND checkpoint_id <= $3`;
  const values = [threadId, oldest, headId];
  const checkpoints = await db.query<{ checkpoint: unknown; metadata: unknown }>(
    `SELECT checkpoint, metadata FROM ${copies.name('checkpoints')} WHERE ${of} ORDER BY checkpoint_id DESC`,
    values,
  );
  const payloads = await db.query<{ type: string | null; blob: Buffer | null }>(
    `SELECT type, blob FROM ${copies.name('checkpoint_writes')} WHERE ${of}
     UNION ALL
     SELECT b.type, b.blob FROM ${copies.name('checkpoint_blobs')} b
     JOIN (SELECT DISTINCT v.key, v.value FROM ${copies.name('checkpoints')} c,
             jsonb_each_text(c.checkpoint -> 'channel_versions') v
           WHERE c.thread_id = $1 AND c.checkpoint_ns = '' AND c.checkpoint_id IN ($2, $3)) w
       ON b.channel = w.key AND b.version = w.value
     WHERE b.thread_id = $1 AND b.checkpoint_ns = ''`,
    values,
  );
  return { checkpoints: checkpoints.rows, payloads: payloads.rows };
}

async function readHead(
  db: Pool,
  copies: FloorTables,
  { threadId, readsChain, seedId }: FloorRequest,
  headId: string,
): Promise<unknown> {
  const oldest = readsChain ? (seedId ?? '') : headId;
  const { checkpoints, payloads } = await selectHead(db, copies, { threadId, oldest, headId });
  const values = payloads.map(({ type, blob }): unknown =>
    type === 'json' && blob !== null ? JSON.parse(blob.toString('utf8')) : blob,
  );
  return { checkpoints, values };
}
