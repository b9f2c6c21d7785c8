// Replay chains in the three tables of LangGraph's PostgresSaver.

import type { Pool } from 'pg';
import { sendNodes } from './sqlite-chain.js';
import type { ChainLink, ChainPayload, ChainPlace, ChainSource, TypedBytes } from './chain-source.js';

const SENDS = '__pregel_tasks';

/**
 * `found` has the channels with a stored value here or in a newer ancestor. `UNION` ends the walk where parents form a
 * circle, since a row then comes a second time.
 */
const linksSql = (schema: string) => `
  WITH RECURSIVE chain AS (
    SELECT checkpoint_id, parent_checkpoint_id, metadata ->> 'step' AS step, metadata ->> 'source' AS source,
      ARRAY[]::text[] AS found
    FROM "${schema}".checkpoints
    WHERE thread_id = $1 AND checkpoint_ns = $2 AND checkpoint_id = $3
    UNION
    SELECT ancestor.checkpoint_id, ancestor.parent_checkpoint_id, ancestor.metadata ->> 'step',
      ancestor.metadata ->> 'source', chain.found || ARRAY(
        SELECT asked.channel FROM unnest($4::text[]) WITH ORDINALITY AS asked (channel, place)
        WHERE asked.channel <> ALL (chain.found) AND EXISTS (
          SELECT FROM "${schema}".checkpoint_blobs AS stored
          WHERE stored.thread_id = $1 AND stored.checkpoint_ns = $2 AND stored.channel = asked.channel
            AND stored.version = ancestor.checkpoint -> 'channel_versions' ->> asked.channel
            AND stored.type <> 'empty'
        )
        ORDER BY asked.place
      )
    FROM chain JOIN "${schema}".checkpoints AS ancestor ON ancestor.thread_id = $1 AND ancestor.checkpoint_ns = $2
      AND ancestor.checkpoint_id = chain.parent_checkpoint_id
    WHERE cardinality(chain.found) < cardinality($4::text[])
  )
  SELECT checkpoint_id, parent_checkpoint_id, step, source, found FROM chain`;

const writesSql = (schema: string) => `
  SELECT cp.checkpoint_id, w.task_id, w.channel, w.type,
    CASE WHEN w.channel = ANY ($4) THEN w.blob END AS blob
  FROM "${schema}".checkpoints AS cp LEFT JOIN "${schema}".checkpoint_writes AS w
    USING (thread_id, checkpoint_ns, checkpoint_id)
  WHERE cp.thread_id = $1 AND cp.checkpoint_ns = $2 AND cp.checkpoint_id = ANY ($3)
  ORDER BY cp.checkpoint_id, w.task_id, w.idx`;

const payloadsSql = (schema: string) => `
  SELECT cp.checkpoint_id, cp.checkpoint, stored.channel, stored.type, stored.blob
  FROM "${schema}".checkpoints AS cp LEFT JOIN "${schema}".checkpoint_blobs AS stored
    ON stored.thread_id = cp.thread_id AND stored.checkpoint_ns = cp.checkpoint_ns AND stored.channel = ANY ($4)
      AND stored.version = cp.checkpoint -> 'channel_versions' ->> stored.channel AND stored.type <> 'empty'
  WHERE cp.thread_id = $1 AND cp.checkpoint_ns = $2 AND cp.checkpoint_id = ANY ($3)`;

interface LinkRow {
  readonly checkpoint_id: string;
  readonly parent_checkpoint_id: string | null;
  readonly step: string | null;
  readonly source: string | null;
  readonly found: readonly string[];
}

interface WriteRow {
  readonly checkpoint_id: string;
  readonly task_id: string | null;
  readonly channel: string;
  readonly type: string | null;
  readonly blob: Buffer | null;
}

interface PayloadRow {
  readonly checkpoint_id: string;
  readonly checkpoint: {
    readonly channel_versions?: Readonly<Record<string, unknown>>;
    readonly versions_seen?: Readonly<Record<string, unknown>>;
  };
  readonly channel: string | null;
  readonly type: string | null;
  readonly blob: Buffer | null;
}

/** Reads through a pool that its saver may use as well. */
export function postgresChains(pool: Pool, schema: string): ChainSource {
  const quoted = schema.replaceAll('"', '""');
  const asked = ({ threadId, namespace }: ChainPlace) => [threadId, namespace];
  return {
    async links(place, checkpointId, channels) {
      const { rows } = await pool.query<LinkRow>(linksSql(quoted), [...asked(place), checkpointId, channels]);
      return linksOf(rows);
    },
    async writes(place, checkpointIds, channels) {
      const { rows } = await pool.query<WriteRow>(writesSql(quoted), [
        ...asked(place),
        checkpointIds,
        channels,
      ]);
      return {
        checkpoints: new Set(rows.map((row) => row.checkpoint_id)),
        writes: rows
          .filter((row) => row.task_id !== null)
          .map((row) => ({
            checkpointId: row.checkpoint_id,
            taskId: row.task_id ?? '',
            channel: row.channel,
            value: row.blob === null ? null : { type: row.type ?? 'json', bytes: row.blob },
          })),
      };
    },
    async payloads(place, checkpointIds, channels) {
      const values = [...asked(place), checkpointIds, [...channels, SENDS]];
      const { rows } = await pool.query<PayloadRow>(payloadsSql(quoted), values);
      return payloadsOf(rows);
    },
  };
}

function linksOf(rows: readonly LinkRow[]): ChainLink[] {
  const foundBy = new Map(rows.map((row) => [row.parent_checkpoint_id, row.found]));
  return rows.map((row) => ({
    checkpointId: row.checkpoint_id,
    parentId: row.parent_checkpoint_id,
    step: row.step === null ? null : Number(row.step),
    source: row.source,
    // Its checkpoints hold no values of the state.
    isReadable: true,
    // What its child had found already is not found here.
    stores: row.found.filter((channel) => foundBy.get(row.checkpoint_id)?.includes(channel) !== true),
  }));
}

function payloadsOf(rows: readonly PayloadRow[]): ChainPayload[] {
  const payloads = new Map<string, ChainPayload & { values: Map<string, TypedBytes>; sends: string[] }>();
  for (const { checkpoint_id: checkpointId, checkpoint, channel, type, blob } of rows) {
    const payload = payloads.get(checkpointId) ?? {
      checkpointId,
      values: new Map<string, TypedBytes>(),
      channels: Object.keys(checkpoint.channel_versions ?? {}),
      nodes: Object.keys(checkpoint.versions_seen ?? {}),
      sends: [],
    };
    payloads.set(checkpointId, payload);
    if (channel === null || type === null || blob === null) continue;
    if (channel === SENDS) payload.sends.push(...sendNodes(JSON.parse(blob.toString())));
    else payload.values.set(channel, { type, bytes: blob });
  }
  return [...payloads.values()];
}
