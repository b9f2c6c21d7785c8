// A saver of the user's own as a store of this harness. Nothing is known of where it keeps its rows, so what it holds is
// asked of the saver itself.

import type { BaseCheckpointSaver, CheckpointTuple } from '@langchain/langgraph-checkpoint';
import type { BlobRecord, StoredRecord } from '../chain/records.js';
import type { StorePlace } from '../record/store-place.js';
import { NO_DATABASE } from './no-files.js';
import { loadSaver, type OpenedSaver } from './own-saver.js';
import type { OpenStore } from './saver.js';

/** Loads the module; opening with what is returned opens a saver in the folder of the place. */
export async function customOpener(path: string): Promise<(place: StorePlace) => Promise<OpenStore>> {
  const module = await loadSaver(path);
  return async ({ dir }) => {
    const opened = await module.open(dir);
    const saver = (opened as Partial<OpenedSaver> | undefined)?.saver;
    if (
      typeof (saver as Partial<BaseCheckpointSaver> | undefined)?.getTuple !== 'function' ||
      saver === undefined
    ) {
      throw new TypeError(`open of ${module.name} returned no saver: { saver, close } is due.`);
    }
    return {
      ...NO_DATABASE,
      saver,
      rows: NO_ROWS,
      second: () => ({ saver: opened.second?.() ?? saver }),
      records: (threadId) => listedRecords(saver, threadId),
      reportStorage: async (threadId) => (await opened.storage?.(threadId)) ?? {},
      close: async () => opened.close?.(),
    };
  };
}

/** The plan leaves out what would change rows behind such a saver. */
const NO_ROWS: OpenStore['rows'] = {
  deleteCheckpoints: () => Promise.reject(new Error('The rows of a saver of your own are not known.')),
  copyThread: () => Promise.reject(new Error('The rows of a saver of your own are not known.')),
};

/**
 * What the saver lists of a thread, as records. A value is taken for stored with the first checkpoint that has its version,
 * since savers that store a version once give it back with every checkpoint that names it. Bytes are those of the
 * saver's serializer, which need not be what it stores.
 */
async function listedRecords(saver: BaseCheckpointSaver, threadId: string): Promise<StoredRecord[]> {
  const tuples: CheckpointTuple[] = [];
  for await (const tuple of saver.list({ configurable: { thread_id: threadId } })) tuples.push(tuple);
  const named = new Set<string>();
  const records: StoredRecord[] = [];
  for (const tuple of tuples.toReversed()) records.push(...(await recordsOf(saver, tuple, named)));
  return records;
}

async function recordsOf(
  { serde }: BaseCheckpointSaver,
  { config, checkpoint, metadata, parentConfig, pendingWrites = [] }: CheckpointTuple,
  named: Set<string>,
): Promise<StoredRecord[]> {
  const namespace = (config.configurable?.['checkpoint_ns'] as string | undefined) ?? '';
  const { channel_values: values, ...rest } = checkpoint;
  const blobs: BlobRecord[] = [];
  const carried = new Set<string>();
  for (const [channel, value] of Object.entries(values)) {
    const version = String(checkpoint.channel_versions[channel]);
    const key = JSON.stringify([namespace, channel, version]);
    if (named.has(key)) {
      carried.add(channel);
      continue;
    }
    named.add(key);
    const [type, payload] = await serde.dumpsTyped(value);
    blobs.push({ channel, version, type, payload });
  }
  const sizeOf = async (value: unknown) => (await serde.dumpsTyped(value))[1].length;
  const positions = new Map<string, number>();
  const writes: StoredRecord[] = [];
  for (const [taskId, channel, value] of pendingWrites) {
    const idx = positions.get(taskId) ?? 0;
    positions.set(taskId, idx + 1);
    const valueBytes = await sizeOf(value);
    writes.push({ kind: 'write', namespace, checkpointId: checkpoint.id, taskId, idx, channel, valueBytes });
  }
  return [
    {
      kind: 'checkpoint',
      namespace,
      checkpointId: checkpoint.id,
      parentId: (parentConfig?.configurable?.['checkpoint_id'] as string | undefined) ?? null,
      payload: (await serde.dumpsTyped(rest))[1],
      metadataBytes: await sizeOf(metadata),
      blobs,
      carried,
    },
    ...writes,
  ];
}
