// Where a thread's time goes, seen from outside the saver and the reducers: when each of their calls began and ended.
// The metered saver is the inner one to LangGraph; nothing about what is stored or returned changes.

import type { BaseCheckpointSaver, CheckpointTuple } from '@langchain/langgraph-checkpoint';
import type { Span } from '../record/spans.js';
import type { SaverMethod } from '../record/names.js';
import type { Config, Histories, HistoryOptions, ListOptions } from './call-types.js';
import { DelegatingSaver, walkAncestors, type PutArguments, type PutWritesArguments } from './delegating.js';

/** A delta reducer: a state and a batch of writes to the next state. */
export type BatchReducer<State, Write> = (state: State, writes: Write[]) => State;

/** What happened between two {@link Meter.take}s. */
export interface MeteredCalls {
  /** By method; a call of `get_tuple` that a walk makes is part of its `get_delta_channel_history`. */
  readonly spans: Readonly<Record<SaverMethod, readonly Span[]>>;
  /** Reducer calls that replayed stored writes. */
  readonly replays: readonly Span[];
  readonly walks: readonly Walk[];
  /** Ids of the checkpoints that were put, in the order in which the calls ended. */
  readonly checkpointIds: readonly string[];
  /** What was done for the meter's sake, between the calls. */
  readonly looks: readonly Span[];
}

/** One ancestor walk. */
export interface Walk {
  /** Ancestors that the walk loaded; null where the saver walks in its own way. */
  readonly ancestorsVisited: number | null;
  /** Writes that it returned, over all channels. */
  readonly writesReplayed: number;
}

function noCalls() {
  return {
    spans: {
      put: [] as Span[],
      put_writes: [] as Span[],
      get_tuple: [] as Span[],
      list: [] as Span[],
      get_delta_channel_history: [] as Span[],
    },
    replays: [] as Span[],
    walks: [] as Walk[],
    checkpointIds: [] as string[],
    looks: [] as Span[],
  };
}

/** Collects the calls of one thread's saver and reducers. */
export class Meter {
  #calls = noCalls();
  /** The last write of each channel that a walk has just returned: LangGraph replays them in one reducer call. */
  #dueReplays: unknown[] = [];
  /** Milliseconds of the clock that the spans are told by. */
  readonly now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.now = now;
  }

  /** What was recorded since the last call, which it starts anew. Calls still running belong to the next. */
  take(): MeteredCalls {
    const calls = this.#calls;
    this.#calls = noCalls();
    return calls;
  }

  /**
   * @param look is called with the values when a `put` or `putWrites` has ended, outside its span and outside of what
   *   counts as the turn; it must not wait for anything.
   */
  meterSaver(
    inner: BaseCheckpointSaver,
    look: (given: readonly unknown[]) => void = () => {},
  ): BaseCheckpointSaver {
    return new MeteredSaver(inner, this, (given) => {
      const startMs = this.now();
      look(given);
      this.#calls.looks.push({ startMs, endMs: this.now() });
    });
  }

  /** The reducer with its properties; LangGraph knows its own messages reducer by one of them. */
  meterReducer<State, Write>(reducer: BatchReducer<State, Write>): BatchReducer<State, Write> {
    const metered = (state: State, writes: Write[]): State => {
      const due = this.#dueReplays.indexOf(writes.at(-1));
      if (due === -1) return reducer(state, writes);
      this.#dueReplays.splice(due, 1);
      const startMs = this.now();
      const next = reducer(state, writes);
      this.#calls.replays.push({ startMs, endMs: this.now() });
      return next;
    };
    return Object.defineProperties(metered, Object.getOwnPropertyDescriptors(reducer));
  }

  /** Runs a saver's call and records its span, also when it throws. */
  async timed<T>(method: SaverMethod, call: () => Promise<T>): Promise<T> {
    const startMs = this.now();
    try {
      return await call();
    } finally {
      this.#calls.spans[method].push({ startMs, endMs: this.now() });
    }
  }

  recordCheckpoint(id: string): void {
    this.#calls.checkpointIds.push(id);
  }

  recordWalk(histories: Histories, ancestorsVisited: number | null): void {
    const writes = Object.values(histories).map((history) => history.writes);
    const writesReplayed = writes.reduce((sum, { length }) => sum + length, 0);
    this.#calls.walks.push({ ancestorsVisited, writesReplayed });
    this.#dueReplays = writes.filter(({ length }) => length > 0).map((list) => list.at(-1)?.[2]);
  }
}

/** Where the inner saver inherits the ancestor walk its ancestors are counted; where it has its own they are unknown. */
class MeteredSaver extends DelegatingSaver {
  readonly #meter: Meter;
  readonly #afterWrite: (given: readonly unknown[]) => void;

  constructor(inner: BaseCheckpointSaver, meter: Meter, afterWrite: (given: readonly unknown[]) => void) {
    super(inner);
    this.#meter = meter;
    this.#afterWrite = afterWrite;
  }

  override getTuple(config: Config): Promise<CheckpointTuple | undefined> {
    return this.#meter.timed('get_tuple', () => super.getTuple(config));
  }

  /** Busy is the time of each step of the inner listing, not that of whoever reads it. */
  override async *list(config: Config, options?: ListOptions): AsyncGenerator<CheckpointTuple> {
    const listing = super.list(config, options);
    try {
      for (;;) {
        const step = await this.#meter.timed('list', () => listing.next());
        if (step.done === true) return;
        yield step.value;
      }
    } finally {
      await listing.return(undefined);
    }
  }

  override async put(...given: PutArguments): Promise<Config> {
    const [, checkpoint, metadata] = given;
    const stored = await this.#meter.timed('put', () => super.put(...given));
    this.#meter.recordCheckpoint(checkpoint.id);
    this.#afterWrite([checkpoint, metadata]);
    return stored;
  }

  override async putWrites(...given: PutWritesArguments): Promise<void> {
    await this.#meter.timed('put_writes', () => super.putWrites(...given));
    this.#afterWrite(given[1].map(([, value]) => value));
  }

  override async getDeltaChannelHistory(options: HistoryOptions): Promise<Histories> {
    let loaded = 0;
    const walker = Object.create(this.inner, {
      getTuple: {
        value: (config: Config) => {
          loaded += 1;
          return this.inner.getTuple(config);
        },
      },
    }) as BaseCheckpointSaver;
    const histories = await this.#meter.timed('get_delta_channel_history', () =>
      this.inheritsWalk ? walkAncestors.call(walker, options) : this.inner.getDeltaChannelHistory(options),
    );
    // The first that the inherited walk loads is the checkpoint whose ancestors it looks for.
    this.#meter.recordWalk(histories, this.inheritsWalk ? loaded - 1 : null);
    return histories;
  }
}
