import { describe, expect, test } from 'vitest';
import {
  deltaRow,
  exampleDigest,
  exampleManifest,
  exampleVerdict,
  failedBecause,
  fullRow,
  type RowOverrides,
} from '../../fixtures/journals/rows.js';
import { METRIC_NAMES } from './metrics.js';
import { journalLineSchema, type JournalLine } from './journal-line.js';
import type { ChannelsMeasurement } from './channels-measurement.js';
import { rowSchema } from './row.js';

type Digests = ChannelsMeasurement['materialized_sha256'];
type Oracle = ChannelsMeasurement['oracle'];

const READINGS: readonly (keyof Digests)[] = [
  'expected',
  'live',
  'warm',
  'cold_graph',
  'cold_reopened',
  'cold_process',
];
const SAME = fullRow(1).measurement?.materialized_sha256 as Digests;
const OTHER = exampleDigest('2');

/** What the schema says against a line: where, and why. Empty when it is in order. */
function issuesOf(line: unknown): string[] {
  const checked = journalLineSchema.safeParse(line);
  return checked.success
    ? []
    : checked.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

function issuesOfStates(oracle: Oracle, digests: Partial<Digests>, overrides: RowOverrides = {}): string[] {
  const materialized_sha256 = { ...SAME, ...digests };
  return issuesOf(fullRow(1, {}, { ...overrides, measurement: { oracle, materialized_sha256 } }));
}

const deviation = (reading: string) => [
  `measurement.materialized_sha256.${reading}: its state is not that of the oracle, but the row says success`,
];

describe('a successful row', () => {
  test('has a measurement', () => {
    expect(issuesOf(fullRow(1, {}, { measurement: null }))).toEqual([
      'measurement: a successful row has a measurement',
    ]);
    expect(issuesOf(fullRow(1, {}, { ...failedBecause('silent'), measurement: null }))).toEqual([]);
  });

  test('has no failure, and a failed one has', () => {
    expect(issuesOf({ ...fullRow(1), success: false })).toEqual(['success: success contradicts failure']);
    expect(issuesOf({ ...fullRow(1, {}, failedBecause('exited')), success: true })).toEqual([
      'success: success contradicts failure',
    ]);
  });

  test.each(READINGS.slice(1))('holds by reading %s what the model expects', (reading) => {
    expect(issuesOfStates('model', { [reading]: OTHER })).toEqual(deviation(reading));
    expect(issuesOfStates('model', { [reading]: null })).toEqual([]);
  });

  test('holds one state by every reading where the expected one is not there', () => {
    expect(issuesOfStates('model', { expected: null, cold_graph: OTHER })).toEqual(deviation('cold_graph'));
    expect(issuesOfStates('model', { expected: null })).toEqual([]);
  });

  test.each(READINGS.slice(2))('holds by reading %s the live state, where that is the oracle', (reading) => {
    expect(issuesOfStates('live', { expected: null, [reading]: OTHER })).toEqual(deviation(reading));
    expect(issuesOfStates('live', { expected: null, [reading]: null })).toEqual([]);
  });

  test('needs the live state where that is the oracle, and nothing of a model', () => {
    expect(issuesOfStates('live', { live: null })).toEqual(deviation('warm'));
    expect(issuesOfStates('live', { expected: OTHER })).toEqual([]);
  });
});

test('a failed row keeps the state that made it fail', () => {
  expect(issuesOfStates('model', { warm: OTHER }, failedBecause('wrong_state'))).toEqual([]);
  expect(issuesOfStates('live', { warm: OTHER }, failedBecause('wrong_state'))).toEqual([]);
});

test.each([-1, Number.POSITIVE_INFINITY, Number.NaN, '1'])(
  '%s is no measured number, wherever it stands',
  (bad) => {
    const row = deltaRow(10, 1);
    const measurement = row.measurement as ChannelsMeasurement;
    const inMeasurement = (part: object) => ({ ...row, measurement: { ...measurement, ...part } });
    for (const name of METRIC_NAMES) {
      expect(issuesOf(inMeasurement({ metrics: { [name]: bad } }))).toHaveLength(1);
    }
    for (const name of Object.keys(measurement.samples_ms)) {
      const samples_ms = { ...measurement.samples_ms, [name]: [0, bad] };
      expect(issuesOf(inMeasurement({ samples_ms }))).toHaveLength(1);
    }
    expect(issuesOf(inMeasurement({ write_bytes_by_channel: { messages: bad } }))).toHaveLength(1);
    expect(issuesOf({ ...row, elapsed_ms: bad })).toHaveLength(1);
    expect(issuesOf({ ...row, load_at_start: bad })).toHaveLength(1);
  },
);

test('what is no sample or metric is named with its place', () => {
  const row = deltaRow(10, 1);
  const issuesAt = (part: object) => {
    const checked = rowSchema.safeParse({ ...row, measurement: { ...row.measurement, ...part } });
    return checked.error?.issues.map(({ path, message }) => `${path.slice(1).join('.')}: ${message}`);
  };
  const { samples_ms } = row.measurement as ChannelsMeasurement;
  expect(issuesAt({ samples_ms: { ...samples_ms, write: [1, -2, 'x', 3] } })).toEqual([
    'samples_ms.write.1: Too small: expected number to be >=0',
    'samples_ms.write.2: Invalid input: expected number, received string',
  ]);
  expect(issuesAt({ samples_ms: { ...samples_ms, write: null } })).toEqual([
    'samples_ms.write: Invalid input: expected array, received null',
  ]);
  expect(issuesAt({ samples_ms: { ...samples_ms, write: undefined } })).toHaveLength(1);
  expect(issuesAt({ metrics: { logical_bytes: '1' } })).toEqual([
    'metrics.logical_bytes: Invalid input: expected number, received string',
  ]);
  expect(issuesAt({ metrics: { logical_bytes: 1, toString: 1 } })).toEqual([
    'metrics.toString: no metric has this name',
  ]);
  expect(issuesAt({ metrics: [] })).toEqual(['metrics: Invalid input: expected record, received array']);
  expect(issuesAt({ metrics: undefined })).toHaveLength(1);
});

test('zero is a measured number, and null says that there is none', () => {
  expect(issuesOf(fullRow(1, { wal_bytes: 0, warm_read_ms: null }))).toEqual([]);
});

test.each(['G', 'A', ' '])('a digest of the character "%s" is no sha256', (character) => {
  const digest = exampleDigest(character);

  expect(issuesOfStates('model', { live: digest }, failedBecause('wrong_state'))).toEqual([
    'measurement.materialized_sha256.live.sha256: not 64 lower-case hex digits',
  ]);
});

test.each(['', '1'.repeat(63), '1'.repeat(65), `${'1'.repeat(64)}\n`])('%j is no sha256', (sha256) => {
  expect(issuesOfStates('model', { live: { sha256, count: 1 } }, failedBecause('wrong_state'))).toHaveLength(
    1,
  );
});

test.each([exampleManifest(), fullRow(1), exampleVerdict()])(
  'a $kind is of a schema version from 1',
  (line: JournalLine) => {
    expect(issuesOf(line)).toEqual([]);
    for (const schema_version of [0, -1, 1.5, '1', null]) {
      expect(issuesOf({ ...line, schema_version })).toHaveLength(1);
    }
  },
);

test('a hundred thousand rows are checked in seconds', () => {
  const row = fullRow(1);
  const start = performance.now();
  for (let count = 0; count < 100_000; count += 1) rowSchema.parse(row);
  // Measured: about 1 s. The bound only tells a check that grows with something else.
  expect(performance.now() - start).toBeLessThan(20_000);
});
