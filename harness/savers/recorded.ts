// A saver that notes when each put and putWrites began and ended, and what it was about. Nothing else changes.

import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import type { StoreCall } from '../chain/call-order.js';
import type { Config } from './call-types.js';
import { DelegatingSaver, type PutArguments, type PutWritesArguments } from './delegating.js';

type Subject = Pick<StoreCall, 'method' | 'checkpointId' | 'parentId' | 'channels'>;

/** The calls to one store, through one saver or several, on a clock that counts their beginnings and ends. */
export class CallLog {
  readonly #calls: StoreCall[] = [];
  #clock = 0;

  /** In the order in which they ended. */
  get calls(): readonly StoreCall[] {
    return this.#calls;
  }

  async note<T>(subject: Omit<StoreCall, 'began' | 'ended'>, call: () => Promise<T>): Promise<T> {
    const began = this.#tick();
    let ended: number | null = null;
    try {
      const result = await call();
      ended = this.#tick();
      return result;
    } finally {
      this.#calls.push({ ...subject, began, ended });
    }
  }

  #tick(): number {
    this.#clock += 1;
    return this.#clock;
  }
}

export class RecordedSaver extends DelegatingSaver {
  readonly #log: CallLog;

  constructor(inner: BaseCheckpointSaver, log: CallLog) {
    super(inner);
    this.#log = log;
  }

  override put(...given: PutArguments): Promise<Config> {
    const [config, checkpoint] = given;
    const parentId = (config.configurable?.['checkpoint_id'] as string | undefined) ?? null;
    const channels = Object.keys(checkpoint.channel_values);
    const subject: Subject = { method: 'put', checkpointId: checkpoint.id, parentId, channels };
    return this.#log.note({ ...placeOf(config), ...subject }, () => super.put(...given));
  }

  override putWrites(...given: PutWritesArguments): Promise<void> {
    const [config, writes] = given;
    const checkpointId = config.configurable?.['checkpoint_id'] as string;
    const channels = writes.map(([channel]) => channel);
    const subject: Subject = { method: 'put_writes', checkpointId, parentId: null, channels };
    return this.#log.note({ ...placeOf(config), ...subject }, () => super.putWrites(...given));
  }
}

function placeOf({ configurable }: Config): Pick<StoreCall, 'threadId' | 'namespace'> {
  const { thread_id, checkpoint_ns = '' } = (configurable ?? {}) as Readonly<Record<string, string>>;
  return { threadId: thread_id ?? '', namespace: checkpoint_ns };
}
