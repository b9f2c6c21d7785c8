// Savers of this project that can stand before the one under test, by name. Data only; a test pins the list to the
// registry in `harness/runtime/wrappers.ts`.

import { BACKEND_CAPABILITIES, type Backend, type HistoryCacheName } from './names.js';

/** What each does, as the rest of a sentence. */
export const WRAPPERS = {
  ordered: 'gives the writes of parallel tasks in the order in which they were applied',
  'unique-versions': 'gives every branch of a thread versions of its own',
  'history-cache': 'remembers replay histories in memory',
  'redis-history-cache': 'remembers replay histories on a Redis server (--redis-url)',
  'direct-walk': 'reads a replay chain in three statements (SQLite, Postgres)',
  'cached-direct-walk': 'remembers replay histories in memory and walks directly where none is near',
} as const;

export type WrapperName = keyof typeof WRAPPERS;

/** Where a wrapper can stand. */
export function wrapsBackend(wrapper: WrapperName | null, backend: Backend): boolean {
  const walks = wrapper === 'direct-walk' || wrapper === 'cached-direct-walk';
  return !walks || BACKEND_CAPABILITIES[backend].directWalk;
}

/** The wrapper that a case of `channels` names as its history cache. */
export const WRAPPER_OF_CACHE: Readonly<Record<Exclude<HistoryCacheName, 'off'>, WrapperName>> = {
  memory: 'history-cache',
  redis: 'redis-history-cache',
  direct: 'direct-walk',
};

export const WRAPPER_NAMES = Object.keys(WRAPPERS) as [WrapperName, ...WrapperName[]];
