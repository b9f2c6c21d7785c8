// A run that starts at an older checkpoint. In full mode it forks, as in LangGraph. In delta mode a fork would share its
// parent's writes with the branch that was left, so the older state is written onto the head and the run goes on there.

import { isCommand } from '@langchain/langgraph';
import type { CheckpointTuple } from '@langchain/langgraph-checkpoint';
import type { Config } from '../savers/call-types.js';
import { CheckpointResumeRejected } from './errors.js';
import type { GuardedSaver } from './guarded-saver.js';
import { placeOf, unpinned } from './place.js';
import type { StateAccessor } from './state-accessor.js';
import type { ChannelValues } from './state-mutation.js';

/**
 * Where a run of `input` that was directed at `config` has to go: in full mode, in a subgraph and without a `checkpoint_id`
 * there; in delta mode to the head, which then has the state of the checkpoint that was named. The turns after it stay
 * in the history as ancestors.
 *
 * @param input what the run is given; null, undefined and a `Command` continue what is due.
 * @throws CheckpointResumeRejected before any write: the checkpoint is not there or, in delta mode, the head is not, one of
 *   them has `Send`s that were not run yet, or a run that is to be continued has nodes that are due, which are lost on the
 *   head.
 */
export async function resumeAt(
  accessor: StateAccessor,
  saver: GuardedSaver,
  config: Config,
  input: unknown,
): Promise<Config> {
  const place = placeOf(config);
  if (place.checkpointId === null || place.namespace !== '') return config;
  const reject = (reason: string) => new CheckpointResumeRejected(place, reason);
  const atHead = unpinned(config);
  const selected = await saver.getTuple(config);
  // LangGraph would begin the thread anew, in either mode.
  if (selected === undefined) throw reject('it is not there');
  if (saver.channelMode.mode === 'full') return config;
  const head = await saver.getTuple(atHead);
  if (head === undefined) throw reject('its thread has no head');
  if (head.checkpoint.id === selected.checkpoint.id) return atHead;
  if (hasPendingSends(selected)) throw reject('it has Sends that were not run yet');
  if (hasPendingSends(head)) throw reject('the head has Sends that were not run yet');
  const state = await accessor.get(config);
  if (continues(input)) {
    const { next } = await accessor.get(atHead);
    const due = [...state.next, ...next].filter((node) => node !== '__start__');
    if (due.length > 0) throw reject(`it would continue a run whose nodes are due (${due.join(', ')})`);
  }
  await accessor.replace(atHead, state.values as ChannelValues);
  return atHead;
}

function continues(input: unknown): boolean {
  return input === null || input === undefined || isCommand(input);
}

/** Whether the checkpoint schedules tasks by `Send`, which no channel of the state holds. */
export function hasPendingSends({ checkpoint }: CheckpointTuple): boolean {
  const sends = checkpoint.channel_values['__pregel_tasks'];
  return Array.isArray(sends) && sends.length > 0;
}
