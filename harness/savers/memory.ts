// LangGraph's MemorySaver, with the diagnostics of the two objects it keeps everything in.

import { MemorySaver } from '@langchain/langgraph-checkpoint';
import type { StoredRecord } from '../chain/records.js';
import { NO_DATABASE } from './no-files.js';
import type { OpenStore, RowEditor } from './saver.js';

export async function openMemory(): Promise<OpenStore> {
  const saver = new MemorySaver();
  return {
    ...NO_DATABASE,
    saver,
    rows: memoryRows(saver),
    // Nothing outside of the process can have it.
    second: () => ({ saver }),
    records: async (threadId) => memoryRecords(saver, threadId),
    close: async () => {},
  };
}

function* memoryRecords(saver: MemorySaver, threadId: string): Generator<StoredRecord> {
  for (const [namespace, checkpoints] of Object.entries(saver.storage[threadId] ?? {})) {
    for (const [checkpointId, [payload, metadata, parentId]] of Object.entries(checkpoints)) {
      yield {
        kind: 'checkpoint',
        namespace,
        checkpointId,
        parentId: parentId ?? null,
        payload,
        metadataBytes: metadata.length,
      };
    }
  }
  for (const [key, writes] of Object.entries(saver.writes)) {
    const [thread, namespace, checkpointId] = JSON.parse(key) as [string, string, string];
    if (thread !== threadId) continue;
    for (const [inner, [taskId, channel, value]] of Object.entries(writes)) {
      const idx = Number(inner.slice(inner.lastIndexOf(',') + 1));
      yield { kind: 'write', namespace, checkpointId, taskId, idx, channel, valueBytes: value.length };
    }
  }
}

function memoryRows({ storage, writes }: MemorySaver): RowEditor {
  const keyOf = (key: string) => JSON.parse(key) as [thread: string, namespace: string, checkpointId: string];
  return {
    async deleteCheckpoints(threadId, checkpointIds) {
      for (const id of checkpointIds) {
        delete storage[threadId]?.['']?.[id];
        delete writes[JSON.stringify([threadId, '', id])];
      }
    },
    async copyThread(from, to) {
      storage[to] = structuredClone(storage[from] ?? {});
      for (const [key, value] of Object.entries(writes)) {
        const [thread, ...rest] = keyOf(key);
        if (thread === from) writes[JSON.stringify([to, ...rest])] = structuredClone(value);
      }
    },
  };
}
