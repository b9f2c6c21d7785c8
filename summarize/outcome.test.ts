import { expect, test } from 'vitest';
import {
  deltaRow,
  exampleDigest,
  exampleProvenance,
  failedBecause,
  fullRow,
  journalRows,
  type RowOverrides,
} from '../fixtures/journals/rows.js';
import type { Row } from '../harness/record/row.js';
import { exitCodeFor, noPairSentence } from './outcome.js';
import { summarizeRows } from './summary.js';

const PAIR = [fullRow(1), deltaRow(10, 1)];

function liveState(digit: string): RowOverrides {
  const other = { expected: null, warm: null, cold_graph: null, cold_reopened: null, cold_process: null };
  return {
    measurement: { oracle: 'live', materialized_sha256: { ...other, live: exampleDigest(digit) } },
  };
}

/** A row whose stored rows could not be looked at. */
const UNDECIDED: RowOverrides = { measurement: { mode_verdict: 'undecided' } };
const VOID_PAIR = [fullRow(2, {}, liveState('a')), deltaRow(10, 2, {}, liveState('b'))];
const TIMED_OUT = fullRow(3, {}, failedBecause('timed_out'));
const WRONG = fullRow(4, {}, failedBecause('wrong_state'));

function outcome(rows: readonly Row[]): [number, string | null] {
  const summary = summarizeRows([journalRows(rows)], []);
  return [exitCodeFor(summary), noPairSentence(summary)];
}

test.each<[string, Row[], number]>([
  ['only pairs', PAIR, 0],
  ['a profiled row', [...PAIR, fullRow(2, {}, { profiled: true })], 0],
  ['a row that timed out', [...PAIR, TIMED_OUT], 6],
  ['a row whose mode was not in effect', [...PAIR, fullRow(2, {}, failedBecause('mode_not_in_effect'))], 6],
  ['a wrong state', [...PAIR, WRONG], 4],
  ['a wrong state beside another failure', [...PAIR, TIMED_OUT, WRONG], 4],
  ['a row whose mode could not be shown', [fullRow(1, {}, UNDECIDED), deltaRow(10, 1)], 5],
  ['a void pair', [...PAIR, ...VOID_PAIR], 4],
  ['a void pair beside another failure', [...PAIR, TIMED_OUT, ...VOID_PAIR], 4],
  ['a wrong state that a later row supersedes', [...PAIR, WRONG, fullRow(4)], 0],
])('with %s the exit code follows', (_, rows, code) => {
  expect(outcome(rows)).toEqual([code, null]);
});

test.each<[string, Row[], number]>([
  ['no journal holds a row', [], 5],
  ['only full rows are left', [fullRow(1)], 5],
  ['only delta rows are left', [deltaRow(10, 1), deltaRow(50, 1)], 5],
  ['2 of 2 rows failed', [WRONG, deltaRow(10, 4, {}, failedBecause('silent'))], 4],
  [
    '1 of 2 rows failed, and only full rows are left',
    [fullRow(1), deltaRow(10, 1, {}, failedBecause('silent'))],
    6,
  ],
  [
    '1 row came from a profiler, and only full rows are left',
    [fullRow(1), deltaRow(10, 1, {}, { profiled: true })],
    5,
  ],
  ['the two states differ in 1 pair with no oracle to decide', VOID_PAIR, 4],
  [
    'no full and delta row of one journal share cell, repetition, machine and versions',
    [
      fullRow(1),
      deltaRow(10, 2),
      deltaRow(10, 1, {}, { provenance: exampleProvenance({ git_dirty: true }) }),
    ],
    5,
  ],
])('no pair at all because %s is said, and undecided unless something worse is known', (why, rows, code) => {
  expect(outcome(rows)).toEqual([code, `There is no pair of a full and a delta row to compare: ${why}.`]);
});
