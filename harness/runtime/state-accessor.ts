// The way to a thread's state: every read and write of it from outside of a run goes through here, so that it is checked
// against the mode of the process and comes back whole. Raw reads of a delta thread lack the channels that are replayed.

import type { StateSnapshot } from '@langchain/langgraph';
import type { CheckpointMetadata, CheckpointTuple } from '@langchain/langgraph-checkpoint';
import type { Config } from '../savers/call-types.js';
import {
  CheckpointAncestorMissingError,
  CheckpointNotFoundError,
  type GraphUnavailableError,
  StateValuesError,
} from './errors.js';
import type { GuardedSaver } from './guarded-saver.js';
import { appendMetadata, type ServiceMetadata } from './metadata-checkpoint.js';
import { placeOf, placeOfTuple, unpinned } from './place.js';
import type { HistoryPage, RuntimeGraph } from './runtime-graph.js';
import { replaceState, type ChannelValues } from './state-mutation.js';
import type { CheckpointPlace } from './terms.js';

/**
 * All methods throw `CheckpointModeMismatchError` before anything else where a process in full mode meets a thread of
 * delta mode.
 */
export interface StateAccessor {
  /** Why only raw reads are possible; null where the graph is there. */
  readonly degraded: GraphUnavailableError | null;
  /**
   * The materialized state of the newest checkpoint, or of the one that `config` names; for a thread that is not there what
   * LangGraph gives: no values and no metadata.
   *
   * In delta mode a checkpoint can be deleted while it is read. Then the new head is read, once; a checkpoint that was
   * named is never replaced by another.
   *
   * @throws CheckpointNotFoundError when the named checkpoint is not there, or the head went twice.
   */
  get(config: Config): Promise<StateSnapshot>;
  /** The metadata of the same checkpoint without its state; undefined where there is none. */
  getMetadata(config: Config): Promise<CheckpointMetadata | undefined>;
  /** `updateState` of the graph. @throws CheckpointNotFoundError when the named checkpoint is not there. */
  update(config: Config, values: unknown, asNode?: string): Promise<Config>;
  /** Newest first; all of them without a limit. @throws RangeError for a limit that is no whole number from 0 on. */
  history(config: Config, page?: HistoryPage): AsyncGenerator<StateSnapshot>;
  /** Appends a checkpoint of the same state with metadata of the service; see {@link appendMetadata}. */
  annotate(config: Config, metadata: ServiceMetadata): Promise<Config>;
  /** Makes `values` the whole state of the thread, with nothing left to run; see {@link replaceState}. */
  replace(config: Config, values: ChannelValues): Promise<Config>;
}

export class GraphStateAccessor implements StateAccessor {
  readonly degraded = null;
  readonly #graph: RuntimeGraph;
  readonly #saver: GuardedSaver;

  constructor(graph: RuntimeGraph, saver: GuardedSaver) {
    this.#graph = graph;
    this.#saver = saver;
  }

  async get(config: Config): Promise<StateSnapshot> {
    const place = placeOf(config);
    const attempts = place.checkpointId === null && this.#saver.channelMode.mode === 'delta' ? 2 : 1;
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const snapshot = await this.#materialized(config, attempt === attempts);
      if (snapshot !== null && (await this.#isThere(snapshot, place))) return snapshot;
    }
    throw new CheckpointNotFoundError(place);
  }

  /** Null where an ancestor went before the last attempt. */
  async #materialized(config: Config, isLast: boolean): Promise<StateSnapshot | null> {
    try {
      return await this.#graph.getState(config);
    } catch (error) {
      if (error instanceof CheckpointAncestorMissingError && !isLast) return null;
      throw error;
    }
  }

