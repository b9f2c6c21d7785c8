// A saver that remembers replay histories, so that the next read of a thread costs a lookup and the few ancestors since the
// last one instead of a walk to the snapshot. Performance only: what it answers is what the chain holds.

import { randomUUID } from 'node:crypto';
import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import { copyOf } from '../../record/copy-of.js';
import type { Histories, HistoryOptions } from '../../savers/call-types.js';
import { DelegatingSaver } from '../../savers/delegating.js';
import { databaseFingerprint } from '../../savers/saver-database.js';
import { ancestorsOf, HistoryParts, resolved } from '../checked-walk-saver.js';
import { DirectWalkSaver } from '../direct-walk-saver.js';
import { configAt, placeOf, placeOfTuple } from '../place.js';
import { historyKey, threadKeys, type ChannelHistory, type HistoryCache } from './history-cache.js';
import type { HistoryStats } from './history-stats.js';
import type { CheckpointPlace } from '../terms.js';

export interface CachedHistoryOptions {
  readonly cache: HistoryCache;
  /** What keys begin with; by default a hash of the database that the inner saver is on, without its credentials. */
  readonly keyPrefix?: string;
  /** Ancestors that are looked up before the chain is walked to its end; 64 by default. */
  readonly maxDepth?: number;
}

const DEFAULT_MAX_DEPTH = 64;

/**
 * Purges of each cache by this process. A walk that one has overtaken keeps nothing: what was deleted must not come back.
 */
const PURGES = new WeakMap<HistoryCache, number>();
const purgesOf = (cache: HistoryCache): number => PURGES.get(cache) ?? 0;

/**
 * Changes the answer of `getDeltaChannelHistory` alone; every other call goes to the inner saver, and `deleteThread` also
 * removes the thread's histories. With a cache of no entries it is exactly the inner saver.
 *
 * Parallel writes come in the order in which the inner saver gives them: wrap an `OrderedSaver` or a `DirectWalkSaver` to
 * have them as they were applied. A `DirectWalkSaver` also does the walk where nothing near is remembered.
 */
export class CachedHistorySaver extends DelegatingSaver {
  readonly #cache: HistoryCache;
  readonly #prefix: string;
  readonly #maxDepth: number;
  #composeHits = 0;
  #fullWalks = 0;

  /** @throws RangeError for a `maxDepth` that is no whole number from 0 on. */
  constructor(
    inner: BaseCheckpointSaver,
    { cache, keyPrefix, maxDepth = DEFAULT_MAX_DEPTH }: CachedHistoryOptions,
  ) {
    super(inner);
    if (!Number.isSafeInteger(maxDepth) || maxDepth < 0) {
      throw new RangeError(`maxDepth must be a whole number from 0 on, and this is ${maxDepth}.`);
    }
    this.#cache = cache;
    // A database that nobody else can open shares with nobody.
    this.#prefix = keyPrefix ?? databaseFingerprint(inner) ?? randomUUID();
    this.#maxDepth = maxDepth;
  }

  /** Without a cache it is the inner saver. */
  override get refusesBrokenChains(): boolean {
    return this.#cache.enabled || super.refusesBrokenChains;
  }

  /**
   * @throws CheckpointAncestorMissingError where the chain breaks off: a shorter history is never remembered or given;
   *   CheckpointNotFoundError, CheckpointLineageIntegrityError for what else is wrong with it.
   */
  override async getDeltaChannelHistory(options: HistoryOptions): Promise<Histories> {
    if (!this.#cache.enabled) return this.inner.getDeltaChannelHistory(options);
    const purges = purgesOf(this.#cache);
    if (options.channels.length === 0) return {};
    const target = await resolved(this.inner, placeOf(options.config));
    const known = await this.#lookUp(target, options.channels);
    const open = options.channels.filter((channel) => !known.has(channel));
    const fresh = open.length === 0 ? new Map<string, ChannelHistory>() : await this.#composed(target, open);
    if (fresh.size > 0 && purges === purgesOf(this.#cache)) {
      const entries = [...fresh].map(([channel, history]) => [this.#key(target, channel), history] as const);
      await this.#cache.set(new Map(entries));
    }
    return Object.fromEntries(
      options.channels.map((channel) => [
        channel,
        copyOf(known.get(channel) ?? fresh.get(channel)) as ChannelHistory,
      ]),
    );
  }

  override async deleteThread(threadId: string): Promise<void> {
    await this.inner.deleteThread(threadId);
    await this.purge(threadId);
  }

  /** Removes what is remembered of a thread, as a job does that deletes its rows in the database. */
  async purge(threadId: string): Promise<void> {
    PURGES.set(this.#cache, purgesOf(this.#cache) + 1);
    await this.#cache.purge(threadKeys(this.#prefix, threadId));
  }

  stats(): HistoryStats {
    return { ...this.#cache.stats(), composeHits: this.#composeHits, fullWalks: this.#fullWalks };
  }

  #key(place: CheckpointPlace, channel: string): string {
    return historyKey(this.#prefix, place, channel);
  }

  async #lookUp(place: CheckpointPlace, channels: readonly string[]): Promise<Map<string, ChannelHistory>> {
    const found = await this.#cache.get(channels.map((channel) => this.#key(place, channel)));
    return new Map(
      channels.flatMap((channel, index): [string, ChannelHistory][] => {
        const history = found[index] ?? null;
        return history === null ? [] : [[channel, history]];
      }),
    );
  }

  /** From the nearest ancestor whose history is remembered, or that stores the value. */
  async #composed(
    target: CheckpointPlace,
    channels: readonly string[],
  ): Promise<Map<string, ChannelHistory>> {
    const composed = new Map<string, ChannelHistory>();
    const open = new Map(channels.map((channel) => [channel, new HistoryParts()]));
    let depth = 0;
    const finish = (channel: string, before?: ChannelHistory) => {
      composed.set(channel, open.get(channel)?.history(before) as ChannelHistory);
      open.delete(channel);
      if (depth <= this.#maxDepth) this.#composeHits += 1;
      else this.#fullWalks += 1;
    };
    for await (const tuple of ancestorsOf(this.inner, target)) {
      depth += 1;
      for (const [channel, parts] of open) if (parts.add(tuple, channel)) finish(channel);
      if (open.size > 0 && depth <= this.#maxDepth) {
        const warm = await this.#lookUp(placeOfTuple(tuple), [...open.keys()]);
        for (const [channel, history] of warm) finish(channel, history);
      }
      if (open.size === 0) break;
      if (depth >= this.#maxDepth && this.inner instanceof DirectWalkSaver) {
        return new Map([...composed, ...(await this.#walked(target, [...open.keys()]))]);
      }
    }
    for (const channel of open.keys()) finish(channel);
    return composed;
  }

  async #walked(target: CheckpointPlace, channels: string[]): Promise<[string, ChannelHistory][]> {
    const histories = await this.inner.getDeltaChannelHistory({ config: configAt(target), channels });
    this.#fullWalks += channels.length;
    return Object.entries(histories);
  }
}
