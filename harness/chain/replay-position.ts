// How far each checkpoint of a thread is from what its replay starts from, told by the stored rows. Pure.

import { mayHoldSnapshot, storedValues, type CheckpointRecord, type StoredRecord } from './records.js';

/** Of one checkpoint, over the channels that were asked for. */
export interface ReplayPosition {
  /** Whether the checkpoint stores a snapshot of any of the channels. */
  readonly storesSnapshot: boolean;
  /** Phase: in how many supersteps the first channel was written since its snapshot, or since the root. */
  readonly updatesSinceSnapshot: number;
  /** Bytes of the snapshots that the replays start from, as JSON; 0 for the empty root. */
  readonly seedBytes: number;
  /** The oldest checkpoint that holds one of these snapshots; null when a channel starts at the empty root. */
  readonly oldestSeedId: string | null;
}

interface ChannelPosition {
  readonly updates: number;
  readonly seedId: string | null;
  readonly seedBytes: number;
}

const ROOT: ChannelPosition = { updates: 0, seedId: null, seedBytes: 0 };

/** By checkpoint id, for one namespace; a checkpoint whose parent is missing counts as a root. */
export function replayPositions(
  records: Iterable<StoredRecord>,
  channels: readonly string[],
): Map<string, ReplayPosition> {
  const checkpoints: Pick<CheckpointRecord, 'checkpointId' | 'parentId'>[] = [];
  const snapshots = new Map<string, ReadonlyMap<string, number>>();
  const written = new Set<string>();
  for (const record of records) {
    if (record.kind === 'write') {
      written.add(writeKey(record.checkpointId, record.channel));
      continue;
    }
    checkpoints.push({ checkpointId: record.checkpointId, parentId: record.parentId });
    if (mayHoldSnapshot(record)) snapshots.set(record.checkpointId, snapshotBytes(record));
  }
  checkpoints.sort((a, b) => (a.checkpointId < b.checkpointId ? -1 : 1));

  const byChannel = channels.map((channel) => {
    const positions = new Map<string, ChannelPosition>();
    for (const { checkpointId, parentId } of checkpoints) {
      const seedBytes = snapshots.get(checkpointId)?.get(channel);
      const parent = (parentId === null ? undefined : positions.get(parentId)) ?? ROOT;
      const wrote = parentId !== null && written.has(writeKey(parentId, channel)) ? 1 : 0;
      positions.set(
        checkpointId,
        seedBytes === undefined
          ? { ...parent, updates: parent.updates + wrote }
          : { updates: 0, seedId: checkpointId, seedBytes },
      );
    }
    return positions;
  });
  return new Map(checkpoints.map(({ checkpointId: id }) => [id, combined(id, byChannel)]));
}

function combined(id: string, byChannel: readonly Map<string, ChannelPosition>[]): ReplayPosition {
  const positions = byChannel.map((positionsOf) => positionsOf.get(id) ?? ROOT);
  const seedIds = positions.map(({ seedId }) => seedId);
  return {
    storesSnapshot: seedIds.includes(id),
    updatesSinceSnapshot: positions[0]?.updates ?? 0,
    seedBytes: positions.reduce((sum, { seedBytes }) => sum + seedBytes, 0),
    oldestSeedId: seedIds.reduce(olderOf, id),
  };
}

/** Null, the root, is the oldest of all. */
function olderOf(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return null;
  return a < b ? a : b;
}

function writeKey(checkpointId: string, channel: string): string {
  return `${checkpointId} ${channel}`;
}

function snapshotBytes(record: CheckpointRecord): Map<string, number> {
  const bytes = new Map<string, number>();
  for (const [channel, { kind, json }] of storedValues(record)) {
    if (kind === 'snapshot') bytes.set(channel, Buffer.byteLength(json));
  }
  return bytes;
}
