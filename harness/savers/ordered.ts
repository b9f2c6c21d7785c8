// A saver around one that gives parallel writes by task id, as the released SQLite saver does: it returns them in the
// order in which they were applied, so that a delta channel replays to what it was live. Reads only.

import type { BaseCheckpointSaver, CheckpointTuple } from '@langchain/langgraph-checkpoint';
import { LRUCache } from 'lru-cache';
import { appliedOrder } from '../chain/applied-order.js';
import type { Config, ListOptions } from './call-types.js';
import { DelegatingSaver } from './delegating.js';

/** More than one walk is long, whose children are read one after the other. */
const REMEMBERED_CHILDREN = 1000;

/** A superstep some of whose writes cannot be ordered by what is stored. */
export interface NotProvableOrder {
  readonly threadId: string;
  readonly namespace: string;
  readonly checkpointId: string;
  /** By channel the ids of the tasks whose order is not known. */
  readonly channels: ReadonlyMap<string, readonly string[]>;
}

/**
 * Wraps a saver that inherits `getDeltaChannelHistory` and returns `pendingWrites` by task id. The path of a task is recovered from its id, which is a hash of it; see `recoverTaskPaths`.
 *
 * Runs with `durability: exit` store no id that holds the path, and updates that copy a checkpoint (`__copy__`) are applied
 * in an order that nothing stored tells. There parallel tasks stay in the order of their ids, and `onNotProvable` is
 * called at each read of them.
 */
export class OrderedSaver extends DelegatingSaver {
  /** By checkpoint the source of the child that was read last: a walk reads the child before its parent. */
  readonly #childSources = new LRUCache<string, string>({ max: REMEMBERED_CHILDREN });
  readonly #onNotProvable: (order: NotProvableOrder) => void;

  constructor(inner: BaseCheckpointSaver, onNotProvable: (order: NotProvableOrder) => void = () => {}) {
    super(inner);
    this.#onNotProvable = onNotProvable;
  }

  override async getTuple(config: Config): Promise<CheckpointTuple | undefined> {
    const tuple = await this.inner.getTuple(config);
    return tuple && this.#ordered(tuple);
  }

  override async *list(config: Config, options?: ListOptions): AsyncGenerator<CheckpointTuple> {
    for await (const tuple of this.inner.list(config, options)) yield this.#ordered(tuple);
  }

  #ordered(tuple: CheckpointTuple): CheckpointTuple {
    const { checkpoint, config, metadata, parentConfig, pendingWrites = [] } = tuple;
    if (parentConfig !== undefined) this.#childSources.set(keyOf(parentConfig), metadata?.source ?? '');
    const isOneTask = pendingWrites.every(([taskId]) => taskId === pendingWrites[0]?.[0]);
    // A checkpoint that could not be serialized is stored as the text of an error.
    if (isOneTask || typeof checkpoint !== 'object') return tuple;
    const placed = pendingWrites.map((write) => ({ taskId: write[0], channel: write[1], write }));
    const { thread_id: threadId, checkpoint_ns: namespace = '' } = config.configurable as {
      thread_id: string;
      checkpoint_ns?: string;
    };
    const { writes, notProvable } = appliedOrder(
      {
        namespace,
        checkpointId: checkpoint.id,
        parentId: (parentConfig?.configurable?.['checkpoint_id'] as string | undefined) ?? null,
        step: metadata?.step ?? -1,
        channels: Object.keys(checkpoint.channel_versions),
        nodes: Object.keys(checkpoint.versions_seen),
        sends: pendingSends(checkpoint.channel_values['__pregel_tasks']),
        source: metadata?.source ?? '',
        childSource: this.#childSources.get(keyOf(config)) ?? null,
      },
      placed,
    );
    if (notProvable.size > 0) {
      this.#onNotProvable({ threadId, namespace, checkpointId: checkpoint.id, channels: notProvable });
    }
    return { ...tuple, pendingWrites: writes.map(({ write }) => write) };
  }
}

function keyOf({ configurable }: Config): string {
  const { thread_id, checkpoint_ns = '', checkpoint_id } = (configurable ?? {}) as Record<string, unknown>;
  return JSON.stringify([thread_id, checkpoint_ns, checkpoint_id]);
}

/** The nodes of a checkpoint's Sends. */
function pendingSends(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.map((send: unknown) => String((send as { readonly node?: unknown } | null)?.node));
}
