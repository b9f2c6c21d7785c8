// Whether the stored rows of a linear thread are what its mode and cadence promise: snapshots where the cadence puts
// them and the whole value nowhere else in delta, no snapshot in full. Evidence or nothing. Pure.

import { storedValues, type CheckpointRecord, type StoredRecord, type StoredValue } from './records.js';

/** A snapshot is forced after this many supersteps, whatever the cadence (LangGraph's default bound). */
export const MAX_SUPERSTEPS_SINCE_SNAPSHOT = 5000;

/** The channel of the input; what stands there was passed in and says nothing about the mode. */
const INPUT_CHANNEL = '__start__';

export interface ChannelExpectation {
  readonly channel: string;
  /** K in delta mode; null in full mode. */
  readonly snapshotFrequency: number | null;
  /** In how many supersteps the workload writes the channel; null where that is not known. */
  readonly updates: number | null;
  /** Which of them, counted from 1, overwrite the channel, which forces a snapshot; null where that is not known. */
  readonly overwrittenBy?: ReadonlySet<number> | null;
  /** Texts that only the whole value contains all of, such as the ids of its first and last element. */
  readonly wholeValueMarks?: readonly string[];
}

/**
 * A whole sentence of evidence that the mode of one channel was not in effect, or null. For one thread without forks.
 *
 * The counters follow LangGraph's `counters_since_delta_snapshot`: at each checkpoint supersteps grow by one and
 * updates by one if the parent holds a write to the channel; at `updates >= K`, at the superstep bound or after an
 * overwrite a snapshot is stored there and both start over.
 */
export function modeNotInEffect(
  records: Iterable<StoredRecord>,
  expected: ChannelExpectation,
): string | null {
  const checkpoints: CheckpointRecord[] = [];
  const written = new Set<string>();
  for (const record of records) {
    // A subgraph has channels of its own.
    if (record.namespace !== '') continue;
    if (record.kind === 'checkpoint') checkpoints.push(record);
    else if (record.channel === expected.channel) written.add(record.checkpointId);
  }
  if (expected.updates !== null && written.size !== expected.updates) {
    return `Channel ${expected.channel} was written in ${written.size} supersteps; the workload writes it in ${expected.updates}.`;
  }
  checkpoints.sort((a, b) => (a.checkpointId < b.checkpointId ? -1 : 1));
  return expected.snapshotFrequency === null
    ? fullNotInEffect(checkpoints, written, expected)
    : deltaNotInEffect(checkpoints, written, expected, expected.snapshotFrequency);
}

function fullNotInEffect(
  checkpoints: readonly CheckpointRecord[],
  written: ReadonlySet<string>,
  { channel, wholeValueMarks = [] }: ChannelExpectation,
): string | null {
  let wasWritten = false;
  let last: StoredValue | undefined;
  for (const [position, checkpoint] of checkpoints.entries()) {
    const where = `checkpoint ${position + 1} of ${checkpoints.length}`;
    wasWritten ||= checkpoint.parentId !== null && written.has(checkpoint.parentId);
    // Where a version is stored once, a checkpoint without a new one has that of the checkpoint before.
    const isCarried = checkpoint.carried?.has(channel) === true;
    const stored: StoredValue | undefined =
      storedValues(checkpoint).get(channel) ?? (isCarried ? last : undefined);
    last = stored;
    if (stored?.kind === 'snapshot') return `Full mode stored a snapshot of ${channel} in ${where}.`;
    const holds = stored !== undefined && /^[[{][^\]}]/.test(stored.json);
    const isHead = position === checkpoints.length - 1;
    const lacks = isHead && !wholeValueMarks.every((mark) => stored?.json.includes(mark));
    if (wasWritten && (!holds || lacks)) return `Full mode did not store ${channel} whole in ${where}.`;
  }
  return null;
}

function deltaNotInEffect(
  checkpoints: readonly CheckpointRecord[],
  written: ReadonlySet<string>,
  expected: ChannelExpectation,
  snapshotFrequency: number,
): string | null {
  const { channel } = expected;
  let ordinal = 0;
  let updates = 0;
  let supersteps = 0;
  for (const [position, checkpoint] of checkpoints.entries()) {
    const where = `checkpoint ${position + 1} of ${checkpoints.length}`;
    const wrote = checkpoint.parentId !== null && written.has(checkpoint.parentId);
    supersteps += 1;
    if (wrote) {
      ordinal += 1;
      updates += 1;
    }
    const overwritten = wrote && expected.overwrittenBy?.has(ordinal) === true;
    const bounded = supersteps >= MAX_SUPERSTEPS_SINCE_SNAPSHOT && ordinal > 0;
    const due = updates >= snapshotFrequency || overwritten || bounded;
    const values = storedValues(checkpoint);
    const stored = values.get(channel);
    if (stored?.kind === 'plain') return `Delta mode stored ${channel} whole in ${where}.`;
    const isAllowed = expected.overwrittenBy === null && wrote && stored !== undefined;
    if (due !== (stored !== undefined) && !isAllowed) {
      const found = due ? 'no snapshot' : 'a snapshot';
      return `Delta mode stored ${found} of ${channel} in ${where}, ${updates} updates after the last one, where K is ${snapshotFrequency}.`;
    }
    const elsewhere = wholeValueElsewhere(values, expected);
    if (elsewhere !== null)
      return `Delta mode stored ${channel} whole again in channel ${elsewhere}, in ${where}.`;
    if (due || isAllowed) {
      updates = 0;
      supersteps = 0;
    }
  }
  return null;
}

/** The name of another channel that holds everything the channel under test does. */
function wholeValueElsewhere(
  values: ReadonlyMap<string, StoredValue>,
  { channel, wholeValueMarks = [] }: ChannelExpectation,
): string | null {
  if (wholeValueMarks.length < 2) return null;
  for (const [name, value] of values) {
    if (name === channel || name === INPUT_CHANNEL) continue;
    if (wholeValueMarks.every((mark) => value.json.includes(mark))) return name;
  }
  return null;
}
