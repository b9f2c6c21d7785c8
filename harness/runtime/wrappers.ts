// The savers of this project that can stand before another, by name, each loaded when it is asked for.

import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import type { WrapperName } from '../record/wrappers.js';

export type Wrap = (saver: BaseCheckpointSaver) => BaseCheckpointSaver;

/** What some of them need beside the saver. */
export interface WrapperPlaces {
  /** Null where none is named. May hold a password. */
  readonly redisUrl: string | null;
}

/** Each saver that is wrapped is one process: it has a cache in memory of its own, and shares the one on a server. */
export const WRAPPER_OPENERS: Readonly<Record<WrapperName, (places: WrapperPlaces) => Promise<Wrap>>> = {
  ordered: async () => {
    const { OrderedSaver } = await import('../savers/ordered.js');
    return (saver) => new OrderedSaver(saver);
  },
  'unique-versions': async () => {
    const { UniqueVersionsSaver } = await import('../savers/unique-versions.js');
    return (saver) => new UniqueVersionsSaver(saver);
  },
  'history-cache': async () => {
    const { CachedHistorySaver } = await import('./history-cache/cached-history-saver.js');
    const { MemoryHistoryCache } = await import('./history-cache/memory-history-cache.js');
    return (saver) => new CachedHistorySaver(saver, { cache: new MemoryHistoryCache() });
  },
  'redis-history-cache': async ({ redisUrl }) => {
    const { CachedHistorySaver } = await import('./history-cache/cached-history-saver.js');
    const cache = await reachedRedis(redisUrl);
    return (saver) => new CachedHistorySaver(saver, { cache });
  },
  'direct-walk': async () => {
    const { DirectWalkSaver } = await import('./direct-walk-saver.js');
    return (saver) => new DirectWalkSaver(saver);
  },
  'cached-direct-walk': async (places) => {
    const cached = await WRAPPER_OPENERS['history-cache'](places);
    const direct = await WRAPPER_OPENERS['direct-walk'](places);
    return (saver) => cached(direct(saver));
  },
};

/** A run does not last an hour without looking at what it has stored. */
const TTL_SECONDS = 3600;

/**
 * A cache without its server is the raw saver: nothing would be measured or proved.
 *
 * @throws Error when no server is named or it does not answer.
 */
async function reachedRedis(url: string | null) {
  if (url === null) throw new Error('No Redis server is named: use --redis-url.');
  const { openRedisHistoryCache } = await import('./history-cache/redis-history-cache.js');
  const { JsonPlusSerializer } = await import('@langchain/langgraph-checkpoint');
  const cache = await openRedisHistoryCache({
    url,
    serde: new JsonPlusSerializer(),
    ttlSeconds: TTL_SECONDS,
  });
  const probe = `deltaproof:probe:${process.pid}`;
  await cache.set(new Map([[probe, { writes: [] }]]));
  const [answer = null] = await cache.get([probe]);
  await cache.purge(probe);
  if (answer === null)
    throw new Error('The Redis server of --redis-url (or TEST_REDIS_URL) does not answer.');
  return cache;
}
