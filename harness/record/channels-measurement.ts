// What the children of a case of `deltaproof channels` measured, as its row keeps it.

import { z } from 'zod';
import { SAVER_METHODS } from './names.js';
import { metricValuesSchema, samplesSchema as samples } from './row-numbers.js';
import { fileBytesSchema, historyCacheSchema, relationBytesSchema, stateDigestSchema } from './row-parts.js';
import { VERDICTS } from './verdict.js';

const milliseconds = z.number().nonnegative();

/** How often a saver's method was called, and for how long at least one of its calls was running. */
const callsSchema = z.object({ calls: z.int().nonnegative(), busy_ms: milliseconds });

/**
 * Where the time of all updates went, in milliseconds. The parts of a turn:
 * `turn = storage + serialization + walk + replay + framework + gc + residual`, where
 * `storage + serialization = saver_busy - overlap`.
 */
export const attributionSchema = z.object({
  /** All `invoke`s together. */
  turn_ms: milliseconds,
  /** Each method's calls inside `invoke`, merged; puts overlap, so they can be more than `saver_busy_ms`. */
  put_ms: milliseconds,
  put_writes_ms: milliseconds,
  get_tuple_ms: milliseconds,
  list_ms: milliseconds,
  /** At least one of these calls was running, and no walk. */
  saver_busy_ms: milliseconds,
  /**
   * What LangGraph did meanwhile, while the saver awaited its serializer: as long as on the reference. Null, as what
   * follows from it, for a graph of the user's own, which runs without a reference.
   */
  overlap_ms: milliseconds.nullable(),
  /** The same rows with the bare driver; null where `unavailable` says why. */
  storage_ms: milliseconds.nullable(),
  /** The saver's work beside storage, by difference; null where `unavailable` says why. */
  serialization_ms: z.number().nullable(),
  /** Ancestor walks (`getDeltaChannelHistory`) with all that they load. */
  walk_ms: milliseconds,
  /** Reducers over the writes that the walks returned. */
  replay_ms: milliseconds,
  /** LangGraph and the nodes: the same updates on a saver that keeps references, without walks and replays. */
  framework_ms: milliseconds.nullable(),
  /**
   * Pauses of the garbage collector between the saver's calls and replays, whose garbage most of it is. Null in rows
   * from before it was told apart, where it is part of the residual.
   */
  gc_ms: milliseconds.nullable().default(null),
  /** What the parts do not explain; negative where they overlap. Without a reference with LangGraph's part in it. */
  residual_ms: z.number(),
});
export type Attribution = z.infer<typeof attributionSchema>;

/** Reads of one checkpoint, pinned by its id, of a delta thread. */
export const pinnedReadSchema = z.object({
  /** The checkpoint is the last one of this update, counted from 1. */
  update: z.int().positive(),
  /** Phase: updates of the first channel since its snapshot. */
  updates_since_snapshot: z.int().nonnegative(),
  /** Checkpoints that the walk loaded; null where the saver walks in its own way. */
  ancestors_visited: z.int().nonnegative().nullable(),
  writes_replayed: z.int().nonnegative(),
  /** Bytes of the snapshots that the replay starts from, as stored; 0 for the empty root. */
  seed_bytes: z.int().nonnegative(),
  /** Ascending. */
  samples_ms: samples,
});
export type PinnedRead = z.infer<typeof pinnedReadSchema>;

