import { expect, test } from 'vitest';
import {
  deltaRow,
  exampleDigest,
  exampleMachine,
  exampleProvenance,
  failedBecause,
  fullRow,
  type RowOverrides,
} from '../../fixtures/journals/rows.js';
import { pairRows } from './pairing.js';
import type { ChannelsMeasurement } from './channels-measurement.js';
import type { Provenance } from './provenance.js';

/** A row whose only oracle is the value `invoke` returned, in the state of that digest. */
function liveState(digit: string | null, oracle: ChannelsMeasurement['oracle'] = 'live'): RowOverrides {
  const live = digit === null ? null : exampleDigest(digit);
  return {
    measurement: {
      oracle,
      materialized_sha256: {
        expected: null,
        live,
        warm: null,
        cold_graph: null,
        cold_reopened: null,
        cold_process: null,
      },
    },
  };
}

test('each delta row pairs with the full row of its cell and repetition', () => {
  const full = [fullRow(1), fullRow(2)];
  const delta = [deltaRow(10, 1), deltaRow(10, 2), deltaRow(50, 2)];

  const { pairs, voided, latest } = pairRows([...delta, ...full]);

  expect(pairs).toEqual([
    {
      cell: 'channels/append/sqlite/n25/p256/words/s42',
      repetition: 1,
      full: full[0],
      delta: delta[0],
    },
    expect.objectContaining({ repetition: 2, full: full[1], delta: delta[1] }),
    expect.objectContaining({ repetition: 2, full: full[1], delta: delta[2] }),
  ]);
  expect(voided).toEqual([]);
  expect(latest).toEqual([...delta, ...full]);
});

test.each([
  ['updates', { updates: 50 }],
  ['payload', { payload_bytes: 512 }],
  ['entropy', { payload_entropy: 'random' }],
  ['seed', { seed: 43 }],
  ['backend', { backend: 'memory' }],
  ['repetition', { repetition: 2 }],
] as const)('rows of another %s never pair', (_, other) => {
  expect(pairRows([fullRow(1), deltaRow(10, 1, {}, { case: other })]).pairs).toEqual([]);
});

const failed = failedBecause('timed_out');

test.each([
  ['a failed full', fullRow(1, {}, failed), deltaRow(10, 1)],
  ['a failed delta', fullRow(1), deltaRow(10, 1, {}, failed)],
  ['a profiled full', fullRow(1, {}, { profiled: true }), deltaRow(10, 1)],
  ['a profiled delta', fullRow(1), deltaRow(10, 1, {}, { profiled: true })],
])('%s row never pairs', (_, full, delta) => {
  const { pairs, voided, latest } = pairRows([full, delta]);

  expect(pairs).toEqual([]);
  expect(voided).toEqual([]);
  expect(latest).toEqual([full, delta]);
});

test('states that differ void the pair where the live value is the oracle of both rows', () => {
  const full = fullRow(1, {}, liveState('a'));
  const delta = deltaRow(10, 1, {}, liveState('b'));

  const { pairs, voided } = pairRows([full, delta]);

  expect(pairs).toEqual([]);
  expect(voided).toEqual([
    {
      cell: 'channels/append/sqlite/n25/p256/words/s42',
      repetition: 1,
      full,
      delta,
      reason: 'full holds 25 messages (aaaaaaaaaaaa), delta 25 (bbbbbbbbbbbb)',
    },
  ]);
});

test('the full row of a void pair still stands for other cadences, unless they differ from it too', () => {
  const rows = [
    fullRow(1, {}, liveState('a')),
    deltaRow(10, 1, {}, liveState('b')),
    deltaRow(50, 1, {}, liveState('a')),
    deltaRow(100, 1, {}, liveState('b')),
  ];

  const { pairs, voided } = pairRows(rows);

  expect(pairs.map(({ delta }) => delta.case.snapshot_frequency)).toEqual([50]);
  expect(voided.map(({ delta }) => delta.case.snapshot_frequency)).toEqual([10, 100]);
});

test('the live value of one row alone is enough to void a pair whose states differ', () => {
  const rows = [fullRow(1, {}, liveState('a', 'model')), deltaRow(10, 1, {}, liveState('b'))];

  expect(pairRows(rows).voided).toHaveLength(1);
});

test('a pair without a digest to compare is void where the live value is the oracle', () => {
  const { pairs, voided } = pairRows([
    fullRow(1, {}, liveState('a')),
    deltaRow(10, 1, {}, liveState(null)),
    deltaRow(50, 1, {}, { measurement: null }),
  ]);

  expect(pairs).toEqual([]);
  expect(voided.map(({ reason }) => reason)).toEqual([
    'a state digest is missing',
    'a state digest is missing',
  ]);
});

test('the model as oracle of both rows never voids, because a row that differs from it is failed already', () => {
  const rows = [fullRow(1, {}, liveState('a', 'model')), deltaRow(10, 1, {}, liveState('b', 'model'))];

  const { pairs, voided } = pairRows(rows);

  expect(pairs).toHaveLength(1);
  expect(voided).toEqual([]);
});

test('the last row of a case counts, whether it succeeded or failed', () => {
  const repaired = [fullRow(1), deltaRow(10, 1, {}, failed), deltaRow(10, 1, { logical_bytes: 7 })];
  const broken = [fullRow(1), deltaRow(10, 1), deltaRow(10, 1, {}, failed)];

  expect(pairRows(repaired).pairs).toEqual([expect.objectContaining({ delta: repaired[2] })]);
  expect(pairRows(repaired).latest).toEqual([repaired[0], repaired[2]]);
  expect(pairRows(broken).pairs).toEqual([]);
  expect(pairRows(broken).latest).toEqual([broken[0], broken[2]]);
});

test.each<[string, Partial<Provenance>]>([
  ['machine', { machine: exampleMachine('bbbbbbbbbbbbbbbb') }],
  ['deltaproof version', { deltaproof_version: '0.2.0' }],
  ['revision', { git_revision: 'f'.repeat(40) }],
  ['dirty flag', { git_dirty: true }],
  ['Node version', { node_version: '22.0.0' }],
  ['package', { packages: { '@langchain/langgraph': '1.7.4', 'better-sqlite3': '12.11.1' } }],
])('rows that differ in their %s never pair', (_, difference) => {
  const rows = [fullRow(1), deltaRow(10, 1, {}, { provenance: exampleProvenance(difference) })];

  expect(pairRows(rows).pairs).toEqual([]);
  expect(pairRows(rows).voided).toEqual([]);
});

test('the order in which packages are listed does not keep rows apart', () => {
  const packages = Object.fromEntries(Object.entries(exampleProvenance().packages).toReversed());

  expect(
    pairRows([fullRow(1), deltaRow(10, 1, {}, { provenance: exampleProvenance({ packages }) })]).pairs,
  ).toHaveLength(1);
});
