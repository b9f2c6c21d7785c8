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
import { METRIC_NAMES, type MetricName } from '../harness/record/metrics.js';
import type { Row } from '../harness/record/row.js';
import { summarizeRows } from './summary.js';
import { renderTable } from './table.js';

const LEGEND = 'ratio: median of paired delta/full ratios; below 1 delta is smaller or faster\n';

function table(
  rows: readonly Row[],
  metrics: readonly MetricName[] = ['logical_bytes', 'write_p50_ms'],
): string {
  return renderTable(summarizeRows([journalRows(rows)], metrics));
}

function pair(cadence: number, repetition: number, full: number, delta: number): Row[] {
  return [
    fullRow(repetition, { logical_bytes: full * 1000, write_p50_ms: full }),
    deltaRow(cadence, repetition, { logical_bytes: delta * 1000, write_p50_ms: delta }),
  ];
}

test('a cell is one block: counts per cadence, then full beside each cadence with its ratio', () => {
  const rows = [
    ...pair(10, 1, 100, 6.1),
    ...pair(50, 1, 100, 1.25),
    deltaRow(10, 2, {}, failedBecause('timed_out', 'The writer ran out of time.')),
  ];

  expect(table(rows)).toBe(
    [
      'sqlite append N=25 p=256 words seed 42',
      '  K=10: 1 pair, 1 failed row',
      '  K=50: 1 pair, 0 failed rows',
      '  metric           full  delta K=10   ratio  delta K=50   ratio',
      '  logical_bytes  100 kB     6.10 kB  0.061x     1.25 kB  0.013x',
      '  write_p50_ms   100 ms     6.10 ms  0.061x     1.25 ms  0.013x',
      '',
      '1 failed row:',
      '  channels/append/sqlite/n25/p256/words/s42/delta-k10/r2: timed_out: The writer ran out of time.',
      '',
      '5 rows (1 superseded), 1 failed, 0 profiled, 0 void pairs',
      LEGEND,
    ].join('\n'),
  );
});

test('cells are told apart and sorted, and a cell without a pair has counts only', () => {
  const other: RowOverrides = { case: { updates: 100 } };
  const rows = [
    fullRow(1, { write_p50_ms: 1 }, other),
    ...pair(10, 1, 2, 1),
    fullRow(1, {}, { case: { updates: 9 }, ...failedBecause('silent', 'It said nothing.') }),
    deltaRow(10, 1, {}, { case: { updates: 9 } }),
  ];

  expect(table(rows, ['write_p50_ms'])).toBe(
    [
      'sqlite append N=9 p=256 words seed 42',
      '  K=10: 0 pairs, 1 failed row',
      '',
      'sqlite append N=25 p=256 words seed 42',
      '  K=10: 1 pair, 0 failed rows',
      '  metric           full  delta K=10   ratio',
      '  write_p50_ms  2.00 ms     1.00 ms  0.500x',
      '',
      'sqlite append N=100 p=256 words seed 42',
      '  full only: 0 pairs, 0 failed rows',
      '',
      '1 failed row:',
      '  channels/append/sqlite/n9/p256/words/s42/full/r1: silent: It said nothing.',
      '',
      '5 rows, 1 failed, 0 profiled, 0 void pairs',
      LEGEND,
    ].join('\n'),
  );
});

test('cadences that do not fit in 79 columns go into further blocks with the same heading', () => {
  const rows = [5, 10, 50, 100, 1000].flatMap((cadence) => pair(cadence, 1, 100, 50));

  const lines = table(rows, METRIC_NAMES).split('\n');

  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(79);
  expect(lines.filter((line) => line.startsWith('sqlite append'))).toHaveLength(3);
  expect(lines.filter((line) => line.startsWith('  metric')).map((line) => line.match(/K=\d+/g))).toEqual([
    ['K=5', 'K=10'],
    ['K=50', 'K=100'],
    ['K=1000'],
  ]);
  expect(lines.filter((line) => line.startsWith('  K=')).map((line) => line.trim())).toEqual([
    'K=5: 1 pair, 0 failed rows',
    'K=10: 1 pair, 0 failed rows',
    'K=50: 1 pair, 0 failed rows',
    'K=100: 1 pair, 0 failed rows',
    'K=1000: 1 pair, 0 failed rows',
  ]);
});

test.each([
  [[1000, 2000], 1, 79],
  [[1000, 20_000], 2, 58],
])('cadences %j take %i block, which is %i columns wide at most', (cadences, blocks, width) => {
  const metrics = { checkpoint_payload_bytes: 1_230_000 };
  const rows = [fullRow(1, metrics), ...cadences.map((cadence) => deltaRow(cadence, 1, metrics))];

  const lines = table(rows, ['checkpoint_payload_bytes']).split('\n');
  const tableLines = lines.filter((line) => /^ {2}(metric|checkpoint)/.test(line));

  expect(tableLines).toHaveLength(2 * blocks);
  expect(Math.max(...tableLines.map((line) => line.length))).toBe(width);
});

test('cadences whose pairs have other full medians do not share a full column', () => {
  const rows = [...pair(10, 1, 100, 50), ...pair(10, 2, 300, 50), ...pair(50, 1, 100, 50)];

  const lines = table(rows, ['write_p50_ms']).split('\n');

  expect(lines.slice(0, 9)).toEqual([
    'sqlite append N=25 p=256 words seed 42',
    '  K=10: 2 pairs, 0 failed rows',
    '  metric          full  delta K=10   ratio',
    '  write_p50_ms  200 ms     50.0 ms  0.333x',
    '',
    'sqlite append N=25 p=256 words seed 42',
    '  K=50: 1 pair, 0 failed rows',
    '  metric          full  delta K=50   ratio',
    '  write_p50_ms  100 ms     50.0 ms  0.500x',
  ]);
});

