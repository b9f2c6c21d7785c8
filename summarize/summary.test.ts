import { expect, test } from 'vitest';
import {
  deltaRow,
  exampleDigest,
  exampleMachine,
  exampleProvenance,
  failedBecause,
  fullRow,
  journalRows,
  type RowOverrides,
} from '../fixtures/journals/rows.js';
import type { Row } from '../harness/record/row.js';
import { summarizeRows } from './summary.js';
import type { GroupSummary } from './summary-shape.js';

function groupsOf(...journals: readonly Row[][]): readonly GroupSummary[] {
  return summarizeRows(
    journals.map((rows) => journalRows(rows)),
    ['write_p50_ms', 'logical_bytes'],
  ).groups;
}

function liveState(digit: string): RowOverrides {
  const digest = exampleDigest(digit);
  const other = { expected: null, warm: null, cold_graph: null, cold_reopened: null, cold_process: null };
  return { measurement: { oracle: 'live', materialized_sha256: { ...other, live: digest } } };
}

test('successful rows without a measurement name no oracle, so their pair is void', () => {
  const rows = [
    fullRow(1, {}, { measurement: null }),
    deltaRow(10, 1, { write_p50_ms: 5 }, { measurement: null }),
  ];

  expect(groupsOf(rows)).toMatchObject([{ paired_repetitions: 0, voided_pairs: 1 }]);
});

test('medians are over paired rows only', () => {
  const rows = [
    fullRow(1, { write_p50_ms: 10 }),
    deltaRow(10, 1, { write_p50_ms: 5 }),
    fullRow(2, { write_p50_ms: 1000 }),
    deltaRow(10, 3, { write_p50_ms: 1000 }),
  ];

  expect(groupsOf(rows)).toMatchObject([
    {
      paired_repetitions: 1,
      metrics: { write_p50_ms: { full_median: 10, delta_median: 5, ratio_median: 0.5 } },
    },
  ]);
});

test('failed, profiled and voided rows reach no median, and are counted', () => {
  const rows = [
    fullRow(1, { write_p50_ms: 10 }, liveState('a')),
    deltaRow(10, 1, { write_p50_ms: 5 }, liveState('a')),
    fullRow(2, { write_p50_ms: 1000 }, liveState('a')),
    deltaRow(10, 2, { write_p50_ms: 1 }, { ...liveState('a'), ...failedBecause('wrong_state') }),
    fullRow(3, { write_p50_ms: 1000 }, liveState('a')),
    deltaRow(10, 3, { write_p50_ms: 1 }, { ...liveState('a'), profiled: true }),
    fullRow(4, { write_p50_ms: 1000 }, liveState('a')),
    deltaRow(10, 4, { write_p50_ms: 1 }, liveState('b')),
  ];

  const summary = summarizeRows([journalRows(rows)], ['write_p50_ms']);

  expect(summary.groups).toMatchObject([
    {
      paired_repetitions: 1,
      failed_rows: 1,
      profiled_rows: 1,
      voided_pairs: 1,
      metrics: {
        write_p50_ms: { full_median: 10, full_n: 1, delta_median: 5, delta_n: 1, ratio_median: 0.5 },
      },
    },
  ]);
  expect(summary.rows).toEqual({
    total: 8,
    latest: 8,
    failed: 1,
    profiled: 1,
    mode_undecided: 0,
    usable_full: 4,
    usable_delta: 2,
    voided_pairs: 1,
    torn_lines: 0,
    skipped_lines: 0,
  });
  expect(summary.failures).toEqual([
    {
      case: 'channels/append/sqlite/n25/p256/words/s42/delta-k10/r2',
      journal: 'run.jsonl',
      reason: 'wrong_state',
      message: 'The child ended badly.',
    },
  ]);
  expect(summary.voids).toEqual([
    {
      cell: 'channels/append/sqlite/n25/p256/words/s42',
      snapshot_frequency: 10,
      history_cache: 'off',
      repetition: 4,
      journal: 'run.jsonl',
      reason: 'full holds 25 messages (aaaaaaaaaaaa), delta 25 (bbbbbbbbbbbb)',
    },
  ]);
});

test('a failed or profiled full row counts at every cadence of its cell, and a delta row only at its own', () => {
  const rows = [
    fullRow(1, {}, failedBecause('timed_out')),
    fullRow(2, {}, { profiled: true }),
    fullRow(3, {}, { case: { updates: 50 }, ...failedBecause('silent') }),
    deltaRow(10, 1),
    deltaRow(50, 1, {}, failedBecause('silent')),
    deltaRow(50, 2, {}, { profiled: true }),
  ];

  expect(groupsOf(rows)).toMatchObject([
    { updates: 25, snapshot_frequency: 10, failed_rows: 1, profiled_rows: 1 },
    { updates: 25, snapshot_frequency: 50, failed_rows: 2, profiled_rows: 2 },
    { updates: 50, snapshot_frequency: null, failed_rows: 1, profiled_rows: 0 },
  ]);
});

test('a case that was run again counts by its last row', () => {
  const rows = [
    fullRow(1, { write_p50_ms: 10 }),
    deltaRow(10, 1, {}, failedBecause('wrong_state')),
    deltaRow(10, 1, { write_p50_ms: 5 }),
  ];

  const summary = summarizeRows([journalRows(rows)], ['write_p50_ms']);

  expect(summary.groups).toMatchObject([{ paired_repetitions: 1, failed_rows: 0 }]);
  expect(summary.failures).toEqual([]);
  expect(summary.rows).toMatchObject({ total: 3, latest: 2, failed: 0 });
});

test('a failed row that does not say why is listed all the same', () => {
  const summary = summarizeRows([journalRows([fullRow(1, {}, { success: false })])], []);

  expect(summary.failures).toMatchObject([{ reason: 'unstated' }]);
});

