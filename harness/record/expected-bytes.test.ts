import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { exampleCase } from '../../fixtures/journals/rows.js';
import { append } from '../../fixtures/workloads/append.js';
import { storageStatistics, type StorageStatistics } from '../chain/storage-statistics.js';
import { openStore } from '../savers/saver.js';
import { BACKENDS_HERE, placeOf } from '../savers/store-places.support.test.js';
import type { ChannelsCase } from './case.js';
import { expectedBlobBytes, expectedInlineBytes, type ThreadShape } from './expected-bytes.js';

/** START -> noop on SQLite with 128 bytes of content per message. */
function shape(updates: number, snapshotFrequency: number | null): ThreadShape {
  return {
    updates,
    elementBytes: 325.5,
    checkpointEnvelopeBytes: 306,
    snapshotFrequency,
    heldAfter: [0, 1, 1],
  };
}

function relativeError(expected: number, stored: number): number {
  return Math.abs(expected / stored - 1);
}

/** Checkpoint payload bytes as SQLite held them, counted, not computed. */
const STORED = [
  { updates: 100, snapshotFrequency: null, bytes: 5_038_235 },
  { updates: 100, snapshotFrequency: 10, bytes: 303_399 },
  { updates: 100, snapshotFrequency: 100, bytes: 155_988 },
  { updates: 500, snapshotFrequency: null, bytes: 123_146_335 },
  { updates: 500, snapshotFrequency: 10, bytes: 4_787_159 },
] as const;

test.each(STORED)(
  'the closed form is within 1% of the $bytes bytes stored at N=$updates, K=$snapshotFrequency',
  ({ updates, snapshotFrequency, bytes }) => {
    const { checkpointPayload } = expectedInlineBytes(shape(updates, snapshotFrequency));

    expect(relativeError(checkpointPayload, bytes)).toBeLessThan(0.01);
  },
);

test('writes are exact, in both modes', () => {
  expect(expectedInlineBytes(shape(100, null)).writes).toBe(33_550);
  expect(expectedInlineBytes(shape(100, 10)).writes).toBe(33_550);
});

test('metadata is within 4% of what was stored', () => {
  expect(relativeError(expectedInlineBytes(shape(100, null)).metadata, 12_289)).toBeLessThan(0.04);
  expect(relativeError(expectedInlineBytes(shape(100, 10)).metadata, 36_278)).toBeLessThan(0.04);
});

test('the total is the sum of its parts and of 210 bytes for each of the six rows of an update', () => {
  const { checkpointPayload, writes, metadata, total } = expectedInlineBytes(shape(100, 10));

  expect(total).toBe(checkpointPayload + writes + metadata + 210 * 600);
});

test('the closed form gives these bytes for two updates, computed by hand', () => {
  // Full: 201 (3*4 + 1*2)/2 + 2*200 + 306*3*2. Delta, K=2: 201*2*1*2/2 + 400 + 1836.
  const small = { updates: 2, elementBytes: 200, checkpointEnvelopeBytes: 306, heldAfter: [0, 1, 1] };

  expect(expectedInlineBytes({ ...small, snapshotFrequency: null })).toEqual({
    checkpointPayload: 1407 + 400 + 1836,
    writes: 420,
    metadata: 252,
    total: 3643 + 420 + 252 + 2520,
  });
  expect(expectedInlineBytes({ ...small, snapshotFrequency: 2 })).toEqual({
    checkpointPayload: 402 + 400 + 1836,
    writes: 420,
    metadata: 750,
    total: 2638 + 420 + 750 + 2520,
  });
});

test('a cadence beyond the number of updates stores no snapshot', () => {
  expect(expectedInlineBytes(shape(9, 10)).checkpointPayload).toBe(9 * 325.5 + 306 * 27);
});

test.each([
  { mode: 'full', snapshotFrequency: null, payload: 5_038_235, metadata: 12_289 },
  { mode: 'delta', snapshotFrequency: 10, payload: 303_399, metadata: 36_278 },
] as const)(
  'the installed packages store exactly these bytes in 100 updates in $mode mode',
  async ({ mode, snapshotFrequency, payload, metadata }) => {
    const stored = await storedBytes(mode, snapshotFrequency);

    expect(stored).toMatchObject({
      checkpointRows: 300,
      writeRows: 300,
      checkpointPayloadBytes: payload,
      metadataBytes: metadata,
      writeBytes: 33_550,
    });
    expect(stored.writeBytesByChannel['messages']).toBe(32_750);
  },
);

describe.skipIf(!BACKENDS_HERE.includes('postgres'))('where a version is stored once', () => {
  test.each([
    { mode: 'full', snapshotFrequency: null, blobs: 1_682_450 },
    { mode: 'delta', snapshotFrequency: 10, blobs: 214_445 },
  ] as const)(
    '$mode stores these bytes, and the closed form is near',
    async ({ mode, snapshotFrequency, blobs }) => {
      const stored = await storedBytes(mode, snapshotFrequency, 'postgres');
      const expected = expectedBlobBytes(shape(100, snapshotFrequency));

      expect(stored).toMatchObject({
        checkpointRows: 300,
        writeRows: 300,
        blobRows: 500,
        blobBytes: blobs,
        writeBytes: 33_550,
      });
      expect(relativeError(expected.blobs, stored.blobBytes)).toBeLessThan(0.01);
      expect(relativeError(expected.checkpointPayload, stored.checkpointPayloadBytes)).toBeLessThan(0.02);
      expect(relativeError(expected.metadata, stored.metadataBytes)).toBeLessThan(0.04);
    },
  );
});

async function storedBytes(
  mode: 'full' | 'delta',
  snapshotFrequency: number | null,
  backend: 'sqlite' | 'postgres' = 'sqlite',
): Promise<StorageStatistics> {
  const folder = mkdtempSync(join(tmpdir(), 'expected-bytes-'));
  const store = await openStore(backend, placeOf(backend, folder));
  try {
    const c: ChannelsCase = exampleCase({
      mode,
      updates: 100,
      payload_bytes: 128,
      snapshot_frequency: snapshotFrequency,
    });
    const graph = append.buildGraph(c, { saver: store.saver, mode, snapshotFrequency });
    for (let update = 0; update < c.updates; update += 1) {
      await graph.invoke(append.input(c, update), { configurable: { thread_id: 't' } });
    }
    return storageStatistics(await store.records('t'));
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
