import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exampleCase } from '../../fixtures/journals/rows.js';
import { dropsThirdPutWrites } from '../../fixtures/faults/drops-third-put-writes.js';
import {
  alwaysDelta,
  copiesElsewhere,
  ignoresMode,
  otherCadence,
} from '../../fixtures/faults/graphs-off-mode.js';
import { WORKLOAD_SUBJECTS } from '../../fixtures/workloads/registry.js';
import type { WorkloadSubject } from '../../fixtures/workloads/workload.js';
import { PeakRss } from '../../harness/process/usage.js';
import type { ChannelsCase } from '../../harness/record/case.js';
import { channelsMeasurementSchema } from '../../harness/record/channels-measurement.js';
import { openMemory } from '../../harness/savers/memory.js';
import { openStore } from '../../harness/savers/saver.js';
import { measureReader, measureWriter, type Subject } from './measure.js';

const { append } = WORKLOAD_SUBJECTS;

const CASE: ChannelsCase = exampleCase({
  backend: 'memory',
  mode: 'delta',
  updates: 7,
  payload_bytes: 32,
  snapshot_frequency: 3,
  seed: 1,
});
const FULL: ChannelsCase = { ...CASE, mode: 'full', snapshot_frequency: null };

let storeDir = '';
beforeEach(() => {
  storeDir = mkdtempSync(join(tmpdir(), 'deltaproof-test-'));
});
afterEach(() => rmSync(storeDir, { recursive: true, force: true }));

function measure(
  c: ChannelsCase,
  subject: Partial<Subject> & { graph?: WorkloadSubject['buildGraph'] } = {},
) {
  const workload = subject.graph === undefined ? append : { ...append, buildGraph: subject.graph };
  const open = subject.open ?? (() => openStore(c.backend, { dir: storeDir, server: null }));
  return measureWriter(c, { workload, open }, new PeakRss());
}

describe('a right state', () => {
  it.each([
    ['memory', FULL],
    ['memory', CASE],
    ['sqlite', FULL],
    ['sqlite', CASE],
  ] as const)('on %s gives one digest, however it is read (case %#)', async (backend, base) => {
    const c: ChannelsCase = { ...base, backend };
    const { failure, measurement } = await measure(c);
    expect(failure).toBeNull();
    expect(channelsMeasurementSchema.parse(measurement)).toEqual(measurement);
    const { cold_process: _, ...digests } = measurement.materialized_sha256;
    const read = Object.values(digests).filter((digest) => digest !== null);
    expect(read).toHaveLength(backend === 'sqlite' ? 5 : 4);
    expect(new Set(read.map((digest) => digest.sha256)).size).toBe(1);
    expect(read[0]?.count).toBe(7);
  });

  it('is read by a fresh opening of the store, timed once', async () => {
    const c: ChannelsCase = { ...CASE, backend: 'sqlite' };
    const { measurement } = await measure(c);
    const subject = { workload: append, open: () => openStore('sqlite', { dir: storeDir, server: null }) };
    const read = await measureReader(c, subject);
    expect(read.failure).toBeNull();
    expect(read.state).toEqual(measurement.materialized_sha256.expected);
    expect(read.cold_process_read_ms).toBeGreaterThan(0);
  });

  it('has a reason for everything that its backend cannot do', async () => {
    const { measurement } = await measure(CASE);
    expect(measurement.metrics.cold_reopened_read_ms).toBeNull();
    expect(measurement.unavailable['metrics.cold_reopened_read_ms']).toMatch(/^not_applicable: /);
    const nulls = Object.entries(measurement.metrics).flatMap(([name, value]) =>
      value === null ? [`metrics.${name}`] : [],
    );
    expect(nulls.filter((name) => measurement.unavailable[name] === undefined)).toEqual([]);
  });
});

