// Replay chains in the two tables of LangGraph's SqliteSaver.

import type { Database } from 'better-sqlite3';
import type {
  ChainLink,
  ChainPayload,
  ChainPlace,
  ChainSource,
  ChainWrite,
  TypedBytes,
} from './chain-source.js';

/**
 * Follows parents; bit i of `found` says that channel i has a stored value here or in a newer ancestor. `UNION` ends the
 * walk where parents form a circle, since a row then comes a second time.
 */
const LINKS = `
  WITH RECURSIVE chain (checkpoint_id, parent_checkpoint_id, metadata, readable, found) AS (
    SELECT checkpoint_id, parent_checkpoint_id, metadata, 1, 0 FROM checkpoints
    WHERE thread_id = :thread AND checkpoint_ns = :namespace AND checkpoint_id = :checkpoint
    UNION
    SELECT ancestor.checkpoint_id, ancestor.parent_checkpoint_id, ancestor.metadata,
      json_type(CAST(ancestor.checkpoint AS TEXT)) = 'object', chain.found | (
      SELECT coalesce(sum(1 << asked.key), 0) FROM json_each(:channels) AS asked
      WHERE asked.value IN (
        SELECT stored.key FROM json_each(CAST(ancestor.checkpoint AS TEXT), '$.channel_values') AS stored
      )
    )
    FROM chain JOIN checkpoints AS ancestor ON ancestor.thread_id = :thread AND ancestor.checkpoint_ns = :namespace
      AND ancestor.checkpoint_id = chain.parent_checkpoint_id
    WHERE chain.found <> :all
  )
  SELECT checkpoint_id, parent_checkpoint_id, readable, found,
    CAST(metadata AS TEXT) ->> '$.step' AS step, CAST(metadata AS TEXT) ->> '$.source' AS source
  FROM chain`;

const WRITES = `
  SELECT checkpoints.checkpoint_id, writes.task_id, writes.channel, writes.type,
    CASE WHEN writes.channel IN (SELECT value FROM json_each(:channels)) THEN writes.value END AS value
  FROM checkpoints LEFT JOIN writes USING (thread_id, checkpoint_ns, checkpoint_id)
  WHERE checkpoints.thread_id = :thread AND checkpoints.checkpoint_ns = :namespace
    AND checkpoints.checkpoint_id IN (SELECT value FROM json_each(:checkpoints))
  ORDER BY checkpoints.checkpoint_id, writes.task_id, writes.idx`;

const PAYLOADS = `
  SELECT checkpoint_id, checkpoint FROM checkpoints
  WHERE thread_id = :thread AND checkpoint_ns = :namespace
    AND checkpoint_id IN (SELECT value FROM json_each(:checkpoints))`;

interface LinkRow {
  readonly checkpoint_id: string;
  readonly parent_checkpoint_id: string | null;
  readonly readable: bigint;
  readonly found: bigint;
  readonly step: bigint | null;
  readonly source: string | null;
}

interface WriteRow {
  readonly checkpoint_id: string;
  readonly task_id: string | null;
  readonly channel: string;
  readonly type: string | null;
  readonly value: Buffer | null;
}

interface StoredCheckpoint {
  readonly channel_values?: Readonly<Record<string, unknown>>;
  readonly channel_versions?: Readonly<Record<string, unknown>>;
  readonly versions_seen?: Readonly<Record<string, unknown>>;
}

/**
 * Reads through a connection that its saver may use as well. The rows must be JSON, as LangGraph's own serializer writes
 * them; SQLite's error says so of others.
 */
export function sqliteChains(db: Database): ChainSource {
  return {
    async links(place, checkpointId, channels) {
      const rows = db
        .prepare<unknown[], LinkRow>(LINKS)
        .safeIntegers()
        .all({
          ...inThread(place),
          checkpoint: checkpointId,
          channels: JSON.stringify(channels),
          all: (1n << BigInt(channels.length)) - 1n,
        });
      return linksOf(rows, channels);
    },
    async writes(place, checkpointIds, channels) {
      const rows = db.prepare<unknown[], WriteRow>(WRITES).all({
        ...inThread(place),
        checkpoints: JSON.stringify(checkpointIds),
        channels: JSON.stringify(channels),
      });
      return {
        checkpoints: new Set(rows.map((row) => row.checkpoint_id)),
        writes: rows.filter((row) => row.task_id !== null).map(writeOf),
      };
    },
    async payloads(place, checkpointIds, channels) {
      const rows = db
        .prepare<unknown[], { checkpoint_id: string; checkpoint: Buffer | string }>(PAYLOADS)
        .all({
          ...inThread(place),
          checkpoints: JSON.stringify(checkpointIds),
        });
      return rows.map((row) => payloadOf(row.checkpoint_id, row.checkpoint, channels));
    },
  };
}

function inThread({ threadId, namespace }: ChainPlace): Record<string, string> {
  return { thread: threadId, namespace };
}

function linksOf(rows: readonly LinkRow[], channels: readonly string[]): ChainLink[] {
  const foundBy = new Map(rows.map((row) => [row.parent_checkpoint_id, row.found]));
  return rows.map((row) => ({
    checkpointId: row.checkpoint_id,
    parentId: row.parent_checkpoint_id,
    step: row.step === null ? null : Number(row.step),
    source: row.source,
    isReadable: row.readable === 1n,
    // What its child had found already is not found here.
    stores: channels.filter((_, index) => {
      const fresh = row.found & ~(foundBy.get(row.checkpoint_id) ?? 0n);
      return (fresh & (1n << BigInt(index))) !== 0n;
    }),
  }));
}

function writeOf(row: WriteRow): ChainWrite {
  return {
    checkpointId: row.checkpoint_id,
    taskId: row.task_id ?? '',
    channel: row.channel,
    value: row.value === null ? null : { type: row.type ?? 'json', bytes: Buffer.from(row.value) },
  };
}

function payloadOf(checkpointId: string, json: Buffer | string, channels: readonly string[]): ChainPayload {
  const stored = JSON.parse(json.toString()) as StoredCheckpoint;
  const { channel_values: values = {}, channel_versions: versions = {}, versions_seen: seen = {} } = stored;
  const asked = channels.filter((channel) => Object.hasOwn(values, channel));
  return {
    checkpointId,
    values: new Map(asked.map((channel) => [channel, jsonBytes(values[channel])])),
    channels: Object.keys(versions),
    nodes: Object.keys(seen),
    sends: sendNodes(values['__pregel_tasks']),
  };
}

function jsonBytes(value: unknown): TypedBytes {
  return { type: 'json', bytes: Buffer.from(JSON.stringify(value)) };
}

/** The nodes of serialized Sends. */
export function sendNodes(sends: unknown): string[] {
  if (!Array.isArray(sends)) return [];
  return sends.map((send: unknown) => String((send as { readonly node?: unknown } | null)?.node));
}