  async #isThere(snapshot: StateSnapshot, place: CheckpointPlace): Promise<boolean> {
    if (snapshot.metadata === undefined) return place.checkpointId === null;
    if (this.#saver.channelMode.mode === 'full') return true;
    return (await this.#saver.getTuple(snapshot.config)) !== undefined;
  }

  async getMetadata(config: Config): Promise<CheckpointMetadata | undefined> {
    return (await this.#saver.getTuple(config))?.metadata;
  }

  async update(config: Config, values: unknown, asNode?: string): Promise<Config> {
    const place = placeOf(config);
    // LangGraph takes it for the first checkpoint of the thread.
    if (place.checkpointId !== null && (await this.#saver.getTuple(config)) === undefined) {
      throw new CheckpointNotFoundError(place);
    }
    return this.#graph.updateState(config, values, asNode);
  }

  async *history(config: Config, page: HistoryPage = {}): AsyncGenerator<StateSnapshot> {
    // SqliteSaver takes a limit of 0 for no limit at all.
    if (limitOf(page) !== 0) yield* this.#graph.getStateHistory(config, page);
  }

  annotate(config: Config, metadata: ServiceMetadata): Promise<Config> {
    return appendMetadata(this.#graph, this.#saver, config, metadata);
  }

  async replace(config: Config, values: ChannelValues): Promise<Config> {
    if (placeOf(config).namespace !== '') {
      throw new StateValuesError(
        'Only the state of the thread itself can be replaced, not that of a subgraph.',
      );
    }
    const current = (await this.get(config)).values as ChannelValues;
    return replaceState(this.#graph, this.#saver, { config, values, current });
  }
}

/** Reads of a process in full mode whose graph cannot be built: its checkpoints hold every channel whole. */
export class RawStateAccessor implements StateAccessor {
  readonly degraded: GraphUnavailableError;
  readonly #saver: GuardedSaver;

  constructor(saver: GuardedSaver, degraded: GraphUnavailableError) {
    this.#saver = saver;
    this.degraded = degraded;
  }

  async get(config: Config): Promise<StateSnapshot> {
    const place = placeOf(config);
    const tuple = await this.#saver.getTuple(config);
    if (tuple !== undefined) return snapshotOf(tuple);
    if (place.checkpointId !== null) throw new CheckpointNotFoundError(place);
    return { values: {}, next: [], tasks: [], config };
  }

  async getMetadata(config: Config): Promise<CheckpointMetadata | undefined> {
    return (await this.#saver.getTuple(config))?.metadata;
  }

  async update(): Promise<Config> {
    throw this.degraded;
  }

  async *history(config: Config, page: HistoryPage = {}): AsyncGenerator<StateSnapshot> {
    if (limitOf(page) === 0) return;
    const { configurable } = unpinned(config);
    const listed = this.#saver.list({ configurable: { checkpoint_ns: '', ...configurable } }, page);
    for await (const tuple of listed) yield snapshotOf(tuple);
  }

  async annotate(): Promise<Config> {
    throw this.degraded;
  }

  async replace(): Promise<Config> {
    throw this.degraded;
  }
}

/** Channels of LangGraph's own, beside those of the state. */
const INTERNAL_CHANNEL = /^(__|branch:|join:)/;

function snapshotOf(tuple: CheckpointTuple): StateSnapshot {
  const { checkpoint, metadata, parentConfig } = tuple;
  const values = Object.entries(checkpoint.channel_values).filter(([name]) => !INTERNAL_CHANNEL.test(name));
  const { threadId, namespace, checkpointId } = placeOfTuple(tuple);
  return {
    values: Object.fromEntries(values),
    next: [],
    tasks: [],
    config: { configurable: { thread_id: threadId, checkpoint_ns: namespace, checkpoint_id: checkpointId } },
    createdAt: checkpoint.ts,
    ...(metadata === undefined ? {} : { metadata }),
    ...(parentConfig === undefined ? {} : { parentConfig }),
  };
}

/** @throws RangeError for a limit that is no whole number from 0 on. */
function limitOf({ limit }: HistoryPage): number | undefined {
  if (limit === undefined || (Number.isSafeInteger(limit) && limit >= 0)) return limit;
  throw new RangeError(`The limit of a history is a whole number from 0 on, and this is ${limit}.`);
}
