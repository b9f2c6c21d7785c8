// The saver of a process with a channel mode: marks what is written in delta mode, and keeps a process in full mode from
// threads of delta mode. Everything that LangGraph does with a thread goes through its saver, so nothing gets past it.

import type { BaseCheckpointSaver, CheckpointTuple } from '@langchain/langgraph-checkpoint';
import { LRUCache } from 'lru-cache';
import type { Config, ListOptions } from '../savers/call-types.js';
import { DelegatingSaver, type PutArguments, type PutWritesArguments } from '../savers/delegating.js';
import { deltaSign, marked } from './channel-mode.js';
import { CheckpointModeMismatchError } from './errors.js';
import { configAt, placeOf } from './place.js';
import type { ChannelMode, CheckpointPlace } from './terms.js';

/** Checkpoints that were found to be of full mode, so that a write right after its read asks for nothing. */
const REMEMBERED_CHECKPOINTS = 10_000;
/** Nobody else should write a thread meanwhile; one that does is found out then at the latest. */
const REMEMBERED_MS = 60_000;

/**
 * In full mode every read, listing and write of a thread whose head or whose checkpoint was written in delta mode is a
 * {@link CheckpointModeMismatchError}; a read at a checkpoint or a listing of a thread also looks at the head, which costs
 * one more read there. In delta mode threads of full mode are read as they are, and their next checkpoint is one of delta
 * mode. `deleteThread` works in both.
 */
export class GuardedSaver extends DelegatingSaver {
  readonly channelMode: ChannelMode;
  readonly #full = new LRUCache<string, true>({ max: REMEMBERED_CHECKPOINTS, ttl: REMEMBERED_MS });

  constructor(inner: BaseCheckpointSaver, channelMode: ChannelMode) {
    super(inner);
    this.channelMode = channelMode;
  }

  override async getTuple(config: Config): Promise<CheckpointTuple | undefined> {
    const tuple = await this.inner.getTuple(config);
    if (tuple === undefined || this.#isDelta) return tuple;
    this.#admit(tuple);
    const place = placeOf(config);
    if (place.checkpointId !== null) await this.#admitHead(place);
    return tuple;
  }

  override async *list(config: Config, options?: ListOptions): AsyncGenerator<CheckpointTuple> {
    const { thread_id: threadId } = (config.configurable ?? {}) as { readonly thread_id?: string };
    // A page of old checkpoints need not have the head.
    if (!this.#isDelta && threadId !== undefined) await this.#admitHead(placeOf(config));
    for await (const tuple of this.inner.list(config, options)) {
      if (!this.#isDelta) this.#admit(tuple);
      yield tuple;
    }
  }

  override async put(...given: PutArguments): Promise<Config> {
    const [config, checkpoint, metadata, newVersions] = given;
    await this.#beforeWrite(config);
    const stored = await this.inner.put(config, checkpoint, marked(metadata, this.channelMode), newVersions);
    this.#full.set(keyOf({ ...placeOf(config), checkpointId: checkpoint.id }), true);
    return stored;
  }

  override async putWrites(...given: PutWritesArguments): Promise<void> {
    await this.#beforeWrite(given[0]);
    await super.putWrites(...given);
  }

  override async deleteThread(threadId: string): Promise<void> {
    this.#full.clear();
    await this.inner.deleteThread(threadId);
  }

  get #isDelta(): boolean {
    return this.channelMode.mode === 'delta';
  }

  /** LangGraph writes where it has just read; whoever writes without reading is looked at here. */
  async #beforeWrite(config: Config): Promise<void> {
    if (this.#isDelta) return;
    const place = placeOf(config);
    if (!this.#full.has(keyOf(place))) await this.#admitHead(place);
  }

  async #admitHead(place: CheckpointPlace): Promise<void> {
    const head = await this.inner.getTuple(configAt({ ...place, checkpointId: null }));
    if (head !== undefined) this.#admit(head);
    if (place.checkpointId !== null) this.#full.set(keyOf(place), true);
  }

  #admit({ checkpoint, config, metadata }: CheckpointTuple): void {
    const place = placeOf(config);
    const sign = deltaSign(metadata);
    if (sign !== null) throw new CheckpointModeMismatchError(place.threadId, sign);
    this.#full.set(keyOf({ ...place, checkpointId: checkpoint.id }), true);
  }
}

function keyOf({ threadId, namespace, checkpointId }: CheckpointPlace): string {
  return JSON.stringify([threadId, namespace, checkpointId]);
}
