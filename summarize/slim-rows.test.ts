import { expect, test } from 'vitest';
import {
  deltaRow,
  exampleDigest,
  exampleMachine,
  exampleProvenance,
  failedBecause,
  fullRow,
} from '../fixtures/journals/rows.js';
import { SlimRows } from './slim-rows.js';

/** Rows as they come from a file: nothing is shared between them. */
const copied = <T>(value: T): T => structuredClone(value);

test('of the metrics only those asked for are kept, a missing one as null or absent as it was', () => {
  const row = copied(fullRow(1, { logical_bytes: 7, write_p50_ms: 8 }));
  delete row.measurement?.metrics.snapshot_count;

  const slim = new SlimRows(['logical_bytes', 'blob_rows', 'snapshot_count']).slim(row);

  expect(slim.measurement?.metrics).toEqual({ logical_bytes: 7, blob_rows: null });
});

test('raw samples, stderr tails and other records that no summary reads are not kept', () => {
  const slimRows = new SlimRows([]);

  const full = slimRows.slim(fullRow(1));
  const failed = slimRows.slim(deltaRow(10, 1, {}, failedBecause('exited')));

  expect(Object.values(full.measurement?.samples_ms ?? { none: [1] }).flat()).toEqual([]);
  expect(full.measurement).toMatchObject({
    pragmas: {},
    write_bytes_by_channel: {},
    file_bytes: null,
    unavailable: {},
  });
  expect(failed.failure).toMatchObject({
    reason: 'exited',
    message: 'The child ended badly.',
    stderr_tail: [],
  });
});

test('of the digests only the live one is kept, once for all rows with the same state', () => {
  const slimRows = new SlimRows([]);
  const [first, second] = [fullRow(1), deltaRow(10, 1)].map((row) => slimRows.slim(copied(row)).measurement);

  expect(first?.materialized_sha256).toEqual({
    expected: null,
    live: exampleDigest('1'),
    warm: null,
    cold_graph: null,
    cold_reopened: null,
    cold_process: null,
  });
  expect(second?.materialized_sha256).toBe(first?.materialized_sha256);
});

test('states that differ in digest or count stay apart, and a missing digest stays missing', () => {
  const slimRows = new SlimRows([]);
  const live = (digest: { sha256: string; count: number } | null) => {
    const { measurement } = copied(fullRow(1));
    const digests = { ...measurement!.materialized_sha256, live: digest };
    const row = fullRow(1, {}, { measurement: { materialized_sha256: digests } });
    return slimRows.slim(row).measurement?.materialized_sha256.live;
  };
  const states = [exampleDigest('a'), exampleDigest('b'), { ...exampleDigest('a'), count: 24 }, null];

  expect(states.map(live)).toEqual(states);
});

test('rows of one origin share its record, and rows of another have theirs', () => {
  const slimRows = new SlimRows([]);
  const from = (provenance: Parameters<typeof exampleProvenance>[0]) =>
    slimRows.slim(copied(fullRow(1, {}, { provenance: exampleProvenance(provenance) }))).provenance;
  const others = [
    { machine: exampleMachine('bbbbbbbbbbbbbbbb') },
    { packages: { '@langchain/langgraph': '1.7.3' } },
    { packages: { '@langchain/langgraph': '1.7.3', 'better-sqlite3': '12.11.2' } },
    { git_revision: null, git_dirty: null },
  ];

  const plain = from({});

  expect(from({})).toBe(plain);
  expect(others.map(from)).toEqual(others.map(exampleProvenance));
  expect(from({})).toBe(plain);
});

test('a row without a measurement stays without', () => {
  expect(new SlimRows([]).slim(fullRow(1, {}, { measurement: null })).measurement).toBeNull();
});
