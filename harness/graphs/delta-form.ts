// What a channel is in full mode, and what it becomes in delta. Knows reducers and initial values, no state definitions.

import { DeltaChannel, messagesDeltaReducer, messagesStateReducer } from '@langchain/langgraph';

/** The reducer of a full channel: one write at a time. */
export type Reduce = (state: unknown, write: unknown) => unknown;
/** The reducer of a delta channel: a batch of writes, oldest first. */
export type BatchReduce = (state: unknown, writes: unknown[]) => unknown;

/** Which reducer the delta channel has; see `DeltaMessagesOptions`. */
export type ReducerChoice = 'lifted' | 'messages_delta';

export interface FullForm {
  readonly reduce: Reduce;
  /** Undefined, or giving undefined, where the first write becomes the value as it is. */
  readonly initialValue: (() => unknown) | undefined;
}

export interface DeltaForm {
  readonly reduce: BatchReduce;
  readonly initialValue: () => unknown;
  /** K, in updates of the channel. */
  readonly snapshotFrequency: number;
}

export function deltaFormOf(
  full: FullForm,
  snapshotFrequency: number,
  choice: ReducerChoice = full.reduce === messagesStateReducer ? 'messages_delta' : 'lifted',
): DeltaForm {
  const { initialValue } = full;
  if (choice === 'lifted') {
    return {
      reduce: lifted(full.reduce),
      initialValue: initialValue ?? (() => undefined),
      snapshotFrequency,
    };
  }
  // messagesDeltaReducer reads the length of what it is given.
  const initialMessages = () => initialValue?.() ?? [];
  return { reduce: messagesDeltaReducer as BatchReduce, initialValue: initialMessages, snapshotFrequency };
}

export function deltaChannel({ reduce, initialValue, snapshotFrequency }: DeltaForm): DeltaChannel {
  return new DeltaChannel(reduce, { initialValueFactory: initialValue, snapshotFrequency });
}

/** LangGraph refuses two definitions of one channel in a graph unless their reducers are the same function. */
const LIFTED = new WeakMap<Reduce, BatchReduce>();

/**
 * A reducer of one write, for batches of them. As in LangGraph's `BinaryOperatorAggregate`, the first write of a channel
 * without an initial value becomes its value without being reduced.
 */
function lifted(reduce: Reduce): BatchReduce {
  const known = LIFTED.get(reduce);
  if (known !== undefined) return known;
  const reduceBatch: BatchReduce = (state, writes) =>
    writes.reduce((value, write) => (value === undefined ? write : reduce(value, write)), state);
  LIFTED.set(reduce, reduceBatch);
  return reduceBatch;
}
