import { describe, expect, test } from 'vitest';
import { MAX_SUPERSTEPS_SINCE_SNAPSHOT, modeNotInEffect, type ChannelExpectation } from './mode-in-effect.js';
import type { CheckpointRecord, StoredRecord } from './records.js';

type Values = Record<string, unknown>;

function snapshot(value: unknown): unknown {
  return { lc: 2, type: 'delta_snapshot', value };
}

function ids(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `id-${index + 1}`);
}

/** A checkpoint of a chain: position 1 is its root. */
function checkpoint(position: number, channelValues: Values): CheckpointRecord {
  const name = (at: number) => `c${String(at).padStart(6, '0')}`;
  return {
    kind: 'checkpoint',
    namespace: '',
    checkpointId: name(position),
    parentId: position === 1 ? null : name(position - 1),
    payload: Buffer.from(JSON.stringify({ v: 4, channel_values: channelValues })),
    metadataBytes: 2,
  };
}

function write(checkpointId: string, channel = 'messages'): StoredRecord {
  return { kind: 'write', namespace: '', checkpointId, taskId: 't', idx: 0, channel, valueBytes: 1 };
}

/**
 * A thread as START -> noop leaves it: three checkpoints an update, the write at the first, applied from the second
 * on. `valuesAt` says what else stands in the checkpoint at a position, which holds `held` elements by then.
 */
function thread(updates: number, valuesAt: (position: number, held: number) => Values): StoredRecord[] {
  return Array.from({ length: updates * 3 }, (_, index) => {
    const [position, held] = [index + 1, Math.floor((index + 2) / 3)];
    const isInput = index % 3 === 0;
    const other = isInput ? { __start__: [`id-${held + 1}`] } : { 'branch:to:noop': null };
    const record = checkpoint(position, { ...other, ...valuesAt(position, held) });
    return isInput
      ? [record, write(record.checkpointId), write(record.checkpointId, 'branch:to:noop')]
      : [record, write(record.checkpointId, '__no_writes__')];
  }).flat();
}

function fullThread(updates: number, planted: Record<number, Values> = {}): StoredRecord[] {
  return thread(updates, (position, held) => planted[position] ?? { messages: ids(held) });
}

/** Snapshots at the checkpoint that applies every Kth update: position 3 K - 1, 6 K - 1, and so on. */
function deltaThread(updates: number, k: number, planted: Record<number, Values> = {}): StoredRecord[] {
  return thread(updates, (position, held) => {
    const due = position % 3 === 2 && held % k === 0;
    return planted[position] ?? (due ? { messages: snapshot(ids(held)) } : {});
  });
}

function expectation(updates: number, snapshotFrequency: number | null): ChannelExpectation {
  const wholeValueMarks = ['id-1', `id-${updates}`];
  return { channel: 'messages', snapshotFrequency, updates, wholeValueMarks };
}

describe('full mode', () => {
  test('a thread that holds the whole value everywhere is in full mode, in whatever order its rows come', () => {
    expect(modeNotInEffect(fullThread(4), expectation(4, null))).toBeNull();
    expect(modeNotInEffect(fullThread(4).toReversed(), expectation(4, null))).toBeNull();
  });

  test('a message that speaks of snapshots, as data or in its text, is no snapshot', () => {
    const talk = { messages: [snapshot([]), '"delta_snapshot"', ...ids(2)] };

    expect(modeNotInEffect(fullThread(2, { 3: talk, 6: talk }), expectation(2, null))).toBeNull();
  });

  test('a snapshot is evidence, with its place', () => {
    expect(modeNotInEffect(fullThread(2, { 5: { messages: snapshot([]) } }), expectation(2, null))).toBe(
      'Full mode stored a snapshot of messages in checkpoint 5 of 6.',
    );
  });

  test('a snapshot of another channel is none of messages', () => {
    const planted = { 5: { messages: ids(2), files: snapshot([]) } };

    expect(modeNotInEffect(fullThread(2, planted), expectation(2, null))).toBeNull();
  });

  test('a checkpoint without the value, with an empty one or with a mere name for it is evidence', () => {
    const sentence = (at: number) => `Full mode did not store messages whole in checkpoint ${at} of 6.`;

    expect(modeNotInEffect(fullThread(2, { 6: {} }), expectation(2, null))).toBe(sentence(6));
    expect(modeNotInEffect(fullThread(2, { 3: {} }), expectation(2, null))).toBe(sentence(3));
    expect(modeNotInEffect(fullThread(2, { 3: { messages: [] } }), expectation(2, null))).toBe(sentence(3));
    expect(modeNotInEffect(fullThread(2, { 3: { messages: 'ref' } }), expectation(2, null))).toBe(
      sentence(3),
    );
  });

  test('a newest checkpoint that lacks the last element is evidence', () => {
    expect(modeNotInEffect(fullThread(2, { 6: { messages: ids(1) } }), expectation(2, null))).toBe(
      'Full mode did not store messages whole in checkpoint 6 of 6.',
    );
  });
});

