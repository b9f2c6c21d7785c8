// A history cache in the memory of the process.

import { LRUCache } from 'lru-cache';
import { ApproximateBytes } from './approximate-bytes.js';
import type { CacheStats, ChannelHistory, HistoryCache } from './history-cache.js';

export interface MemoryCacheOptions {
  /** Histories that are kept at most, 128 by default; 0 turns the cache off. */
  readonly maxEntries?: number;
  /** Their approximate bytes at most, 256 MiB by default. Entries that share writes count them each. */
  readonly maxBytes?: number;
}

const DEFAULT_MAX_ENTRIES = 128;
const DEFAULT_MAX_BYTES = 256 * 2 ** 20;

/**
 * Keeps the histories that were used last: a hit and a write both count as use. One of more than `maxBytes` is not kept.
 *
 * @throws RangeError for limits that are no whole numbers from 0 on.
 */
export class MemoryHistoryCache implements HistoryCache {
  readonly enabled: boolean;
  readonly #entries: LRUCache<string, ChannelHistory> | null;
  readonly #bytes = new ApproximateBytes();
  #hits = 0;
  #misses = 0;
  #evictions = 0;

  constructor({ maxEntries = DEFAULT_MAX_ENTRIES, maxBytes = DEFAULT_MAX_BYTES }: MemoryCacheOptions = {}) {
    requireLimit('maxEntries', maxEntries);
    requireLimit('maxBytes', maxBytes);
    this.enabled = maxEntries > 0 && maxBytes > 0;
    this.#entries = this.enabled
      ? new LRUCache({
          max: maxEntries,
          maxSize: maxBytes,
          sizeCalculation: (history) => this.#bytes.ofHistory(history),
          dispose: (_value, _key, reason) => {
            if (reason === 'evict') this.#evictions += 1;
          },
        })
      : null;
  }

  async get(keys: readonly string[]): Promise<readonly (ChannelHistory | null)[]> {
    return keys.map((key) => {
      const history = this.#entries?.get(key) ?? null;
      if (history === null) this.#misses += 1;
      else this.#hits += 1;
      return history;
    });
  }

  async set(entries: ReadonlyMap<string, ChannelHistory>): Promise<void> {
    for (const [key, history] of entries) this.#entries?.set(key, history);
  }

  async purge(keyPrefix: string): Promise<void> {
    const keys = [...(this.#entries?.keys() ?? [])].filter((key) => key.startsWith(keyPrefix));
    for (const key of keys) this.#entries?.delete(key);
  }

  stats(): CacheStats {
    return {
      hits: this.#hits,
      misses: this.#misses,
      failures: 0,
      evictions: this.#evictions,
      entries: this.#entries?.size ?? 0,
      bytes: this.#entries?.calculatedSize ?? 0,
    };
  }

  async close(): Promise<void> {
    this.#entries?.clear();
  }
}

function requireLimit(name: string, limit: number): void {
  if (Number.isSafeInteger(limit) && limit >= 0) return;
  throw new RangeError(`${name} of a history cache must be a whole number from 0 on, and this is ${limit}.`);
}
