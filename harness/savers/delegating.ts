// A saver that hands every call to another one. What stands between LangGraph and a saver, to watch calls or to change
// some of them, extends it.

import {
  BaseCheckpointSaver,
  type CheckpointTuple,
  type PendingWrite,
} from '@langchain/langgraph-checkpoint';
import type { Config, ListOptions } from './call-types.js';

export type PutArguments = Parameters<BaseCheckpointSaver['put']>;
/** LangGraph gives more than the type of a saver says: the task's path. */
export type PutWritesArguments = [config: Config, writes: PendingWrite[], taskId: string, ...more: string[]];

/** The walk that savers inherit; it loads every ancestor by `getTuple`. */
export const walkAncestors: BaseCheckpointSaver['getDeltaChannelHistory'] = Reflect.get(
  BaseCheckpointSaver.prototype,
  'getDeltaChannelHistory',
);

/**
 * To LangGraph it is the inner saver. Where that inherits the ancestor walk so does this one, so that the walk sees what
 * `getTuple` gives here; where that walks in its own way, its own walk is called.
 */
export class DelegatingSaver extends BaseCheckpointSaver {
  protected readonly inner: BaseCheckpointSaver;
  protected readonly inheritsWalk: boolean;

  constructor(inner: BaseCheckpointSaver) {
    super(inner.serde);
    this.inner = inner;
    this.inheritsWalk = inheritsWalk(inner);
    // No method does it: whoever stands before this one must be able to see that the walk is the inherited one.
    if (!this.inheritsWalk && this.getDeltaChannelHistory === walkAncestors)
      this.getDeltaChannelHistory = (options) => inner.getDeltaChannelHistory(options);
  }

  /** Whether its walk refuses a chain that breaks off; who hands that walk on refuses as well. */
  get refusesBrokenChains(): boolean {
    return !this.inheritsWalk && refusesBrokenChains(this.inner);
  }

  /** The saver behind all that stand before it. */
  static innermost(saver: BaseCheckpointSaver): BaseCheckpointSaver {
    return saver instanceof DelegatingSaver ? DelegatingSaver.innermost(saver.inner) : saver;
  }

  override getTuple(config: Config): Promise<CheckpointTuple | undefined> {
    return this.inner.getTuple(config);
  }

  override list(config: Config, options?: ListOptions): AsyncGenerator<CheckpointTuple> {
    return this.inner.list(config, options);
  }

  override put(...given: PutArguments): Promise<Config> {
    return this.inner.put(...given);
  }

  override putWrites(...given: PutWritesArguments): Promise<void> {
    return (this.inner.putWrites as (...all: PutWritesArguments) => Promise<void>).apply(this.inner, given);
  }

  override deleteThread(threadId: string): Promise<void> {
    return this.inner.deleteThread(threadId);
  }

  override getNextVersion(current: number | undefined): number {
    return this.inner.getNextVersion(current);
  }
}

/** False for what is no saver of this project. */
export function refusesBrokenChains(saver: BaseCheckpointSaver): boolean {
  return saver instanceof DelegatingSaver && saver.refusesBrokenChains;
}

/** Whether the saver has the walk of the class that all savers extend, also where that is another copy of the package. */
function inheritsWalk(saver: BaseCheckpointSaver): boolean {
  let base: object = saver;
  for (let next = base; next !== Object.prototype; next = Object.getPrototypeOf(next) as object) base = next;
  return saver.getDeltaChannelHistory === (base as BaseCheckpointSaver).getDeltaChannelHistory;
}
