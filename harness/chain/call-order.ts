// Whether the calls that stored a thread became durable in an order that a crash between any two of them survives. Pure.

/** A `put` or `putWrites`, and when it was under way on a clock that only counts. */
export interface StoreCall {
  readonly method: 'put' | 'put_writes';
  readonly threadId: string;
  readonly namespace: string;
  /** The checkpoint that is put, or that the writes belong to. */
  readonly checkpointId: string;
  /** Of a `put`; null at the root. */
  readonly parentId: string | null;
  /** Channels whose value a `put` stores, or that are written. */
  readonly channels: readonly string[];
  readonly began: number;
  /** Null for a call that threw or never ended. */
  readonly ended: number | null;
}

/** A call that came too early or too late. */
export interface OrderViolation {
  readonly kind: 'before its parent' | 'before its writes' | 'after a child';
  readonly call: StoreCall;
  /** The one that it must not have been durable before, or begun after. */
  readonly other: StoreCall;
}

/**
 * A checkpoint must not be durable before its parent is, nor before the writes of its parent to a channel of
 * `deltaChannels` whose value it does not store; and no write may begin on a checkpoint that has a durable child, whose
 * state it would change.
 *
 * @param deltaChannels channels that are rebuilt from writes.
 */
export function callOrderViolations(
  calls: readonly StoreCall[],
  deltaChannels: readonly string[],
): OrderViolation[] {
  const puts = calls.filter(({ method, ended }) => method === 'put' && ended !== null);
  const byCheckpoint = new Map<string, StoreCall[]>();
  for (const call of calls) {
    const key = keyOf(call, call.checkpointId);
    byCheckpoint.set(key, [...(byCheckpoint.get(key) ?? []), call]);
  }
  return puts.flatMap((put) => {
    if (put.parentId === null) return [];
    const replayed = deltaChannels.filter((channel) => !put.channels.includes(channel));
    const ofParent = byCheckpoint.get(keyOf(put, put.parentId)) ?? [];
    return ofParent.flatMap((call) => violation(put, call, replayed) ?? []);
  });
}

function violation(put: StoreCall, other: StoreCall, replayed: readonly string[]): OrderViolation | null {
  const end = put.ended as number;
  if (other.method === 'put') {
    return isLater(other, end) ? { kind: 'before its parent', call: put, other } : null;
  }
  if (other.began > end) return { kind: 'after a child', call: other, other: put };
  const needs = other.channels.some((channel) => replayed.includes(channel));
  return needs && isLater(other, end) ? { kind: 'before its writes', call: put, other } : null;
}

function isLater({ ended }: StoreCall, end: number): boolean {
  return ended === null || ended > end;
}

function keyOf({ threadId, namespace }: StoreCall, checkpointId: string): string {
  return JSON.stringify([threadId, namespace, checkpointId]);
}
