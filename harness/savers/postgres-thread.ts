// The rows of a thread in the tables of LangGraph's PostgresSaver: checkpoints, each with the blobs that came with it, and
// writes. Reads plain rows and revives nothing.

import type { Pool, PoolClient } from 'pg';
import type { BlobRecord } from '../chain/records.js';
import type { WriteColumns } from './database-rows.js';

export const TABLES = ['checkpoints', 'checkpoint_blobs', 'checkpoint_writes'] as const;

export interface CheckpointRow {
  readonly checkpoint_ns: string;
  readonly checkpoint_id: string;
  readonly parent_checkpoint_id: string | null;
  /** JSON, as the server prints it. */
  readonly checkpoint: string;
  readonly metadata: string;
}

export interface WriteRow extends WriteColumns {
  readonly type: string | null;
  readonly blob: Buffer;
}

interface BlobRow {
  readonly checkpoint_ns: string;
  readonly channel: string;
  readonly version: string;
  readonly type: string;
  readonly blob: Buffer | null;
}

export interface StoredCheckpoint {
  readonly row: CheckpointRow;
  /** Rows that no checkpoint before it named. */
  readonly blobs: readonly BlobRecord[];
  /** Channels whose value came with a checkpoint before it. */
  readonly carried: ReadonlySet<string>;
}

export interface ThreadPart {
  readonly checkpoints: readonly StoredCheckpoint[];
  readonly writes: readonly WriteRow[];
}

/** Reads a thread part by part, in the order of its checkpoints' ids. */
export class ThreadRows {
  readonly #db: Pool | PoolClient;
  readonly #schema: string;
  readonly #threadId: string;
  readonly #named = new Set<string>();

  /** @param schema a name that needs no quoting beside double quotes. */
  constructor(db: Pool | PoolClient, schema: string, threadId: string) {
    this.#db = db;
    this.#schema = schema;
    this.#threadId = threadId;
  }

  /** The checkpoints after `afterId` up to and with `lastId`, null for all, and the writes that hang on these ids. */
  async next(afterId: string, lastId: string | null): Promise<ThreadPart> {
    const [ofThread, bounds] = ['thread_id = $1', 'checkpoint_id COLLATE "C" > $2'];
    const upTo = lastId === null ? '' : 'AND checkpoint_id COLLATE "C" <= $3';
    const values = [this.#threadId, afterId, ...(lastId === null ? [] : [lastId])];
    const where = `WHERE ${ofThread} AND ${bounds} ${upTo}`;
    const checkpoints = await this.#db.query<CheckpointRow>(
      `SELECT checkpoint_ns, checkpoint_id, parent_checkpoint_id, checkpoint::text, metadata::text
       FROM "${this.#schema}".checkpoints ${where} ORDER BY checkpoint_id COLLATE "C", checkpoint_ns`,
      values,
    );
    const writes = await this.#db.query<WriteRow>(
      `SELECT checkpoint_ns, checkpoint_id, task_id, idx, channel, type, blob
       FROM "${this.#schema}".checkpoint_writes ${where}
       ORDER BY checkpoint_id COLLATE "C", checkpoint_ns, task_id, idx`,
      values,
    );
    return { checkpoints: await this.#withBlobs(checkpoints.rows), writes: writes.rows };
  }

  async #withBlobs(rows: readonly CheckpointRow[]): Promise<StoredCheckpoint[]> {
    const versions = rows.map(versionsOf);
    const wanted = [...new Map(versions.flat().map((version) => [keyOf(version), version])).values()];
    const { rows: found } = await this.#db.query<BlobRow>(
      `SELECT b.checkpoint_ns, b.channel, b.version, b.type, b.blob
       FROM "${this.#schema}".checkpoint_blobs b
       JOIN unnest($2::text[], $3::text[], $4::text[]) AS w (ns, channel, version)
         ON b.checkpoint_ns = w.ns AND b.channel = w.channel AND b.version = w.version
       WHERE b.thread_id = $1`,
      [
        this.#threadId,
        wanted.map(({ checkpoint_ns }) => checkpoint_ns),
        wanted.map(({ channel }) => channel),
        wanted.map(({ version }) => version),
      ],
    );
    const blobs = new Map(found.map((blob) => [keyOf(blob), blob]));
    return rows.map((row, index) => this.#owned(row, versions[index] ?? [], blobs));
  }

  #owned(
    row: CheckpointRow,
    versions: readonly ChannelVersion[],
    blobs: ReadonlyMap<string, BlobRow>,
  ): StoredCheckpoint {
    const own: BlobRecord[] = [];
    const carried = new Set<string>();
    for (const version of versions) {
      const key = keyOf(version);
      const blob = blobs.get(key);
      if (blob === undefined) continue;
      const { channel, type } = blob;
      if (this.#named.has(key)) {
        if (type !== 'empty') carried.add(channel);
        continue;
      }
      this.#named.add(key);
      own.push({ channel, version: blob.version, type, payload: blob.blob ?? new Uint8Array() });
    }
    return { row, blobs: own, carried };
  }
}

type ChannelVersion = Pick<BlobRow, 'checkpoint_ns' | 'channel' | 'version'>;

function keyOf({ checkpoint_ns, channel, version }: ChannelVersion): string {
  return JSON.stringify([checkpoint_ns, channel, version]);
}

function versionsOf({ checkpoint_ns, checkpoint }: CheckpointRow): ChannelVersion[] {
  const { channel_versions: versions = {} } = JSON.parse(checkpoint) as {
    channel_versions?: Record<string, string | number>;
  };
  return Object.entries(versions).map(([channel, version]) => ({
    checkpoint_ns,
    channel,
    version: String(version),
  }));
}

/** How many rows of a thread are in the tables, or in those that stand for them. */
export async function rowCount(
  db: Pool | PoolClient,
  nameOf: (table: (typeof TABLES)[number]) => string,
  threadId: string,
): Promise<number> {
  const counts = TABLES.map((table) => `(SELECT count(*) FROM ${nameOf(table)} WHERE thread_id = $1)`);
  const { rows } = await db.query<{ n: string }>(`SELECT ${counts.join(' + ')} AS n`, [threadId]);
  return Number(rows[0]?.n);
}
