// A graph of a service, in whatever mode, and a process without a mode. No tests here.

import { END, interrupt, Send, START, StateGraph, StateSchema } from '@langchain/langgraph';
import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import { z } from 'zod';
import { listChannel, mapChannel } from '../../fixtures/workloads/channels.js';

import { CheckpointRuntime } from './checkpoint-runtime.js';
import type { ChannelMode } from './terms.js';

/** As in a process that has just started. */
export function releaseChannelMode(): void {
  Reflect.deleteProperty(globalThis, Symbol.for('deltaproof.channel_mode'));
}

export const FULL: ChannelMode = { mode: 'full', snapshotFrequency: null };
export const DELTA: ChannelMode = { mode: 'delta', snapshotFrequency: 1000 };

/** A runtime of a process that has just started. */
export function runtimeOn(saver: BaseCheckpointSaver, mode: ChannelMode = DELTA): CheckpointRuntime {
  releaseChannelMode();
  return new CheckpointRuntime({ ...mode, saver });
}

export const inThread = (thread = 't', checkpoint?: string) => ({
  configurable: { thread_id: thread, ...(checkpoint === undefined ? {} : { checkpoint_id: checkpoint }) },
});

/**
 * START -> note -> END. The state has a list and a map that are delta channels in delta mode, a title, and
 * an owner without a default. The item `ask`
 * makes the node ask, `fail` makes it throw, `send` ends the run with Sends that are due.
 */
export function notesGraph({
  saver,
  ...settings
}: ChannelMode & { readonly saver?: BaseCheckpointSaver | undefined }) {
  const schema = new StateSchema({
    items: listChannel(settings),
    files: mapChannel(settings),
    title: z.string().optional(),
    owner: z.string(),
  });
  return new StateGraph(schema)
    .addNode('note', ({ items }) => {
      const last = items.at(-1);
      if (last === 'fail') throw new Error('The node fails.');
      if (last === 'ask') return { items: [`answered ${String(interrupt('?'))}`] };
      return { items: [`seen ${String(last)}`] };
    })
    .addNode('worker', () => ({ items: ['worked'] }))
    .addEdge(START, 'note')
    .addConditionalEdges('note', ({ items }) =>
      items.at(-1) === 'seen send' ? [new Send('worker', {}), new Send('worker', {})] : END,
    )
    .addEdge('worker', END)
    .compile({ ...(saver === undefined ? {} : { checkpointer: saver }), interruptBefore: ['worker'] });
}

export async function allOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
