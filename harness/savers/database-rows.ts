// What the rows of LangGraph's savers have in common in every database.

import type { WriteRecord } from '../chain/records.js';

/** Columns of a write, whose names are the same in SQLite and Postgres. */
export interface WriteColumns {
  readonly checkpoint_ns: string;
  readonly checkpoint_id: string;
  readonly task_id: string;
  readonly idx: number;
  readonly channel: string;
}

/** @param valueBytes of its serialized value. */
export function writeRecord(row: WriteColumns, valueBytes: number): WriteRecord {
  return {
    kind: 'write',
    namespace: row.checkpoint_ns,
    checkpointId: row.checkpoint_id,
    taskId: row.task_id,
    idx: row.idx,
    channel: row.channel,
    valueBytes,
  };
}

/** By key, in the order in which the keys come first; within a group in the order of the items. */
export function grouped<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
