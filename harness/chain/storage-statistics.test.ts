import { expect, test } from 'vitest';
import type { StoredRecord } from './records.js';
import { storageStatistics } from './storage-statistics.js';

function checkpoint(id: string, channelValues: string, metadataBytes = 10): StoredRecord {
  const payload = Buffer.from(`{"channel_values":${channelValues}}`);
  return { kind: 'checkpoint', namespace: '', checkpointId: id, parentId: null, payload, metadataBytes };
}

function write(channel: string, valueBytes: number, checkpointId = 'c1'): StoredRecord {
  return { kind: 'write', namespace: '', checkpointId, taskId: 't', idx: 0, channel, valueBytes };
}

const SNAPSHOT = '{"lc":2,"type":"delta_snapshot","value":["é"]}';

test('a thread without rows has nothing', () => {
  expect(storageStatistics([])).toEqual({
    checkpointRows: 0,
    writeRows: 0,
    blobRows: 0,
    snapshotCount: 0,
    checkpointPayloadBytes: 0,
    blobBytes: 0,
    snapshotBytes: 0,
    metadataBytes: 0,
    writeBytes: 0,
    writeBytesByChannel: {},
  });
});

/** The envelope of a payload is 19 bytes, a snapshot of é 47. */
const ROWS: readonly StoredRecord[] = [
  checkpoint('c1', '{"messages":["é"]}', 7),
  write('messages', 100),
  checkpoint('c2', `{"messages":${SNAPSHOT}}`, 11),
  write('branch:to:noop', 4, 'c2'),
  write('messages', 23, 'c2'),
  checkpoint('c3', `{"messages":${SNAPSHOT},"files":${SNAPSHOT},"n":1}`),
  write('empty', 0, 'c3'),
];

const STATISTICS = {
  checkpointRows: 3,
  writeRows: 4,
  blobRows: 0,
  blobBytes: 0,
  snapshotCount: 3,
  checkpointPayloadBytes: 19 + 19 + (19 + 13 + 47) + (19 + 13 + 47 + 9 + 47 + 6),
  snapshotBytes: 3 * 47,
  metadataBytes: 28,
  writeBytes: 127,
  writeBytesByChannel: { 'branch:to:noop': 4, empty: 0, messages: 123 },
};

test('rows and bytes are counted by kind, bytes and not characters', () => {
  expect(storageStatistics(ROWS)).toEqual(STATISTICS);
});

test('the order of rows does not matter, and channels are listed by name', () => {
  const reversed = storageStatistics(ROWS.toReversed());

  expect(reversed).toEqual(STATISTICS);
  expect(Object.keys(reversed.writeBytesByChannel)).toEqual(['branch:to:noop', 'empty', 'messages']);
});

test('blobs are rows of their own, and snapshots in them count', () => {
  const bare = checkpoint('c1', '{"v":4}', 7) as Extract<StoredRecord, { kind: 'checkpoint' }>;
  const blob = (channel: string, type: string, text: string) => ({
    channel,
    version: '1',
    type,
    payload: Buffer.from(text),
  });
  const blobs = [blob('messages', 'json', SNAPSHOT), blob('n', 'json', '1'), blob('gone', 'empty', '')];

  expect(storageStatistics([{ ...bare, blobs }])).toMatchObject({
    checkpointRows: 1,
    checkpointPayloadBytes: bare.payload.length,
    blobRows: 3,
    blobBytes: 48,
    snapshotCount: 1,
    snapshotBytes: 47,
  });
});

test('words about snapshots inside a message are no snapshot', () => {
  const talk = checkpoint('c1', '{"messages":[{"lc":2,"type":"delta_snapshot"},"\\"delta_snapshot\\""]}');

  expect(storageStatistics([talk])).toMatchObject({ snapshotCount: 0, snapshotBytes: 0 });
});

test('a channel of any name is counted as itself', () => {
  const { writeBytesByChannel } = storageStatistics([write('__proto__', 5), write('constructor', 6)]);

  expect(Object.entries(writeBytesByChannel)).toEqual([
    ['__proto__', 5],
    ['constructor', 6],
  ]);
});

test('a payload is parsed only where it may hold a snapshot, and then a damaged one is an error', () => {
  const damaged = (text: string): StoredRecord => ({
    ...(checkpoint('c1', '{}') as Extract<StoredRecord, { kind: 'checkpoint' }>),
    payload: Buffer.from(text),
  });

  expect(storageStatistics([damaged('not JSON')]).checkpointPayloadBytes).toBe(8);
  expect(() => storageStatistics([damaged('"delta_snapshot"{')])).toThrow(SyntaxError);
  expect(() => storageStatistics([damaged('["delta_snapshot"]')])).toThrow(/no channel_values/);
});
