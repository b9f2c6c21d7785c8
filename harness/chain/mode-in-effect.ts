// Whether the stored rows of a linear thread are what its mode and cadence promise: snapshots where the cadence puts
// them and the whole value nowhere else in delta, no snapshot in full. Evidence or nothing. Pure.

import { mayHoldSnapshot, storedValues, type CheckpointRecord, type StoredRecord } from './records.js';

/** A snapshot is forced after this many supersteps, whatever the cadence (LangGraph's default bound). */
export const MAX_SUPERSTEPS_SINCE_SNAPSHOT = 5000;

export interface ModeExpectation {
  /** The channel under test. */
  readonly channel: string;
  /** K in delta mode; null in full mode. */
  readonly snapshotFrequency: number | null;
  /** How often the workload updated the channel. */
  readonly updates: number;
  /** Texts that only the whole value contains all of, such as the ids of its first and last element. */
  readonly wholeValueMarks: readonly string[];
}

/**
 * A whole sentence of evidence that the mode was not in effect, or null. For one thread without forks.
 *
 * The counters follow LangGraph's `counters_since_delta_snapshot`: at each checkpoint supersteps grow by one and
 * updates by one if the parent holds a write to the channel; at `updates >= K` (or the superstep bound) a snapshot is
 * stored there and both start over.
 */
export function modeNotInEffect(records: Iterable<StoredRecord>, expected: ModeExpectation): string | null {
  const checkpoints: CheckpointRecord[] = [];
  const written = new Set<string>();
  for (const record of records) {
    if (record.kind === 'checkpoint') checkpoints.push(record);
    else if (record.channel === expected.channel) written.add(record.checkpointId);
  }
  if (written.size !== expected.updates) {
    return `Channel ${expected.channel} was written in ${written.size} supersteps; the workload updates it ${expected.updates} times.`;
  }
  checkpoints.sort((a, b) => (a.checkpointId < b.checkpointId ? -1 : 1));
  return expected.snapshotFrequency === null
    ? fullNotInEffect(checkpoints, expected)
    : deltaNotInEffect(checkpoints, written, expected, expected.snapshotFrequency);
}

function fullNotInEffect(
  checkpoints: readonly CheckpointRecord[],
  { channel }: ModeExpectation,
): string | null {
  for (const [position, checkpoint] of checkpoints.entries()) {
    if (!mayHoldSnapshot(checkpoint)) continue;
    if (storedValues(checkpoint).get(channel)?.kind === 'snapshot') {
      return `Full mode stored a snapshot of ${channel} in checkpoint ${position + 1} of ${checkpoints.length}.`;
    }
  }
  const head = checkpoints.at(-1);
  if (head !== undefined && storedValues(head).get(channel)?.kind === 'plain') return null;
  return `Full mode did not store ${channel} whole in the newest checkpoint.`;
}

function deltaNotInEffect(
  checkpoints: readonly CheckpointRecord[],
  written: ReadonlySet<string>,
  expected: ModeExpectation,
  snapshotFrequency: number,
): string | null {
  let updates = 0;
  let supersteps = 0;
  for (const [position, checkpoint] of checkpoints.entries()) {
    const where = `checkpoint ${position + 1} of ${checkpoints.length}`;
    supersteps += 1;
    if (checkpoint.parentId !== null && written.has(checkpoint.parentId)) updates += 1;
    const due = updates >= snapshotFrequency || supersteps >= MAX_SUPERSTEPS_SINCE_SNAPSHOT;
    const values = storedValues(checkpoint);
    const stored = values.get(expected.channel);
    if (stored?.kind === 'plain') return `Delta mode stored ${expected.channel} whole in ${where}.`;
    if (due !== (stored !== undefined)) {
      const found = due ? 'no snapshot' : 'a snapshot';
      return `Delta mode stored ${found} in ${where}, ${updates} updates after the last one, where K is ${snapshotFrequency}.`;
    }
    const elsewhere = wholeValueElsewhere(values, expected);
    if (elsewhere !== null)
      return `Delta mode stored the whole value again in channel ${elsewhere}, in ${where}.`;
    if (due) {
      updates = 0;
      supersteps = 0;
    }
  }
  return null;
}

/** The name of another channel that holds everything the channel under test does. */
function wholeValueElsewhere(
  values: ReturnType<typeof storedValues>,
  { channel, wholeValueMarks }: ModeExpectation,
): string | null {
  if (wholeValueMarks.length < 2) return null;
  for (const [name, value] of values) {
    if (name !== channel && wholeValueMarks.every((mark) => value.json.includes(mark))) return name;
  }
  return null;
}
