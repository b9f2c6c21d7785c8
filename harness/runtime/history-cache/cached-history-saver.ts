// A saver that remembers replay histories, so that the next read of a thread costs a lookup and the few ancestors since the
// last one instead of a walk to the snapshot. Performance only: what it answers is what the chain holds.

import { randomUUID } from 'node:crypto';
import type {
  BaseCheckpointSaver,
  CheckpointPendingWrite,
  CheckpointTuple,
} from '@langchain/langgraph-checkpoint';
import { copyOf } from '../../record/copy-of.js';
import type { Histories, HistoryOptions } from '../../savers/call-types.js';
import { DelegatingSaver } from '../../savers/delegating.js';
import { databaseFingerprint } from '../../savers/saver-database.js';
import { DirectWalkSaver } from '../direct-walk-saver.js';
import {
  CheckpointAncestorMissingError,
  CheckpointLineageIntegrityError,
  CheckpointNotFoundError,
  CheckpointUnreadableError,
} from '../errors.js';
import { configAt, placeOf, placeOfTuple } from '../place.js';
import {
  historyKey,
  threadKeys,
  type CacheStats,
  type ChannelHistory,
  type HistoryCache,
} from './history-cache.js';
import type { CheckpointPlace } from '../terms.js';

export interface CachedHistoryOptions {
  readonly cache: HistoryCache;
  /** What keys begin with; by default a hash of the database that the inner saver is on, without its credentials. */
  readonly keyPrefix?: string;
  /** Ancestors that are looked up before the chain is walked to its end; 64 by default. */
  readonly maxDepth?: number;
}

export interface HistoryStats extends CacheStats {
  /** Histories that were put together from a remembered one or a snapshot within `maxDepth` ancestors. */
  readonly composeHits: number;
  /** Histories for which the chain was walked to its end. */
  readonly fullWalks: number;
}

const DEFAULT_MAX_DEPTH = 64;

/** What a history is put together of: the writes of each ancestor, nearest first. */
type Blocks = CheckpointPendingWrite[][];

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
  /** A walk that a purge has overtaken keeps nothing: what was deleted must not come back. */
  #purges = 0;

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

  /**
   * @throws CheckpointAncestorMissingError where the chain breaks off: a shorter history is never remembered or given;
   *   CheckpointNotFoundError, CheckpointLineageIntegrityError for what else is wrong with it.
   */
  override async getDeltaChannelHistory(options: HistoryOptions): Promise<Histories> {
    if (!this.#cache.enabled) return this.inner.getDeltaChannelHistory(options);
    if (options.channels.length === 0) return {};
    const target = await this.#target(options);
    const purges = this.#purges;
    const known = await this.#lookUp(target, options.channels);
    const open = options.channels.filter((channel) => !known.has(channel));
    const fresh = open.length === 0 ? new Map<string, ChannelHistory>() : await this.#composed(target, open);
    if (fresh.size > 0 && purges === this.#purges) {
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
    this.#purges += 1;
    await this.#cache.purge(threadKeys(this.#prefix, threadId));
  }

  stats(): HistoryStats {
    return { ...this.#cache.stats(), composeHits: this.#composeHits, fullWalks: this.#fullWalks };
  }

  async #target({ config }: HistoryOptions): Promise<CheckpointPlace> {
    const place = placeOf(config);
    if (place.checkpointId !== null) return place;
    return placeOfTuple(await this.#load(place));
  }

  async #load(place: CheckpointPlace): Promise<CheckpointTuple> {
    const tuple = await this.inner.getTuple(configAt(place));
    if (tuple === undefined) throw new CheckpointNotFoundError(place);
    return tuple;
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
    const open = new Map<string, Blocks>(channels.map((channel) => [channel, []]));
    const seen = new Set([target.checkpointId]);
    const finish = (channel: string, seed: object, writes: readonly CheckpointPendingWrite[]) => {
      composed.set(channel, {
        ...seed,
        writes: [...writes, ...(open.get(channel) ?? []).toReversed().flat()],
      });
      open.delete(channel);
      if (seen.size <= this.#maxDepth + 1) this.#composeHits += 1;
      else this.#fullWalks += 1;
    };
    let parent = (await this.#load(target)).parentConfig;
    while (parent !== undefined && open.size > 0) {
      if (seen.size > this.#maxDepth && this.inner instanceof DirectWalkSaver) {
        return new Map([...composed, ...(await this.#walked(target, [...open.keys()]))]);
      }
      const place = placeOf(parent);
      if (seen.has(place.checkpointId)) throw new CheckpointLineageIntegrityError(target, 'cycle');
      seen.add(place.checkpointId);
      const tuple = await this.inner.getTuple(parent);
      if (tuple === undefined) throw new CheckpointAncestorMissingError(target, String(place.checkpointId));
      if (typeof tuple.checkpoint !== 'object') {
        throw new CheckpointUnreadableError(target, String(place.checkpointId));
      }
      for (const [channel, blocks] of open) {
        blocks.push((tuple.pendingWrites ?? []).filter((write) => write[1] === channel));
        const { channel_values: values } = tuple.checkpoint;
        if (Object.hasOwn(values, channel)) finish(channel, { seed: values[channel] }, []);
      }
      if (seen.size <= this.#maxDepth + 1) {
        const warm = await this.#lookUp(place, [...open.keys()]);
        for (const [channel, { writes, ...seed }] of warm) finish(channel, seed, writes);
      }
      parent = tuple.parentConfig;
    }
    for (const channel of open.keys()) finish(channel, {}, []);
    return composed;
  }

  async #walked(target: CheckpointPlace, channels: string[]): Promise<[string, ChannelHistory][]> {
    const histories = await this.inner.getDeltaChannelHistory({ config: configAt(target), channels });
    this.#fullWalks += channels.length;
    return Object.entries(histories);
  }
}