test('a cadence without a pair is counted in the block beside those that have one', () => {
  const rows = [deltaRow(5, 9), ...pair(10, 1, 2, 1), deltaRow(20, 9), ...pair(50, 1, 2, 1)];

  expect(table(rows, ['write_p50_ms']).split('\n').slice(0, 7)).toEqual([
    'sqlite append N=25 p=256 words seed 42',
    '  K=5: 0 pairs, 0 failed rows',
    '  K=10: 1 pair, 0 failed rows',
    '  K=20: 0 pairs, 0 failed rows',
    '  K=50: 1 pair, 0 failed rows',
    '  metric           full  delta K=10   ratio  delta K=50   ratio',
    '  write_p50_ms  2.00 ms     1.00 ms  0.500x     1.00 ms  0.500x',
  ]);
});

test('a number that cannot be computed is a dash, and a ratio of fewer pairs than the cell has is marked', () => {
  const rows = [...pair(10, 1, 4, 1), ...pair(10, 2, 0, 3)];

  expect(table(rows, ['write_p50_ms', 'blob_rows'])).toBe(
    [
      'sqlite append N=25 p=256 words seed 42',
      '  K=10: 2 pairs, 0 failed rows',
      '  metric           full  delta K=10    ratio',
      '  write_p50_ms  2.00 ms     2.00 ms  0.250x*',
      '  blob_rows           -           -        -',
      '',
      '4 rows, 0 failed, 0 profiled, 0 void pairs',
      '*: from fewer pairs than the cell has; CSV and JSON say how many (ratio_n)',
      LEGEND,
    ].join('\n'),
  );
});

test('void pairs, profiled rows and lines that were left out are said', () => {
  const live = (digit: string): RowOverrides => ({
    measurement: {
      oracle: 'live',
      materialized_sha256: {
        expected: null,
        live: exampleDigest(digit),
        warm: null,
        cold_graph: null,
        cold_reopened: null,
        cold_process: null,
      },
    },
  });
  const rows = [
    fullRow(1, {}, live('a')),
    deltaRow(10, 1, {}, live('b')),
    deltaRow(10, 2, {}, { profiled: true }),
  ];
  const journal = { ...journalRows(rows), tornLines: 1, skippedLines: 2 };

  expect(renderTable(summarizeRows([journal], []))).toBe(
    [
      'sqlite append N=25 p=256 words seed 42',
      '  K=10: 0 pairs, 0 failed rows, 1 void pair, 1 profiled row',
      '',
      '1 void pair, whose full and delta states do not agree:',
      '  channels/append/sqlite/n25/p256/words/s42 K=10 repetition 1: full holds 25 messages (aaaaaaaaaaaa), delta 25 (bbbbbbbbbbbb)',
      '',
      '3 rows, 0 failed, 1 profiled, 1 void pair',
      'left out: 1 torn line, 2 malformed lines',
      LEGEND,
    ].join('\n'),
  );
});

test('the first ten failures are listed, then how many more there are', () => {
  const rows = Array.from({ length: 13 }, (_, index) => fullRow(index + 1, {}, failedBecause('silent')));

  const lines = table(rows).split('\n');

  expect(lines.filter((line) => line.includes(': silent: '))).toHaveLength(10);
  expect(lines).toContain('13 failed rows:');
  expect(lines).toContain('  and 3 more');
});

test('with several journals a failure names its own, and pooled origins are said', () => {
  const provenance = exampleProvenance({
    node_version: '22.0.0',
    machine: exampleMachine('bbbbbbbbbbbbbbbb'),
  });
  const here = journalRows([fullRow(1, {}, failedBecause('silent'))], 'a/here.jsonl');
  const there = journalRows([fullRow(1, {}, { ...failedBecause('exited'), provenance })], 'b/there.jsonl');

  expect(
    renderTable(summarizeRows([here, there], []))
      .split('\n')
      .slice(3),
  ).toEqual([
    '2 failed rows:',
    '  here.jsonl channels/append/sqlite/n25/p256/words/s42/full/r1: silent: The child ended badly.',
    '  there.jsonl channels/append/sqlite/n25/p256/words/s42/full/r1: exited: The child ended badly.',
    '',
    'Rows are pooled although they differ in:',
    '  machine (aaaaaaaaaaaaaaaa and bbbbbbbbbbbbbbbb)',
    '  Node version (20.20.0 and 22.0.0)',
    '',
    '2 rows, 2 failed, 0 profiled, 0 void pairs',
    LEGEND.trimEnd(),
    '',
  ]);
});

test('text from a journal stays one short line and cannot drive the terminal', () => {
  const message = `\u001b[2J\nsecond line ${'x'.repeat(500)}`;

  const lines = table([fullRow(1, {}, failedBecause('exited', message))]).split('\n');
  const failure = lines.find((line) => line.includes('exited')) ?? '';

  expect(failure).toMatch(/: exited: \\u001b\[2J\\u000asecond line x+…$/);
  expect(failure.length).toBeLessThan(300);
});

test('without a row there is no block', () => {
  expect(table([])).toBe(`0 rows, 0 failed, 0 profiled, 0 void pairs\n${LEGEND}`);
});
