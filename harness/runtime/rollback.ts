// The state of a thread before a run, and the way back to it when the run is cancelled or fails.

import { isDeepStrictEqual } from 'node:util';
import type { CheckpointPendingWrite, PendingWrite } from '@langchain/langgraph-checkpoint';
import type { Config } from '../savers/call-types.js';
import { CheckpointResumeRejected, RollbackDisabledError } from './errors.js';
import type { GuardedSaver } from './guarded-saver.js';
import { configAt, placeOf } from './place.js';
import { hasPendingSends } from './resume.js';
import type { StateAccessor } from './state-accessor.js';
import type { ChannelValues } from './state-mutation.js';

/** What a thread was before a run. */
export type RollbackPoint =
  | {
      readonly kind: 'captured';
      readonly threadId: string;
      readonly checkpointId: string;
      readonly values: ChannelValues;
      readonly pendingWrites: readonly CheckpointPendingWrite[];
    }
  /** It was looked at and had no checkpoint. */
  | { readonly kind: 'empty'; readonly threadId: string }
  /** It is not known, so nothing may be restored. */
  | { readonly kind: 'disabled'; readonly threadId: string; readonly cause: unknown };

const NULL_TASK_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Takes the head's state, without what its pending writes would add, and these writes. Whatever fails, also a
 * cancellation by `signal`, disables the rollback; nothing is thrown.
 */
export async function capture(
  accessor: StateAccessor,
  saver: GuardedSaver,
  config: Config,
  signal?: AbortSignal,
): Promise<RollbackPoint> {
  const { threadId } = placeOf(config);
  try {
    signal?.throwIfAborted();
    // Of the root, whatever namespace the run is directed at: that is what a rollback restores.
    const head = await saver.getTuple(configAt({ threadId, namespace: '', checkpointId: null }));
    signal?.throwIfAborted();
    if (head === undefined) return { kind: 'empty', threadId };
    if (hasPendingSends(head))
      throw new CheckpointResumeRejected(placeOf(head.config), 'it has Sends that were not run yet');
    const values = (await accessor.get(head.config)).values as ChannelValues;
    signal?.throwIfAborted();
    return {
      kind: 'captured',
      threadId,
      checkpointId: head.checkpoint.id,
      values,
      pendingWrites: head.pendingWrites ?? [],
    };
  } catch (cause) {
    return { kind: 'disabled', threadId, cause };
  }
}

/**
 * Writes the captured state onto the head of today, in both modes: in delta mode a fork would share writes with the run
 * that is taken back, and PostgresSaver gives a fork the values of its sibling also in full mode. Every channel is
 * restored, and of pending writes only those that were captured are attached to the new head. Values that they gave to the
 * state itself, outside of a task, are in the captured state already and are not attached a second time.
 *
 * A thread that had no checkpoint is deleted.
 *
 * @throws RollbackDisabledError when nothing was captured; CheckpointResumeRejected when the thread is gone. Then nothing
 *   is written.
 */
export async function rollBack(
  accessor: StateAccessor,
  saver: GuardedSaver,
  point: RollbackPoint,
): Promise<void> {
  const { threadId } = point;
  if (point.kind === 'disabled') throw new RollbackDisabledError(threadId, point.cause);
  if (point.kind === 'empty') return saver.deleteThread(threadId);
  const place = { threadId, namespace: '', checkpointId: null };
  const config = configAt(place);
  const head = await saver.getTuple(config);
  if (head === undefined) throw new CheckpointResumeRejected(place, 'its thread has no head');
  const isUntouched =
    head.checkpoint.id === point.checkpointId &&
    isDeepStrictEqual(head.pendingWrites ?? [], point.pendingWrites);
  if (isUntouched) return;
  const restored = await accessor.replace(config, point.values);
  for (const [taskId, writes] of byTask(point.pendingWrites)) await saver.putWrites(restored, writes, taskId);
}

/** By task, each with its writes in order. */
function byTask(pendingWrites: readonly CheckpointPendingWrite[]): Map<string, PendingWrite[]> {
  const tasks = new Map<string, PendingWrite[]>();
  for (const [taskId, channel, value] of pendingWrites) {
    if (taskId === NULL_TASK_ID && !channel.startsWith('__')) continue;
    tasks.set(taskId, [...(tasks.get(taskId) ?? []), [channel, value]]);
  }
  return tasks;
}
