// What a Postgres server tells of itself and of one schema: round trips, write-ahead log, sizes, settings.

import type { Pool } from 'pg';
import { percentile, roundMs } from '../record/percentile.js';
import { KEEPER_NAME } from '../record/store-place.js';
import type { RelationBytes, StoreServer, Traffic } from './store-server.js';
import { rowCount, TABLES } from './postgres-thread.js';
import type { WireMeter } from './wire-meter.js';

const ROUND_TRIPS = 21;

/** Settings that decide what a commit or a large value costs. */
const SETTINGS = [
  'server_version',
  'fsync',
  'synchronous_commit',
  'full_page_writes',
  'wal_level',
  'wal_compression',
  'max_wal_size',
  'shared_buffers',
  'work_mem',
  'block_size',
  'data_checksums',
  'default_toast_compression',
  'jit',
];

interface Watched {
  /** A pool of one connection, which is not the saver's. */
  readonly beside: () => Pool;
  readonly schema: string;
  readonly wire: WireMeter;
  /** Of all connections of this process. */
  readonly applicationName: string;
}

export class PostgresServer implements StoreServer {
  readonly #watched: Watched;
  #walStart: string | null = null;
  #othersBefore = 0;

  constructor(watched: Watched) {
    this.#watched = watched;
  }

  takeTraffic(): Traffic {
    return this.#watched.wire.take();
  }

  async roundTripMs(): Promise<number> {
    const db = this.#watched.beside();
    const samples: number[] = [];
    await db.query('SELECT 1');
    for (let sample = 0; sample < ROUND_TRIPS; sample += 1) {
      const start = performance.now();
      await db.query('SELECT 1');
      samples.push(performance.now() - start);
    }
    return roundMs(percentile(samples, 50) ?? 0);
  }

  async startWal(): Promise<void> {
    this.#othersBefore = await this.#others();
    const { rows } = await this.#watched.beside().query<{ lsn: string }>(`SELECT ${LSN}::text AS lsn`);
    this.#walStart = rows[0]?.lsn ?? null;
  }

  async walBytes(): Promise<{ readonly bytes: number } | { readonly reason: string }> {
    const { rows } = await this.#watched
      .beside()
      .query<{ bytes: string }>(`SELECT pg_wal_lsn_diff(${LSN}, $1::pg_lsn)::text AS bytes`, [
        this.#walStart,
      ]);
    // Whoever is connected may have written in between.
    if (this.#othersBefore > 0 || (await this.#others()) > 0) {
      return { reason: 'undecided: others were connected to the server' };
    }
    return { bytes: Number(rows[0]?.bytes) };
  }

  rowCount(threadId: string): Promise<number> {
    const { beside, schema } = this.#watched;
    return rowCount(beside(), (table) => `"${schema}".${table}`, threadId);
  }

  async relationBytes(): Promise<Record<string, RelationBytes>> {
    const { rows } = await this.#watched
      .beside()
      .query<{ table: string; heap: string; index: string; toast: string }>(SIZES, [
        this.#watched.schema,
        TABLES,
      ]);
    return Object.fromEntries(
      rows.map(({ table, heap, index, toast }) => [
        table,
        { heap: Number(heap), index: Number(index), toast: Number(toast) },
      ]),
    );
  }

  /** Connections of other programs and processes. Without the right to see more, every connection counts. */
  async #others(): Promise<number> {
    const { rows } = await this.#watched.beside().query<{ n: string }>(
      `SELECT count(*) AS n FROM pg_stat_activity
       WHERE datid IS NOT NULL AND application_name IS DISTINCT FROM $1 AND application_name IS DISTINCT FROM $2
         AND coalesce(backend_type, 'client backend') = 'client backend'`,
      [this.#watched.applicationName, KEEPER_NAME],
    );
    return Number(rows[0]?.n ?? 0);
  }
}

/** Of what was written, flushed or not. */
const LSN = 'pg_current_wal_insert_lsn()';

/** https://www.postgresql.org/docs/18/functions-admin.html#FUNCTIONS-ADMIN-DBOBJECT */
const SIZES = `
  SELECT c.relname::text AS "table", pg_relation_size(c.oid)::text AS heap, pg_indexes_size(c.oid)::text AS index,
    coalesce(pg_total_relation_size(nullif(c.reltoastrelid, 0)), 0)::text AS toast
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = $1 AND c.relname = ANY ($2) ORDER BY c.relname`;

/** The settings that there are, as the server prints them. */
export async function serverSettings(db: Pool): Promise<Record<string, string>> {
  const { rows } = await db.query<{ name: string; setting: string }>(
    `SELECT name, current_setting(name, true) AS setting FROM pg_settings WHERE name = ANY ($1) ORDER BY name`,
    [SETTINGS],
  );
  return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
}
