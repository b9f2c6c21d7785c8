// The checkpoint runtime of a service: one mode, one saver, and everything that builds graphs and reaches threads.

import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import type { Mode } from '../record/names.js';
import type { Config } from '../savers/call-types.js';
import { refusesBrokenChains } from '../savers/delegating.js';
import { freezeChannelMode } from './channel-mode.js';
import { CheckedWalkSaver } from './checked-walk-saver.js';
import { CheckpointRuntimeError, GraphUnavailableError } from './errors.js';
import { GuardedSaver } from './guarded-saver.js';
import type { ServiceMetadata } from './metadata-checkpoint.js';
import { placeOf } from './place.js';
import { resumeAt } from './resume.js';
import { capture, rollBack, type RollbackPoint } from './rollback.js';
import { checkGraph, graphOf, type GraphOrAgent } from './runtime-graph.js';
import { GraphStateAccessor, RawStateAccessor, type StateAccessor } from './state-accessor.js';
import { ThreadLocks } from './thread-lock.js';
import type { ChannelMode } from './terms.js';

export interface RuntimeOptions {
  readonly mode: Mode;
  /** K of the delta channels, in updates; needed in delta mode. */
  readonly snapshotFrequency?: number | null;
  /** LangGraph's saver, with its history cache or its direct walk before it where there is one. */
  readonly saver: BaseCheckpointSaver;
}

/** With what a graph is built. */
export interface RuntimeBuild extends ChannelMode {
  /** To be given to `compile` as `checkpointer`, or left out where threads are not kept. */
  readonly saver: GuardedSaver;
}

export type BuildGraph<G extends GraphOrAgent> = (options: RuntimeBuild) => G | Promise<G>;

/** Where a run has to go, and the way back from it. */
export interface PreparedRun {
  readonly config: Config;
  readonly rollback: RollbackPoint;
}

/**
 * Sets the mode of the process; see {@link freezeChannelMode}. Two runtimes of one process have the same mode.
 *
 * @throws CheckpointModeReconfigurationError; RangeError for a mode or a cadence that is none; TypeError without a saver.
 */
export class CheckpointRuntime {
  readonly channelMode: ChannelMode;
  /** The only saver that graphs and services use. */
  readonly saver: GuardedSaver;
  readonly #locks = new ThreadLocks();

  constructor({ mode, snapshotFrequency = null, saver }: RuntimeOptions) {
    requireSaver(saver);
    this.channelMode = freezeChannelMode({ mode, snapshotFrequency });
    this.saver = new GuardedSaver(checked(saver), this.channelMode);
  }

  /**
   * Builds a graph in the mode of the process.
   *
   * @throws UnguardedSaverError where the graph keeps its threads through another saver; ModeNotInEffectError where its channels
   *   are in another mode or cadence.
   */
  async build<G extends GraphOrAgent>(build: BuildGraph<G>): Promise<G> {
    const built = await build({ ...this.channelMode, saver: this.saver });
    checkGraph(graphOf(built), this.saver);
    return built;
  }

  /**
   * The way to the state of threads of a graph. Where the graph cannot be built, full mode has raw reads, whose
   * `created_at` is the checkpoint's and whose `next` and `tasks` are empty; delta mode has no state without a graph.
   *
   * @throws GraphUnavailableError in delta mode, with what `build` threw as its cause; what {@link build} refuses.
   */
  async accessor(build: BuildGraph<GraphOrAgent>): Promise<StateAccessor> {
    try {
      return new GraphStateAccessor(graphOf(await this.build(build)), this.saver);
    } catch (cause) {
      if (cause instanceof CheckpointRuntimeError) throw cause;
      const unavailable = new GraphUnavailableError(cause);
      if (this.channelMode.mode === 'delta') throw unavailable;
      return new RawStateAccessor(this.saver, unavailable);
    }
  }

  /**
   * Before a run: captures what the thread is, then finds where the run goes; see {@link capture} and {@link resumeAt}. Both
   * happen under the lock of the thread.
   *
   * @param signal cancels the capture, which disables the rollback.
   * @throws CheckpointResumeRejected before any write.
   */
  prepareRun(
    accessor: StateAccessor,
    config: Config,
    input: unknown,
    signal?: AbortSignal,
  ): Promise<PreparedRun> {
    return this.#locks.hold(placeOf(config).threadId, async () => {
      const rollback = await capture(accessor, this.saver, config, signal);
      return { config: await resumeAt(accessor, this.saver, config, input), rollback };
    });
  }

  /** After a run: appends what the service has to say of it; see `annotate` of {@link StateAccessor}. */
  annotate(accessor: StateAccessor, config: Config, metadata: ServiceMetadata): Promise<Config> {
    return this.#locks.hold(placeOf(config).threadId, () => accessor.annotate(config, metadata));
  }

  /** After a run that is to leave nothing; see {@link rollBack}. */
  rollBack(accessor: StateAccessor, point: RollbackPoint): Promise<void> {
    return this.#locks.hold(point.threadId, () => rollBack(accessor, this.saver, point));
  }
}

/** For those who write JavaScript. */
function requireSaver(saver: unknown): void {
  if (typeof (saver as Partial<BaseCheckpointSaver> | null | undefined)?.getTuple === 'function') return;
  throw new TypeError(
    'A checkpoint runtime needs a saver: new CheckpointRuntime({ mode, snapshotFrequency, saver }).',
  );
}

/** With a walk that refuses a chain that breaks off, whatever stands before the saver. */
function checked(saver: BaseCheckpointSaver): BaseCheckpointSaver {
  return refusesBrokenChains(saver) ? saver : new CheckedWalkSaver(saver);
}
