// What a history cache has done, as it tells it and as a row keeps it.

import type { CacheStats } from './history-cache.js';

export interface HistoryStats extends CacheStats {
  /** Histories that were put together from a remembered one or a snapshot within `maxDepth` ancestors. */
  readonly composeHits: number;
  /** Histories for which the chain was walked to its end. */
  readonly fullWalks: number;
}

/** In the field names of a row. */
export function statsFields({ composeHits, fullWalks, ...stats }: HistoryStats) {
  return { ...stats, compose_hits: composeHits, full_walks: fullWalks };
}