describe('delta mode', () => {
  test.each([
    [7, 1],
    [7, 2],
    [7, 3],
    [7, 7],
    [7, 100],
  ])('%i updates with snapshots where K=%i puts them are in delta mode', (updates, k) => {
    const rows = deltaThread(updates, k);

    expect(modeNotInEffect(rows, expectation(updates, k))).toBeNull();
    expect(modeNotInEffect(rows.toReversed(), expectation(updates, k))).toBeNull();
  });

  test('a snapshot that is missing is evidence', () => {
    expect(modeNotInEffect(deltaThread(5, 2, { 11: {} }), expectation(5, 2))).toBe(
      'Delta mode stored no snapshot of messages in checkpoint 11 of 15, 2 updates after the last one, where K is 2.',
    );
  });

  test('a snapshot that is early is evidence', () => {
    const early = { 8: { messages: snapshot(ids(3)) } };

    expect(modeNotInEffect(deltaThread(5, 2, early), expectation(5, 2))).toBe(
      'Delta mode stored a snapshot of messages in checkpoint 8 of 15, 1 updates after the last one, where K is 2.',
    );
  });

  test('a snapshot one checkpoint late is evidence of the one that is missing', () => {
    const late = { 5: {}, 6: { messages: snapshot(ids(2)) } };

    expect(modeNotInEffect(deltaThread(5, 2, late), expectation(5, 2))).toBe(
      'Delta mode stored no snapshot of messages in checkpoint 5 of 15, 2 updates after the last one, where K is 2.',
    );
  });

  test('snapshots of another cadence are evidence', () => {
    expect(modeNotInEffect(deltaThread(4, 1), expectation(4, 2))).toMatch(
      /^Delta mode stored a snapshot of messages in /,
    );
    expect(modeNotInEffect(deltaThread(4, 4), expectation(4, 2))).toMatch(
      /^Delta mode stored no snapshot of messages in /,
    );
  });

  test('the whole value as a plain one is evidence, due or not', () => {
    expect(modeNotInEffect(fullThread(4), expectation(4, 2))).toMatch(
      /^Delta mode stored messages whole in /,
    );
    expect(modeNotInEffect(deltaThread(4, 2, { 9: { messages: ids(3) } }), expectation(4, 2))).toBe(
      'Delta mode stored messages whole in checkpoint 9 of 12.',
    );
    expect(modeNotInEffect(deltaThread(4, 2, { 11: { messages: ids(4) } }), expectation(4, 2))).toBe(
      'Delta mode stored messages whole in checkpoint 11 of 12.',
    );
  });

  test('the whole value in another channel is evidence, plain or as a snapshot', () => {
    const sentence = 'Delta mode stored messages whole again in channel copy, in checkpoint 12 of 12.';

    for (const copy of [ids(4), snapshot(ids(4)), { nested: [ids(4)] }]) {
      expect(modeNotInEffect(deltaThread(4, 2, { 12: { copy } }), expectation(4, 2))).toBe(sentence);
    }
  });

  test('a part of the value in another channel is what inputs look like', () => {
    const part = { copy: ids(4).slice(1) };

    expect(modeNotInEffect(deltaThread(4, 2, { 12: part }), expectation(4, 2))).toBeNull();
  });

  test('a value of one element cannot be told from its input', () => {
    const one = { ...expectation(1, 10), wholeValueMarks: ['id-1'] };

    expect(modeNotInEffect(deltaThread(1, 10, { 3: { copy: ids(1) } }), one)).toBeNull();
  });
});

describe('the number of updates', () => {
  test.each([
    ['full', fullThread(3), null],
    ['delta', deltaThread(3, 2), 2],
  ] as const)(
    'rows of more or fewer updates than the workload made are evidence in %s mode',
    (_, rows, k) => {
      expect(modeNotInEffect(rows, expectation(4, k))).toBe(
        'Channel messages was written in 3 supersteps; the workload writes it in 4.',
      );
      expect(modeNotInEffect(rows, expectation(2, k))).toBe(
        'Channel messages was written in 3 supersteps; the workload writes it in 2.',
      );
    },
  );

  test('parallel writes of one superstep are one update', () => {
    const rows = [...deltaThread(3, 2), write('c000001'), write('c000001')];

    expect(modeNotInEffect(rows, expectation(3, 2))).toBeNull();
  });
});

describe('the bound of supersteps', () => {
  /** One update, then checkpoints without any; snapshots at the given positions. */
  function idle(checkpoints: number, snapshotsAt: readonly number[]): StoredRecord[] {
    const rows = Array.from({ length: checkpoints }, (_, index) =>
      checkpoint(index + 1, snapshotsAt.includes(index + 1) ? { messages: snapshot(['id-1']) } : {}),
    );
    return [...rows, write('c000001')];
  }
  const expected = { ...expectation(1, 1_000_000), wholeValueMarks: [] };

  test('is 5000', () => {
    expect(MAX_SUPERSTEPS_SINCE_SNAPSHOT).toBe(5000);
  });

  test('forces a snapshot, and starts over there', () => {
    expect(modeNotInEffect(idle(4999, []), expected)).toBeNull();
    expect(modeNotInEffect(idle(5000, [5000]), expected)).toBeNull();
    expect(modeNotInEffect(idle(10_000, [5000, 10_000]), expected)).toBeNull();
  });

  test('makes a snapshot that is missing, early or not repeated evidence', () => {
    const sentence = (found: string, at: number, updates: number, of: number) =>
      `Delta mode stored ${found} of messages in checkpoint ${at} of ${of}, ${updates} updates after the last one, where K is 1000000.`;

    expect(modeNotInEffect(idle(5000, []), expected)).toBe(sentence('no snapshot', 5000, 1, 5000));
    expect(modeNotInEffect(idle(5000, [4999]), expected)).toBe(sentence('a snapshot', 4999, 1, 5000));
    expect(modeNotInEffect(idle(10_000, [5000]), expected)).toBe(sentence('no snapshot', 10_000, 0, 10_000));
  });
});
