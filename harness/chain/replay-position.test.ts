import { expect, it } from 'vitest';
import type { StoredRecord } from './records.js';
import { replayPositions } from './replay-position.js';

/** A checkpoint row; `snapshots` are channel to value. */
function checkpoint(
  checkpointId: string,
  parentId: string | null,
  snapshots: Record<string, string> = {},
): StoredRecord {
  const values = Object.entries(snapshots).map(([channel, value]) => [
    channel,
    { lc: 2, type: 'delta_snapshot', value },
  ]);
  const payload = Buffer.from(JSON.stringify({ channel_values: Object.fromEntries(values) }));
  return { kind: 'checkpoint', namespace: '', checkpointId, parentId, payload, metadataBytes: 0 };
}

function write(checkpointId: string, channel = 'm'): StoredRecord {
  return { kind: 'write', namespace: '', checkpointId, taskId: 't', idx: 0, channel, valueBytes: 1 };
}

const snapshotBytes = (value: string) => JSON.stringify({ lc: 2, type: 'delta_snapshot', value }).length;

it('counts the supersteps that wrote the channel since its snapshot', () => {
  const rows = [
    checkpoint('3', '2'),
    write('3'),
    write('3'),
    checkpoint('4', '3', { m: 'abc' }),
    write('4', 'other'),
    checkpoint('5', '4'),
    write('5'),
    checkpoint('6', '5'),
    checkpoint('1', null),
    write('1'),
    checkpoint('2', '1'),
  ];
  const positions = replayPositions(rows, ['m']);
  const told = [...positions].map(([id, position]) => [
    id,
    position.updatesSinceSnapshot,
    position.seedBytes,
  ]);
  const bytes = snapshotBytes('abc');
  expect(told).toEqual([
    ['1', 0, 0],
    ['2', 1, 0],
    ['3', 1, 0],
    ['4', 0, bytes],
    ['5', 0, bytes],
    ['6', 1, bytes],
  ]);
  expect([...positions.values()].map(({ oldestSeedId }) => oldestSeedId)).toEqual([
    null,
    null,
    null,
    '4',
    '4',
    '4',
  ]);
  expect([...positions].filter(([, { storesSnapshot }]) => storesSnapshot).map(([id]) => id)).toEqual(['4']);
});

it('takes several channels together: the phase of the first, the bytes of all, the oldest seed', () => {
  const rows = [
    checkpoint('1', null, { m: 'first', n: 'x' }),
    write('1'),
    write('1', 'n'),
    checkpoint('2', '1', { m: 'second' }),
    write('2', 'n'),
    checkpoint('3', '2'),
  ];
  expect(replayPositions(rows, ['m', 'n']).get('3')).toEqual({
    storesSnapshot: false,
    updatesSinceSnapshot: 0,
    seedBytes: snapshotBytes('second') + snapshotBytes('x'),
    oldestSeedId: '1',
  });
  expect(replayPositions(rows, ['m', 'n', 'never']).get('3')?.oldestSeedId).toBeNull();
});

it('follows parents, not ids: a fork counts its own writes', () => {
  const rows = [
    checkpoint('1', null, { m: 'a' }),
    write('1'),
    checkpoint('2', '1'),
    write('2'),
    checkpoint('3', '2'),
    checkpoint('4', '1'),
  ];
  const positions = replayPositions(rows, ['m']);
  expect(positions.get('3')?.updatesSinceSnapshot).toBe(2);
  expect(positions.get('4')?.updatesSinceSnapshot).toBe(1);
});
