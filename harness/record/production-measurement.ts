// What the children of a case of `deltaproof production` measured, as its row keeps it.

import { z } from 'zod';
import { metricValuesSchema, samplesSchema as samples } from './row-numbers.js';
import { fileBytesSchema, historyCacheSchema, relationBytesSchema, stateDigestSchema } from './row-parts.js';
import { VERDICTS } from './verdict.js';

const milliseconds = z.number().nonnegative();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'not 64 lower-case hex digits');

/** What a route is asked for: the state, or a page of the history with at most so many entries. */
export const pageSchema = z.discriminatedUnion('route', [
  z.object({ route: z.literal('state') }),
  z.object({ route: z.literal('history'), limit: z.int().positive() }),
]);
export type Page = z.infer<typeof pageSchema>;

/** `state`, `history_100`: as metrics are named. */
export function pageName(page: Page): string {
  return page.route === 'state' ? 'state' : `history_${page.limit}`;
}

/** The history cache of a process at one moment, as far as it tells. */
const cacheStateSchema = z.object({
  entries: z.int().nonnegative().nullable(),
  hits: z.int().nonnegative(),
  misses: z.int().nonnegative(),
});

/** Reads of one page by one process. */
export const routeReadsSchema = z.object({
  page: pageSchema,
  /** `writer`: the process that ran the turns. `fresh`: one that has just started. */
  process: z.enum(['writer', 'fresh']),
  /** Each with the accessor graphs forgotten, so that it compiles exactly one. */
  cold: z.array(
    z.object({
      elapsed_ms: milliseconds,
      /** At least one call of the saver was running. */
      saver_busy_ms: milliseconds,
      /** Of that, ancestor walks. */
      walk_ms: milliseconds,
      /** Before the read; null without a history cache. */
      history_cache_before: cacheStateSchema.nullable(),
    }),
  ),
  /** Right after each other, with nothing compiled; ascending. */
  warm_samples_ms: samples,
  /** Median over the warm reads. */
  warm_saver_busy_ms: milliseconds,
  warm_walk_ms: milliseconds,
});

/** Digests of the body of one page; `harness/record/wire.ts` says of what. */
const wireDigestsSchema = z.object({
  page: pageSchema,
  /** Of the body that the script of the agent makes. */
  expected: sha256,
  writer: sha256,
  /** Null where no other process can read the store. */
  fresh: sha256.nullable(),
});

export const productionMeasurementSchema = z.object({
  oracle: z.literal('model'),
  /** Whether the stored rows are what the mode stores; `undecided` where they could not be looked at. */
  mode_verdict: z.enum(VERDICTS),
  /** Digest of the whole state: of the script, of what the last run returned, and as the accessor reads it. */
  materialized_sha256: z.object({
    expected: stateDigestSchema,
    live: stateDigestSchema,
    warm: stateDigestSchema,
    /** Null where no other process can read the store. */
    cold_process: stateDigestSchema.nullable(),
  }),
  wire_sha256: z.array(wireDigestsSchema),
  /** By name of a metric; null where `unavailable` says why. */
  metrics: metricValuesSchema,
  /** Raw samples in milliseconds, one per turn in order, without the turns that are discarded. */
  samples_ms: z.object({
    /** A run with all that the service does for it. */
    turn: samples,
    /** `put` and `putWrites` of a turn, merged; reads excluded. */
    checkpoint_write: samples,
    /** Ancestor walks of a turn. */
    turn_walk: samples,
  }),
  /** First turns that are run and not measured. */
  discarded_turns: z.int().nonnegative(),
  /** By page and process. */
  reads: z.array(routeReadsSchema),
  /** Of the state as one assistant after the other, in the writer, and how many graphs that compiled. */
  assistant_reads: z.object({ samples_ms: samples, builds: z.int().nonnegative() }),
  /** Readers at a fixed rate beside a thread that was written; null without. */
  load: z
    .object({
      requests: z.int().positive(),
      /** Microseconds from when each request was due; HdrHistogram, encoding V2, compressed, base64. */
      latency_hdr_us: z.string(),
      /** Turns of the other thread meanwhile. */
      turns: z.int().nonnegative(),
    })
    .nullable(),
  /** In the writer, after its reads; null without a history cache. */
  history_cache: historyCacheSchema.nullable(),
  /** What stands for p99 in `snapshot_write_spike`: below 100 measured turns it is the slowest one. */
  snapshot_write_spike_basis: z.enum(['p99', 'maximum']),
  file_bytes: z
    .object({ after_writes: fileBytesSchema, after_reads: fileBytesSchema, after_truncate: fileBytesSchema })
    .nullable(),
  relation_bytes: relationBytesSchema.nullable(),
  peak_rss_method: z.enum(['vm_hwm', 'ru_maxrss']),
  pragmas: z.record(z.string(), z.union([z.string(), z.number()])),
  durability: z.literal('async'),
  storage_stats_error: z.string().nullable(),
  /** Field name to the reason why it is null. */
  unavailable: z.record(z.string(), z.string()),
});
export type ProductionMeasurement = z.infer<typeof productionMeasurementSchema>;

/** In place of samples that are in the journal and need not be in memory as well. */
export const NO_TURN_SAMPLES: ProductionMeasurement['samples_ms'] = {
  turn: [],
  checkpoint_write: [],
  turn_walk: [],
};

export const NO_READS: ProductionMeasurement['assistant_reads'] = { samples_ms: [], builds: 0 };

/**
 * Where a state or a body is not what the script makes, as a path into the measurement; null when all agree. Only then may a
 * row be successful.
 */
export function deviatingBody({
  materialized_sha256: states,
  wire_sha256: bodies,
}: ProductionMeasurement): string[] | null {
  const state = (['live', 'warm', 'cold_process'] as const).find(
    (reading) => states[reading] !== null && states[reading].sha256 !== states.expected.sha256,
  );
  if (state !== undefined) return ['materialized_sha256', state];
  for (const [index, body] of bodies.entries()) {
    const wrong = (['writer', 'fresh'] as const).find(
      (process) => body[process] !== null && body[process] !== body.expected,
    );
    if (wrong !== undefined) return ['wire_sha256', String(index), wrong];
  }
  return null;
}