/** What the children of a case measured: the writer's report, completed by its readers. */
export const channelsMeasurementSchema = z.object({
  /** `model`: an independent pure model says what the state must be. `live`: only the value `invoke` returned does. */
  oracle: z.enum(['model', 'live']),
  /** Ids that the graph had made at random and that were renamed before hashing, in the order in which they come. */
  renamed_ids: z.int().nonnegative().default(0),
  /** Whether the stored rows are what the mode stores; `undecided` where they could not be looked at. */
  mode_verdict: z.enum(VERDICTS),
  /** Digest of the whole state by each way of reading it; null where `unavailable` says why. */
  materialized_sha256: z.object({
    expected: stateDigestSchema.nullable(),
    live: stateDigestSchema.nullable(),
    warm: stateDigestSchema.nullable(),
    cold_graph: stateDigestSchema.nullable(),
    cold_reopened: stateDigestSchema.nullable(),
    cold_process: stateDigestSchema.nullable(),
  }),
  /** By name of `METRICS`; null where `unavailable` says why, absent where the row is older than the metric. */
  metrics: metricValuesSchema,
  /** Raw samples in milliseconds: updates and fresh processes in the order they ran, other reads ascending. */
  samples_ms: z.object({
    /** One per update: the whole `invoke`, which reads the head before it writes. */
    write: samples,
    warm_read: samples,
    cold_read: samples,
    cold_reopened_read: samples,
    /** One per reader child. */
    cold_process_read: samples,
    /** One per update, in order: `put` and `putWrites`, merged. */
    write_busy: samples,
    /** The rows that a read of the head needs, with the bare driver. */
    floor_read: samples,
  }),
  attribution: attributionSchema,
  /** By method: during the updates, and by the reads after them. A walk's own `getTuple`s are part of the walk. */
  saver_calls: z.record(
    z.enum(SAVER_METHODS),
    z.object({ inside_invoke: callsSchema, outside_invoke: callsSchema }),
  ),
  /** At several phases of the cadence, by replay depth; empty in full mode. */
  pinned_reads: z.array(pinnedReadSchema),
  /** Null without a history cache. */
  history_cache: historyCacheSchema.nullable().default(null),
  /** What stands for p99 in `snapshot_write_spike`: below 100 updates it is the slowest one. */
  snapshot_write_spike_basis: z.enum(['p99', 'maximum']),
  /** Bytes of write rows by channel. */
  write_bytes_by_channel: z.record(z.string(), z.number().nonnegative()).nullable(),
  /** File sizes while open after the last update and after the reads, and after a TRUNCATE checkpoint. */
  file_bytes: z
    .object({ after_writes: fileBytesSchema, after_reads: fileBytesSchema, after_truncate: fileBytesSchema })
    .nullable(),
  /** Bytes on the server's disk after the last update, by table; null for a backend without a server. */
  relation_bytes: relationBytesSchema.nullable().default(null),
  /** How peak memory was read: VmHWM of /proc, reset per phase; or getrusage, which starts at the parent's peak. */
  peak_rss_method: z.enum(['vm_hwm', 'ru_maxrss']),
  /** The database's settings that decide what a commit costs; empty for a saver without a database. */
  pragmas: z.record(z.string(), z.union([z.string(), z.number()])),
  /** LangGraph's durability mode during the updates. */
  durability: z.literal('async'),
  /** Why a diagnostic of stored rows and files failed; the timing stays valid. */
  storage_stats_error: z.string().nullable(),
  /** Field name to the reason why it is null. */
  unavailable: z.record(z.string(), z.string()),
});
export type ChannelsMeasurement = z.infer<typeof channelsMeasurementSchema>;

/** In place of samples that are in the journal and need not be in memory as well. */
export const NO_SAMPLES: ChannelsMeasurement['samples_ms'] = {
  write: [],
  warm_read: [],
  cold_read: [],
  cold_reopened_read: [],
  cold_process_read: [],
  write_busy: [],
  floor_read: [],
};

type Reading = keyof ChannelsMeasurement['materialized_sha256'];

/**
 * The first reading whose state is not the one that the oracle vouches for: `expected` or, where that is null, the
 * first reading there is; with oracle `live`, the live one. Null when all agree; only then may a row be successful.
 */
export function deviatingReading({
  oracle,
  materialized_sha256: digests,
}: ChannelsMeasurement): Reading | null {
  const taken = READINGS.filter((reading) => digests[reading] !== null);
  const [first] = taken;
  if (first === undefined) return null;
  const right = digests[oracle === 'live' ? 'live' : first]?.sha256;
  const compared = oracle === 'live' ? taken.filter((reading) => reading !== 'expected') : taken;
  return compared.find((reading) => digests[reading]?.sha256 !== right) ?? null;
}

const READINGS = ['expected', 'live', 'warm', 'cold_graph', 'cold_reopened', 'cold_process'] as const;
