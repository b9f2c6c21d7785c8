// A saver around today's SQLite and Postgres savers that returns the writes of parallel tasks in the order in which they
// were applied, so that a delta channel replays to what it was live. Reads only: what is stored does not change.

import type { BaseCheckpointSaver, CheckpointTuple } from '@langchain/langgraph-checkpoint';
import { appliedOrder } from '../chain/applied-order.js';
import type { Config, ListOptions } from './call-types.js';
import { DelegatingSaver } from './delegating.js';

/** A superstep some of whose writes cannot be ordered by what is stored. */
export interface NotProvableOrder {
  readonly threadId: string;
  readonly namespace: string;
  readonly checkpointId: string;
  /** By channel the ids of the tasks whose order is not known. */
  readonly channels: ReadonlyMap<string, readonly string[]>;
}

/**
 * Wraps a saver that inherits `getDeltaChannelHistory` and returns `pendingWrites` by task id, as the released SQLite
 * and Postgres savers do. The path of a task is recovered from its id, which is a hash of it; see `recoverTaskPaths`.
 *
 * Runs with `durability: exit` store no id that holds the path. Parallel tasks that wrote the same channel in one of
 * their supersteps stay in the order of the inner saver, and `onNotProvable` is called at each read of them.
 */
export class OrderedSaver extends DelegatingSaver {
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
      },
      placed,
    );
    if (notProvable.size > 0) {
      this.#onNotProvable({ threadId, namespace, checkpointId: checkpoint.id, channels: notProvable });
    }
    return { ...tuple, pendingWrites: writes.map(({ write }) => write) };
  }
}

/** The nodes of a checkpoint's Sends. */
function pendingSends(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.map((send: unknown) => String((send as { readonly node?: unknown } | null)?.node));
}
