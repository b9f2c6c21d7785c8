// A saver whose ancestor walk says so when the chain breaks off, where LangGraph's takes what is left for all there is.

import type {
  BaseCheckpointSaver,
  CheckpointPendingWrite,
  CheckpointTuple,
} from '@langchain/langgraph-checkpoint';
import type { Histories, HistoryOptions } from '../savers/call-types.js';
import { DelegatingSaver } from '../savers/delegating.js';
import {
  CheckpointAncestorMissingError,
  CheckpointLineageIntegrityError,
  CheckpointNotFoundError,
  CheckpointUnreadableError,
} from './errors.js';
import { configAt, placeOf, placeOfTuple } from './place.js';
import type { CheckpointPlace } from './terms.js';

/** Loads the ancestors one after the other, as the walk that savers inherit, and at the same cost. */
export class CheckedWalkSaver extends DelegatingSaver {
  override get refusesBrokenChains(): boolean {
    return true;
  }

  /** @throws what {@link ancestorsOf} throws. */
  override async getDeltaChannelHistory({ config, channels }: HistoryOptions): Promise<Histories> {
    if (channels.length === 0) return {};
    const target = await resolved(this.inner, placeOf(config));
    const histories = new Map(channels.map((channel) => [channel, new HistoryParts()]));
    const open = new Map(histories);
    for await (const tuple of ancestorsOf(this.inner, target)) {
      for (const [channel, parts] of open) if (parts.add(tuple, channel)) open.delete(channel);
      if (open.size === 0) break;
    }
    return Object.fromEntries([...histories].map(([channel, parts]) => [channel, parts.history()]));
  }
}

/** What the history of a channel is put together of, ancestor by ancestor, the nearest first. */
export class HistoryParts {
  readonly #blocks: CheckpointPendingWrite[][] = [];
  #seed: { readonly seed?: unknown } = {};

  /** Takes what an ancestor has of the channel; true where its stored value ends the walk. */
  add({ checkpoint, pendingWrites = [] }: CheckpointTuple, channel: string): boolean {
    this.#blocks.push(pendingWrites.filter((write) => write[1] === channel));
    const { channel_values: values } = checkpoint;
    if (!Object.hasOwn(values, channel)) return false;
    this.#seed = { seed: values[channel] };
    return true;
  }

  /** @param before the history of the last ancestor that was taken, where that is known. */
  history(before: Histories[string] = { ...this.#seed, writes: [] }): Histories[string] {
    return { ...before, writes: [...before.writes, ...this.#blocks.toReversed().flat()] };
  }
}

/** @throws CheckpointNotFoundError for a thread without a head. */
export async function resolved(saver: BaseCheckpointSaver, place: CheckpointPlace): Promise<CheckpointPlace> {
  return place.checkpointId === null ? placeOfTuple(await load(saver, place)) : place;
}

async function load(saver: BaseCheckpointSaver, place: CheckpointPlace): Promise<CheckpointTuple> {
  const tuple = await saver.getTuple(configAt(place));
  if (tuple === undefined) throw new CheckpointNotFoundError(place);
  return tuple;
}

/**
 * The ancestors of a checkpoint, the nearest first, down to the root.
 *
 * @throws CheckpointNotFoundError where the checkpoint is not there; CheckpointAncestorMissingError where the chain breaks
 *   off; CheckpointUnreadableError for an ancestor that could not be serialized; CheckpointLineageIntegrityError for a
 *   circle.
 */
export async function* ancestorsOf(
  saver: BaseCheckpointSaver,
  target: CheckpointPlace,
): AsyncGenerator<CheckpointTuple> {
  const seen = new Set([target.checkpointId]);
  let parent = (await load(saver, target)).parentConfig;
  while (parent !== undefined) {
    const { checkpointId } = placeOf(parent);
    if (seen.has(checkpointId)) throw new CheckpointLineageIntegrityError(target, 'cycle');
    seen.add(checkpointId);
    const tuple: CheckpointTuple | undefined = await saver.getTuple(parent);
    if (tuple === undefined) throw new CheckpointAncestorMissingError(target, String(checkpointId));
    if (typeof tuple.checkpoint !== 'object')
      throw new CheckpointUnreadableError(target, String(checkpointId));
    yield tuple;
    parent = tuple.parentConfig;
  }
}
