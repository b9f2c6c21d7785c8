// Where a config of LangGraph points.

import type { CheckpointTuple } from '@langchain/langgraph-checkpoint';
import type { Config } from '../savers/call-types.js';
import type { CheckpointPlace } from './terms.js';

/** @throws RangeError for a config without a thread. */
export function placeOf({ configurable }: Config): CheckpointPlace {
  const {
    thread_id: threadId,
    checkpoint_ns: namespace,
    checkpoint_id: id,
  } = (configurable ?? {}) as {
    readonly thread_id?: unknown;
    readonly checkpoint_ns?: string;
    readonly checkpoint_id?: string;
  };
  // A number would be another thread on each saver.
  if (typeof threadId !== 'string' || threadId === '') {
    throw new RangeError('The config names no thread: configurable.thread_id must be a text.');
  }
  return { threadId, namespace: namespace ?? '', checkpointId: id === undefined || id === '' ? null : id };
}

export function configAt({ threadId, namespace, checkpointId }: CheckpointPlace): Config {
  return {
    configurable: {
      thread_id: threadId,
      checkpoint_ns: namespace,
      ...(checkpointId === null ? {} : { checkpoint_id: checkpointId }),
    },
  };
}

/** The config without the checkpoint that it names. */
export function unpinned(config: Config): Config {
  const {
    checkpoint_id: _,
    checkpoint_map: __,
    ...configurable
  } = (config.configurable ?? {}) as Record<string, unknown>;
  return { ...config, configurable };
}

/** The place of a checkpoint that a saver gave. */
export function placeOfTuple(tuple: CheckpointTuple): CheckpointPlace {
  return { ...placeOf(tuple.config), checkpointId: tuple.checkpoint.id };
}
