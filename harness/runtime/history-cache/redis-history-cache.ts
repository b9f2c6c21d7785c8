// A history cache on a Redis server, shared by processes. Whatever goes wrong with the server costs hits and never answers.

import type { SerializerProtocol } from '@langchain/langgraph-checkpoint';
import type * as Redis from 'redis';
import { RedisNotInstalledError } from '../errors.js';
import type { CacheStats, ChannelHistory, HistoryCache } from './history-cache.js';
import { isFaithful } from './faithful.js';

export interface RedisCacheOptions {
  /** `redis://` or `rediss://`; may hold a password, which no message of this cache has. */
  readonly url: string;
  /** The serializer of the saver. What Redis holds is revived by it, so the server must be one that is trusted. */
  readonly serde: SerializerProtocol;
  /** Seconds until an entry goes by itself, 86,400 by default; 0 keeps it for as long as the server does. */
  readonly ttlSeconds?: number;
  /**
   * How long a lookup waits for the server before it counts as a miss, 250 ms by default. A server that was late once is not
   * asked again for five seconds.
   */
  readonly timeoutMs?: number;
}

const DEFAULT_TTL_SECONDS = 86_400;
const DEFAULT_TIMEOUT_MS = 250;
const MAX_RECONNECT_DELAY_MS = 5000;
/** A server that was late would be late for every ancestor of a chain. */
const AWAY_MS = 5000;
/** Who deletes a thread can wait longer than who reads one. */
const PURGE_TIMEOUT_MS = 5000;
/** Keys of one step of a purge. */
const SCAN_COUNT = 500;

type Client = ReturnType<typeof clientOf>;

/**
 * Connects, or goes on trying to while the cache is used; resolves in at most `timeoutMs`.
 *
 * @throws RedisNotInstalledError where the package `redis` is not installed; RangeError for a bad TTL or
 *   for a URL that is none, which is not repeated.
 */
export async function openRedisHistoryCache(options: RedisCacheOptions): Promise<HistoryCache> {
  const { url, serde, ttlSeconds = DEFAULT_TTL_SECONDS, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  if (!Number.isSafeInteger(ttlSeconds) || ttlSeconds < 0) {
    throw new RangeError(`ttlSeconds must be a whole number from 0 on, and this is ${ttlSeconds}.`);
  }
  if (!/^rediss?:$/.test(URL.canParse(url) ? new URL(url).protocol : '')) {
    throw new RangeError(
      'The URL of the Redis server is not one of the form redis://user:password@host:port.',
    );
  }
  const redis = await import('redis').catch((error: unknown) => {
    throw new RedisNotInstalledError(error);
  });
  const client = clientOf(redis, url);
  const cache = new RedisHistoryCache(client, { serde, ttlSeconds, timeoutMs });
  await cache.attempt(() => client.connect());
  return cache;
}

function clientOf({ createClient }: typeof Redis, url: string) {
  const client = createClient({
    url,
    // Nothing waits for a server that is away.
    disableOfflineQueue: true,
    socket: { reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, MAX_RECONNECT_DELAY_MS) },
  });
  // The client reports a broken connection here too, and each command that needs it fails.
  client.on('error', () => {});
  // An idle connection keeps no process alive.
  client.unref();
  return client;
}

class RedisHistoryCache implements HistoryCache {
  readonly enabled = true;
  readonly #client: Client;
  readonly #options: Required<Omit<RedisCacheOptions, 'url'>>;
  #hits = 0;
  #misses = 0;
  #failures = 0;
  #awayUntilMs = 0;

  constructor(client: Client, options: Required<Omit<RedisCacheOptions, 'url'>>) {
    this.#client = client;
    this.#options = options;
  }

  async get(keys: readonly string[]): Promise<readonly (ChannelHistory | null)[]> {
    const texts = (await this.attempt(() => this.#client.mGet([...keys]))) ?? [];
    const histories = await Promise.all(keys.map(async (_, index) => this.#parsed(texts[index] ?? null)));
    const hits = histories.filter((history) => history !== null).length;
    this.#hits += hits;
    this.#misses += keys.length - hits;
    return histories;
  }

  async set(entries: ReadonlyMap<string, ChannelHistory>): Promise<void> {
    const { ttlSeconds } = this.#options;
    const expiry = ttlSeconds === 0 ? {} : { expiration: { type: 'EX', value: ttlSeconds } as const };
    const written = [...entries].map(async ([key, history]) => {
      const text = await this.#printed(history);
      if (text !== null) await this.attempt(() => this.#client.set(key, text, expiry));
    });
    await Promise.all(written);
  }

  async purge(keyPrefix: string): Promise<void> {
    // A prefix that somebody gave can look like a pattern.
    const literal = keyPrefix.replaceAll(/[\\*?[\]^-]/g, String.raw`\$&`);
    let cursor = '0';
    do {
      const found = await this.#asked(
        () => this.#client.scan(cursor, { MATCH: `${literal}*`, COUNT: SCAN_COUNT }),
        PURGE_TIMEOUT_MS,
      );
      if (found === null) return;
      if (found.keys.length > 0) await this.#asked(() => this.#client.unlink(found.keys), PURGE_TIMEOUT_MS);
      ({ cursor } = found);
    } while (cursor !== '0');
  }

  stats(): CacheStats {
    return {
      hits: this.#hits,
      misses: this.#misses,
      failures: this.#failures,
      evictions: null,
      entries: null,
      bytes: null,
    };
  }

  async close(): Promise<void> {
    this.#client.destroy();
  }

  /** What the server answers in time; null for everything that goes wrong, and for a while after it was late. */
  async attempt<T>(ask: () => Promise<T>): Promise<T | null> {
    if (performance.now() < this.#awayUntilMs) return null;
    return this.#asked(ask, this.#options.timeoutMs);
  }

  async #asked<T>(ask: () => Promise<T>, timeoutMs: number): Promise<T | null> {
    const late = Symbol('late');
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<typeof late>((resolve) => {
      timer = setTimeout(() => resolve(late), timeoutMs);
    });
    try {
      const answer = await Promise.race([ask(), timeout]);
      if (answer !== late) return answer;
      this.#awayUntilMs = performance.now() + AWAY_MS;
    } catch {
      // The client's own words are of no use to a reader.
    } finally {
      clearTimeout(timer);
    }
    this.#failures += 1;
    return null;
  }

  /** Null for what would come back as something else. */
  async #printed(history: ChannelHistory): Promise<string | null> {
    if (!isFaithful(history)) return null;
    const [type, bytes] = await this.#options.serde.dumpsTyped(history);
    return type === 'json' ? new TextDecoder().decode(bytes) : null;
  }

  async #parsed(text: string | null): Promise<ChannelHistory | null> {
    if (text === null) return null;
    const value: unknown = await Promise.resolve(this.#options.serde.loadsTyped('json', text)).catch(
      () => null,
    );
    const { writes } = (value ?? {}) as { readonly writes?: unknown };
    return Array.isArray(writes) ? (value as ChannelHistory) : null;
  }
}
