// LangGraph's MemorySaver, with the diagnostics of the two objects it keeps everything in.

import { MemorySaver } from '@langchain/langgraph-checkpoint';
import type { StoredRecord } from '../chain/records.js';
import type { OpenStore } from './saver.js';

export function openMemory(): OpenStore {
  return memoryStore(new MemorySaver());
}

/** The store of a MemorySaver or of a class derived from it. */
export function memoryStore(saver: MemorySaver): OpenStore {
  return {
    saver,
    records: (threadId) => memoryRecords(saver, threadId),
    fileBytes: () => null,
    checkpointToDisk: () => {},
    openFloor: null,
    commitBeside: null,
    wal: null,
    pragmas: () => ({}),
    close: () => {},
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
    for (const [, channel, value] of Object.values(writes)) {
      yield { kind: 'write', namespace, checkpointId, channel, valueBytes: value.length };
    }
  }
}