describe('a wrong state is refused, with the first differing message and field', () => {
  it('when the saver drops a write', async () => {
    const store = await openMemory();
    const liar = { ...store, saver: dropsThirdPutWrites(store.saver) };
    const { failure } = await measure(CASE, { open: async () => liar });
    expect(failure).toMatchObject({
      reason: 'wrong_state',
      difference: { reading: 'live', channel: 'messages', position: '1' },
    });
  });

  it.each([
    ['content', (m: Record<string, unknown>) => ({ content: `${String(m['content'])}!` }), 'content'],
    ['id', () => ({ id: 'another' }), 'id'],
    ['name', () => ({ name: 'someone' }), 'name'],
    ['response_metadata', () => ({ response_metadata: { model: 'x' } }), 'response_metadata'],
  ])('when a message comes back with another %s', async (_, change, field) => {
    const state: WorkloadSubject['state'] = (value) => {
      const messages = (append.state(value)['messages'] ?? []) as Record<string, unknown>[];
      return {
        messages: messages.map((message, index) =>
          index === 4 ? { ...message, ...change(message) } : message,
        ),
      };
    };
    const report = await measureWriter(
      CASE,
      { workload: { ...append, state }, open: () => openStore('memory', { dir: storeDir, server: null }) },
      new PeakRss(),
    );
    expect(report.failure).toMatchObject({ reason: 'wrong_state', difference: { position: '4', field } });
    expect(report.failure?.message).toMatch(/^The state read live differs in messages at 4 \(id /);
  });
});

describe('a mode that was not in effect is refused', () => {
  it.each([
    ['a graph that is full where delta is due', CASE, ignoresMode, 'Delta mode stored messages whole'],
    [
      'a graph that is delta where full is due',
      FULL,
      alwaysDelta,
      'Full mode did not store messages whole in checkpoint 2',
    ],
    ['a graph with another cadence', CASE, otherCadence, 'Delta mode stored no snapshot'],
    [
      'a graph that stores the value again',
      CASE,
      copiesElsewhere,
      'Delta mode stored messages whole again in channel copy',
    ],
  ])('for %s', async (_, c, graph, message) => {
    const { failure } = await measure(c, { graph });
    expect(failure).toMatchObject({
      reason: 'mode_not_in_effect',
      message: expect.stringContaining(message),
    });
  });
});

describe('what was stored', () => {
  const FIGURES = { ...CASE, backend: 'sqlite', updates: 100, payload_bytes: 128 } as const;

  it.each([
    ['full', null, 5_038_235, 0],
    ['delta', 10, 303_399, 10],
    ['delta', 100, 155_988, 1],
  ] as const)('is exact in %s mode, K=%s', async (mode, snapshot_frequency, payloadBytes, snapshots) => {
    const c: ChannelsCase = { ...FIGURES, mode, snapshot_frequency, payload_entropy: 'repeat' };
    const { failure, measurement } = await measure(c);
    expect(failure).toBeNull();
    expect(measurement.metrics).toMatchObject({
      checkpoint_payload_bytes: payloadBytes,
      snapshot_count: snapshots,
      checkpoint_rows: 300,
      write_rows: 300,
      checkpoints_per_update: 3,
      blob_rows: 0,
      blob_bytes: 0,
      write_bytes: 33_550,
    });
    expect(measurement.write_bytes_by_channel).toEqual({
      __no_writes__: 400,
      'branch:to:noop': 400,
      messages: 32_750,
    });
    expect(measurement.file_bytes?.after_truncate.wal).toBe(0);
  });

  it('does not depend on the entropy of the text', async () => {
    const bytes = await Promise.all(
      (['words', 'random'] as const).map(async (payload_entropy) => {
        const { measurement } = await measure({ ...CASE, payload_entropy });
        return measurement.metrics.checkpoint_payload_bytes;
      }),
    );
    expect(bytes[0]).toBe(bytes[1]);
  });

  it('leaves the timing and says why when checkpoints are in another encoding', async () => {
    const store = await openMemory();
    const encoded = async () =>
      Array.from(await store.records('deltaproof'), (record) =>
        record.kind === 'checkpoint' ? { ...record, payload: Buffer.from([0x82, 0xa1, 0x76]) } : record,
      );
    const { failure, measurement } = await measure(FULL, {
      open: async () => ({ ...store, records: encoded }),
    });
    expect(failure).toBeNull();
    expect(measurement.mode_verdict).toBe('undecided');
    expect(measurement.storage_stats_error).toMatch(/^The stored checkpoints are not understood: /);
    expect(measurement.metrics.write_p50_ms).toBeGreaterThan(0);
  });

  it('is null with its error when the rows are not laid out as expected, and the timing stays', async () => {
    const open = async () => ({
      ...(await openMemory()),
      records: () => {
        throw new Error('no such column: checkpoint');
      },
    });
    const { failure, measurement } = await measure(CASE, { open });
    expect(failure).toBeNull();
    expect(measurement.storage_stats_error).toMatch(/no such column: checkpoint$/);
    expect(measurement.metrics.checkpoint_rows).toBeNull();
    expect(measurement.metrics.write_p50_ms).toBeGreaterThan(0);
    expect(measurement.unavailable['metrics.checkpoint_rows']).toBe('see storage_stats_error');
  });
});
