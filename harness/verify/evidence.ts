// The stored rows behind a finding, as lines for a maintainer: ids, links, channels and sizes, never contents.

import { mayHoldSnapshot, storedValues, type CheckpointRecord, type WriteRecord } from '../chain/records.js';
import type { OpenStore } from '../savers/saver.js';
import type { PlayedStep } from './played.js';

/** Checkpoints that are shown, the newest ones of the chain. */
const SHOWN_CHECKPOINTS = 6;
const SHOWN_WRITES = 8;

/**
 * The rows of the chain that ends at a checkpoint, newest first.
 *
 * @param checkpointId null: the newest of the thread.
 * @returns lines; one that says why when the store's rows cannot be looked at.
 */
export async function evidenceOf(
  store: OpenStore,
  { threadId, namespace }: Pick<PlayedStep, 'threadId' | 'namespace'>,
  checkpointId: string | null,
): Promise<string[]> {
  try {
    const records = [...(await store.records(threadId))].filter((record) => record.namespace === namespace);
    const checkpoints = new Map(
      records
        .filter((record) => record.kind === 'checkpoint')
        .map((record): [string, CheckpointRecord] => [record.checkpointId, record]),
    );
    const newest = [...checkpoints.keys()].toSorted().at(-1) ?? null;
    const lines: string[] = [];
    let id = checkpointId ?? newest;
    for (let shown = 0; id !== null && shown < SHOWN_CHECKPOINTS; shown += 1) {
      const checkpoint = checkpoints.get(id);
      if (checkpoint === undefined) {
        lines.push(`checkpoint ${id} has no row`);
        break;
      }
      lines.push(checkpointLine(checkpoint));
      const writes = records.filter((record) => record.kind === 'write' && record.checkpointId === id);
      lines.push(...writeLines(writes as WriteRecord[]));
      id = checkpoint.parentId;
    }
    return lines;
  } catch (error) {
    return [`the stored rows cannot be looked at: ${(error as Error).message}`];
  }
}

function checkpointLine(checkpoint: CheckpointRecord): string {
  const snapshots = mayHoldSnapshot(checkpoint)
    ? [...storedValues(checkpoint)]
        .filter(([, value]) => value.kind === 'snapshot')
        .map(([channel]) => channel)
    : [];
  const parent = checkpoint.parentId === null ? 'no parent' : `parent ${checkpoint.parentId}`;
  const holds = snapshots.length === 0 ? '' : `, snapshot of ${snapshots.join(', ')}`;
  return `checkpoint ${checkpoint.checkpointId}, ${parent}, ${checkpoint.payload.length} bytes${holds}`;
}

function writeLines(writes: readonly WriteRecord[]): string[] {
  const shown = writes
    .slice(0, SHOWN_WRITES)
    .map(
      ({ taskId, idx, channel, valueBytes }) => `  write ${taskId} ${idx} to ${channel}, ${valueBytes} bytes`,
    );
  return writes.length > SHOWN_WRITES
    ? [...shown, `  and ${writes.length - SHOWN_WRITES} more writes`]
    : shown;
}
