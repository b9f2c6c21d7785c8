// A saver that keeps references: nothing is serialized and nothing is stored. What a thread costs on it is what
// LangGraph itself costs; the state of a thread must be the same as on any other.

import {
  BaseCheckpointSaver,
  copyCheckpoint,
  type Checkpoint,
  type CheckpointMetadata,
  type CheckpointPendingWrite,
  type CheckpointTuple,
  type PendingWrite,
} from '@langchain/langgraph-checkpoint';
import type { Config, Histories, HistoryOptions } from './call-types.js';

interface Entry {
  readonly checkpoint: Checkpoint;
  readonly metadata: CheckpointMetadata;
  readonly parentId: string | undefined;
}

/**
 * For one thread without subgraphs, and for values that nobody changes in place. Where a serializing saver awaits its
 * serializer so does this one: LangGraph goes on meanwhile, and falls inside and outside of the calls as it does there.
 */
export class ReferenceSaver extends BaseCheckpointSaver {
  readonly #entries = new Map<string, Entry>();
  readonly #writes = new Map<string, CheckpointPendingWrite[]>();
  #headId: string | undefined;

  override async getTuple({ configurable }: Config): Promise<CheckpointTuple | undefined> {
    const id = (configurable?.['checkpoint_id'] as string | undefined) ?? this.#headId;
    const entry = id === undefined ? undefined : this.#entries.get(id);
    if (id === undefined || entry === undefined) return undefined;
    const at = (checkpointId: string) => ({
      configurable: {
        thread_id: configurable?.['thread_id'] as string,
        checkpoint_ns: '',
        checkpoint_id: checkpointId,
      },
    });
    return {
      config: at(id),
      checkpoint: copyCheckpoint(entry.checkpoint),
      metadata: entry.metadata,
      ...(entry.parentId === undefined ? {} : { parentConfig: at(entry.parentId) }),
      pendingWrites: this.#writes.get(id) ?? [],
    };
  }

  override async *list(): AsyncGenerator<CheckpointTuple> {}

  override async put(
    { configurable }: Config,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
  ): Promise<Config> {
    const parentId = configurable?.['checkpoint_id'] as string | undefined;
    await Promise.all([checkpoint, metadata].map(kept));
    this.#entries.set(checkpoint.id, { checkpoint: copyCheckpoint(checkpoint), metadata, parentId });
    if (this.#headId === undefined || checkpoint.id > this.#headId) this.#headId = checkpoint.id;
    return {
      configurable: {
        thread_id: configurable?.['thread_id'] as string,
        checkpoint_ns: '',
        checkpoint_id: checkpoint.id,
      },
    };
  }

  override async putWrites({ configurable }: Config, writes: PendingWrite[], taskId: string): Promise<void> {
    const id = configurable?.['checkpoint_id'] as string;
    const rows = await Promise.all(
      writes.map(async ([channel, value]): Promise<CheckpointPendingWrite> => [
        taskId,
        channel,
        await kept(value),
      ]),
    );
    this.#writes.set(id, [...(this.#writes.get(id) ?? []), ...rows]);
  }

  override async deleteThread(): Promise<void> {
    this.#entries.clear();
    this.#writes.clear();
    this.#headId = undefined;
  }

  /** The inherited walk, without a promise per ancestor. */
  override async getDeltaChannelHistory({ config, channels }: HistoryOptions): Promise<Histories> {
    const histories: Histories = Object.fromEntries(channels.map((channel) => [channel, { writes: [] }]));
    const open = new Set(channels);
    let id = this.#entries.get(config.configurable?.['checkpoint_id'] as string)?.parentId;
    while (id !== undefined && open.size > 0) {
      const entry = this.#entries.get(id);
      if (entry === undefined) break;
      for (const write of (this.#writes.get(id) ?? []).toReversed()) {
        if (open.has(write[1])) histories[write[1]]?.writes.push(write);
      }
      for (const channel of open) {
        const history = histories[channel];
        if (history === undefined || !Object.hasOwn(entry.checkpoint.channel_values, channel)) continue;
        history.seed = entry.checkpoint.channel_values[channel];
        open.delete(channel);
      }
      id = entry.parentId;
    }
    for (const history of Object.values(histories)) history.writes.reverse();
    return histories;
  }
}

/** What a serializer would have turned into bytes. */
async function kept<T>(value: T): Promise<T> {
  return value;
}
