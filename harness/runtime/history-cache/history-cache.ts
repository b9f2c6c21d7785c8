// What a cache of replay histories is: by checkpoint and channel the seed and the writes that a state is rebuilt from. An
// entry is a function of ancestors that do not change any more, so nothing is ever invalidated; entries only go.

import { createHash } from 'node:crypto';
import type { Histories } from '../../savers/call-types.js';
import type { CheckpointPlace } from '../terms.js';

/** The history of one channel, as `getDeltaChannelHistory` gives it. */
export type ChannelHistory = Histories[string];

export interface CacheStats {
  /** Keys that were looked up and found, and not found. */
  readonly hits: number;
  readonly misses: number;
  /** Questions that a server did not answer in time, or at all; 0 where there is none. */
  readonly failures: number;
  /** Entries that went to make room; null where the cache is on a server that does it by itself. */
  readonly evictions: number | null;
  /** Entries now, and their approximate bytes; null where they are on a server. */
  readonly entries: number | null;
  readonly bytes: number | null;
}

export interface HistoryCache {
  /** False: nothing is ever looked up or stored. */
  readonly enabled: boolean;
  /**
   * Entries in the order of the keys, null where there is none. They belong to the cache: whoever hands them on copies
   * them. Never throws: a cache that fails has nothing.
   */
  get(keys: readonly string[]): Promise<readonly (ChannelHistory | null)[]>;
  /** Takes the entries over; they must not be changed afterwards. Never throws. */
  set(entries: ReadonlyMap<string, ChannelHistory>): Promise<void>;
  /** Removes all entries whose key begins so. Never throws. */
  purge(keyPrefix: string): Promise<void>;
  stats(): CacheStats;
  close(): Promise<void>;
}

/** Digits of the hash in a key. */
const HASH_DIGITS = 24;

/**
 * `prefix:thread:hash`, where the hash is the first 24 hex digits of sha256 over namespace, checkpoint and channel with
 * NUL between them. The thread is escaped, so that it can neither look like another part of a key nor like a pattern.
 */
export function historyKey(
  prefix: string,
  { threadId, namespace, checkpointId }: CheckpointPlace,
  channel: string,
): string {
  const hashed = createHash('sha256')
    .update(`${namespace}\0${checkpointId ?? ''}\0${channel}`)
    .digest('hex');
  return `${threadKeys(prefix, threadId)}${hashed.slice(0, HASH_DIGITS)}`;
}

/** What all keys of a thread begin with. */
export function threadKeys(prefix: string, threadId: string): string {
  return `${prefix}:${escaped(threadId)}:`;
}

/** Letters, digits, `-`, `_` and `.` as they are, every other UTF-16 unit as `%` and four hex digits. */
function escaped(threadId: string): string {
  return threadId.replaceAll(
    /[^A-Za-z0-9_.-]/g,
    (unit) => `%${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