test('cells without a pair appear with 0 pairs and no number', () => {
  expect(groupsOf([fullRow(1, { write_p50_ms: 1, logical_bytes: 1 })])).toEqual([
    {
      bench: 'channels',
      workload: 'append',
      pipeline_nodes: null,
      service: null,
      backend: 'sqlite',
      updates: 25,
      payload_bytes: 256,
      payload_entropy: 'words',
      seed: 42,
      snapshot_frequency: null,
      history_cache: null,
      paired_repetitions: 0,
      failed_rows: 0,
      voided_pairs: 0,
      snapshot_write_spike_basis: null,
      cache_effect_ms: { full: null, delta: null },
      turn_parts: { full: null, delta: null },
      profiled_rows: 0,
      metrics: { write_p50_ms: emptyMetric('ms'), logical_bytes: emptyMetric('bytes') },
      raw_over_cached: {},
    },
  ]);
});

function emptyMetric(unit: string): unknown {
  return {
    unit,
    full_median: null,
    full_n: 0,
    delta_median: null,
    delta_n: 0,
    ratio_median: null,
    ratio_n: 0,
    ratio_min: null,
    ratio_max: null,
    ratio_low: null,
    ratio_high: null,
    ratio_coverage: null,
    ratio_method: null,
    outcome: 'too_few_to_tell',
  };
}

test('pairs of several journals are pooled, and never made across journals', () => {
  const monday = [fullRow(1, { write_p50_ms: 10 }), deltaRow(10, 1, { write_p50_ms: 5 }), fullRow(2)];
  const tuesday = [fullRow(1, { write_p50_ms: 32 }), deltaRow(10, 1, { write_p50_ms: 8 }), deltaRow(10, 3)];

  expect(groupsOf(monday, tuesday)).toMatchObject([
    {
      paired_repetitions: 2,
      metrics: { write_p50_ms: { full_median: 21, delta_median: 6.5, ratio_median: 0.375, ratio_n: 2 } },
    },
  ]);
  expect(groupsOf([fullRow(1)], [deltaRow(10, 1)])).toMatchObject([{ paired_repetitions: 0 }]);
});

test('groups are in the order of their numbers, names first', () => {
  const delta = (cadence: number, c: RowOverrides['case']) => deltaRow(cadence, 1, {}, { case: c ?? {} });
  const rows = [
    delta(100, { updates: 100 }),
    delta(25, { updates: 100 }),
    delta(100, { updates: 25 }),
    delta(25, { updates: 25, payload_bytes: 1024 }),
    delta(25, { updates: 25, payload_bytes: 256, seed: 10 }),
    delta(25, { updates: 25, payload_bytes: 256, seed: 9 }),
    delta(25, { updates: 25, payload_bytes: 256, payload_entropy: 'random' }),
    delta(25, { updates: 1000, backend: 'memory' }),
    fullRow(1, {}, { case: { updates: 9 } }),
  ];

  const order = groupsOf(rows).map((group) => [
    group.backend,
    group.updates,
    group.payload_bytes,
    group.payload_entropy,
    group.seed,
    group.snapshot_frequency,
  ]);

  expect(order).toEqual([
    ['memory', 1000, 256, 'words', 42, 25],
    ['sqlite', 9, 256, 'words', 42, null],
    ['sqlite', 25, 256, 'random', 42, 25],
    ['sqlite', 25, 256, 'words', 9, 25],
    ['sqlite', 25, 256, 'words', 10, 25],
    ['sqlite', 25, 256, 'words', 42, 100],
    ['sqlite', 25, 1024, 'words', 42, 25],
    ['sqlite', 100, 256, 'words', 42, 25],
    ['sqlite', 100, 256, 'words', 42, 100],
  ]);
});

test('pipelines of different lengths are cells of their own, the shorter one first', () => {
  const rows = [10, 2].map((nodes) =>
    fullRow(1, {}, { case: { workload: 'pipeline', pipeline_nodes: nodes } }),
  );

  expect(groupsOf(rows).map((group) => group.pipeline_nodes)).toEqual([2, 10]);
});

test('metrics come in the order asked for', () => {
  const summary = summarizeRows([journalRows([fullRow(1)])], ['write_p95_ms', 'blob_rows', 'logical_bytes']);

  expect(Object.keys(summary.groups[0]?.metrics ?? {})).toEqual([
    'write_p95_ms',
    'blob_rows',
    'logical_bytes',
  ]);
});

test('a summary names files without folders, and every origin of its rows once', () => {
  const other = exampleProvenance({ machine: exampleMachine('bbbbbbbbbbbbbbbb') });
  const here = journalRows([fullRow(1), fullRow(2)], 'some/folder/here.jsonl');
  const there = journalRows([fullRow(1, {}, { provenance: other })], '../there.jsonl');

  const apart = summarizeRows([here], []);
  const pooled = summarizeRows([here, there], []);

  expect(apart).toMatchObject({ schema_version: 1, journals: ['here.jsonl'], pooled: false });
  expect(apart.provenance).toEqual([{ schema_version: 1, ...exampleProvenance() }]);
  expect(pooled).toMatchObject({ journals: ['here.jsonl', 'there.jsonl'], pooled: true });
  expect(pooled.provenance).toEqual([
    { schema_version: 1, ...exampleProvenance() },
    { schema_version: 1, ...other },
  ]);
});

test('lines that were left out are counted over all journals', () => {
  const journal = { ...journalRows([fullRow(1)]), tornLines: 1, skippedLines: 2 };

  expect(summarizeRows([journal, journal], []).rows).toMatchObject({ torn_lines: 2, skipped_lines: 4 });
});
