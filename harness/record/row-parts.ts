// What rows of every experiment have in common beside their case: digests, differences, failures, sizes of a store.

import { z } from 'zod';

const wholeBytes = z.int().nonnegative();
const bytes = z.number().nonnegative().nullable();

export const stateDigestSchema = z.object({
  /** Lower-case hex sha256 over the canonical JSON of the state. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/, 'not 64 lower-case hex digits'),
  /** Elements in the state, over all channels. */
  count: z.int().nonnegative(),
});

/** The first place where a state is not what it must be. */
export const differenceSchema = z.object({
  /** Which reading differed: `live`, `warm`, `cold_graph`, `cold_reopened`, `cold_process`, `pinned`. */
  reading: z.string(),
  channel: z.string(),
  /** Of the first differing element: its index from 0 in a list, its key in a map. */
  position: z.string(),
  /** Its id where it has one, in the expected state if it is there. */
  element_id: z.string().nullable(),
  /** The first differing field, or `(value)`, `(missing element)` or `(extra element)`. */
  field: z.string(),
  /** Canonical JSON of the field, cut to 80 characters. */
  expected: z.string(),
  actual: z.string(),
});
export type Difference = z.infer<typeof differenceSchema>;

/** Why a row is failed. The first two are found by the child, the rest are ways a child can end. */
export const FAILURE_REASONS = [
  'wrong_state',
  'mode_not_in_effect',
  'exited',
  'signalled',
  'timed_out',
  'silent',
  'not_json',
  'many_reports',
  'other_case',
  'malformed_report',
  'flooded',
  'over_memory',
  'not_started',
  'server_lost',
  'not_removed',
] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];

export const failureSchema = z.object({
  reason: z.enum(FAILURE_REASONS),
  /** A whole sentence that names what happened. */
  message: z.string(),
  /** `writer`, or `reader 1` and so on: the child that failed. */
  child: z.string(),
  /** Last lines the child wrote to stderr, without paths and credentials. */
  stderr_tail: z.array(z.string()),
  /** What the child used when it was last looked at from outside; null when it had ended before. */
  last_usage: z.object({ rss_bytes: z.number(), cpu_ms: z.number(), at_ms: z.number() }).nullable(),
  /** Set for `wrong_state`. */
  difference: differenceSchema.nullable(),
});
export type Failure = z.infer<typeof failureSchema>;

/** Sizes of the files of a store at one instant; null where the file does not exist. */
export const fileBytesSchema = z.object({ db: bytes, wal: bytes, shm: bytes });

/** Bytes on a server's disk by table. */
export const relationBytesSchema = z.record(
  z.string(),
  z.object({ heap: wholeBytes, index: wholeBytes, toast: wholeBytes }),
);

/** What a cache of replay histories did in the writer; null where the cache is on a server that does not tell. */
export const historyCacheSchema = z.object({
  hits: z.int().nonnegative(),
  misses: z.int().nonnegative(),
  failures: z.int().nonnegative(),
  evictions: z.int().nonnegative().nullable(),
  entries: z.int().nonnegative().nullable(),
  /** Approximate; histories that share writes count them each. */
  bytes: z.number().nonnegative().nullable(),
  /** Histories that were put together from a remembered one or a near snapshot, and those that took a whole walk. */
  compose_hits: z.int().nonnegative(),
  full_walks: z.int().nonnegative(),
});
