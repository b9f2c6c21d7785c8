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
import { METRIC_NAMES, metricDefinition, type MetricName } from '../harness/record/metrics.js';
import type { Row } from '../harness/record/row.js';
import { summarizeRows } from './summary.js';
import { renderTable } from './table.js';

const TOO_FEW = 'too few to tell: fewer than 3 pairs gave a ratio';
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

test('a cell is one block: counts per cadence, then each metric with its cadences below each other', () => {
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
      '  metric           full   K    delta   ratio  interval',
      '  logical_bytes  100 kB  10  6.10 kB  0.061x  too few to tell',
      '                 100 kB  50  1.25 kB  0.013x  too few to tell',
      '  write_p50_ms   100 ms  10  6.10 ms  0.061x  too few to tell',
      '                 100 ms  50  1.25 ms  0.013x  too few to tell',
      '',
      '1 failed row:',
      '  channels/append/sqlite/n25/p256/words/s42/delta-k10/r2: timed_out: The writer ran out of time.',
      '',
      '5 rows (1 superseded), 1 failed, 0 profiled, 0 void pairs',
      TOO_FEW,
      LEGEND,
    ].join('\n'),
  );
});

/** Pairs of `bytes` and of each duration, against full rows of 1000 bytes and 10 ms. */
function threePairs(cadence: number, bytes: number, deltaMs: readonly number[]): Row[] {
  return deltaMs.flatMap((ms, index) => [
    fullRow(index + 1, { logical_bytes: 1000, write_p50_ms: 10 }),
    deltaRow(cadence, index + 1, { logical_bytes: bytes, write_p50_ms: ms }),
  ]);
}

test('a ratio has its interval beside it: none where all pairs agree, marked where it holds 1', () => {
  const rows = [...threePairs(10, 73, [9.8, 10.6, 11.1]), ...threePairs(50, 48, [14.4, 17.1, 18.6])];

  expect(table(rows)).toBe(
    [
      'sqlite append N=25 p=256 words seed 42',
      '  K=10: 3 pairs, 0 failed rows',
      '  K=50: 3 pairs, 0 failed rows',
      '  metric            full   K    delta   ratio  interval',
      '  logical_bytes  1.00 kB  10     73 B  0.073x',
      '                 1.00 kB  50     48 B  0.048x',
      '  write_p50_ms   10.0 ms  10  10.6 ms  1.060x  [0.980..1.110] ~1',
      '                 10.0 ms  50  17.1 ms  1.710x  [1.440..1.860]',
      '',
      '12 rows (3 superseded), 0 failed, 0 profiled, 0 void pairs',
      'interval: order statistics of 3 pairs, 75% coverage',
      'no interval: every pair gave the same ratio',
      '~1: the interval holds 1, so delta and full are not told apart',
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
      '  metric           full   K    delta   ratio  interval',
      '  write_p50_ms  2.00 ms  10  1.00 ms  0.500x  too few to tell',
      '',
      'sqlite append N=100 p=256 words seed 42',
      '  full only: 0 pairs, 0 failed rows',
      '',
      '1 failed row:',
      '  channels/append/sqlite/n9/p256/words/s42/full/r1: silent: It said nothing.',
      '',
      '5 rows, 1 failed, 0 profiled, 0 void pairs',
      TOO_FEW,
      LEGEND,
    ].join('\n'),
  );
});

/** Made-up metrics of three pairs whose ratios are about `ratio` and differ. */
function longNumbers(cadence: number, ratio: number): Row[] {
  return [1, 1.01, 1.04].flatMap((factor, index) => {
    const full = (name: MetricName) => (metricDefinition(name).unit === 'ms' ? 11.11 : 1_234_567 * factor);
    const values = (scale: number) =>
      Object.fromEntries(METRIC_NAMES.map((name) => [name, full(name) * scale]));
    return [fullRow(index + 1, values(1)), deltaRow(cadence, index + 1, values(ratio * factor))];
  });
}

test.each([1, 0.0123, 0.00042, 12.3, 1234])(
  'no line of metrics is wider than 79 columns, whatever the metric and with ratios about %d',
  (ratio) => {
    const rows = [5, 1000, 100_000].flatMap((cadence) => longNumbers(cadence, ratio));

    const lines = table(rows, METRIC_NAMES).split('\n');

    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(79);
    expect(lines.join('\n').match(/\[\S+\]/g)).toHaveLength(3 * METRIC_NAMES.length);
  },
);

test('an interval that has no room beside long numbers stands below them', () => {
  const rows = [1, 2, 3].flatMap((repetition) => [
    fullRow(repetition, { checkpoint_rows: 123_456_789_012 }),
    deltaRow(1_000_000, repetition, { checkpoint_rows: 51_234_567 * repetition }),
  ]);

  expect(table(rows, ['checkpoint_rows']).split('\n').slice(2, 5)).toEqual([
    '  metric                   full        K      delta     ratio  interval',
    '  checkpoint_rows  123456789012  1000000  102469134  0.00083x',
    '[0.00041..0.0012]'.padStart(79),
  ]);
});

test('each cadence has the full median of its own pairs', () => {
  const rows = [...pair(10, 1, 100, 50), ...pair(10, 2, 300, 50), ...pair(50, 1, 100, 50)];

  expect(table(rows, ['write_p50_ms']).split('\n').slice(0, 6)).toEqual([
    'sqlite append N=25 p=256 words seed 42',
    '  K=10: 2 pairs, 0 failed rows',
    '  K=50: 1 pair, 0 failed rows',
    '  metric          full   K    delta   ratio  interval',
    '  write_p50_ms  200 ms  10  50.0 ms  0.333x  too few to tell',
    '                100 ms  50  50.0 ms  0.500x  too few to tell',
  ]);
});

test('a cadence without a pair is counted and has no line of metrics', () => {
  const rows = [deltaRow(5, 9), ...pair(10, 1, 2, 1), deltaRow(20, 9), ...pair(50, 1, 2, 1)];

  expect(table(rows, ['write_p50_ms']).split('\n').slice(0, 8)).toEqual([
    'sqlite append N=25 p=256 words seed 42',
    '  K=5: 0 pairs, 0 failed rows',
    '  K=10: 1 pair, 0 failed rows',
    '  K=20: 0 pairs, 0 failed rows',
    '  K=50: 1 pair, 0 failed rows',
    '  metric           full   K    delta   ratio  interval',
    '  write_p50_ms  2.00 ms  10  1.00 ms  0.500x  too few to tell',
    '                2.00 ms  50  1.00 ms  0.500x  too few to tell',
  ]);
});

test('pipelines of different lengths are cells of their own', () => {
  const rows = [2, 10].map((nodes) =>
    fullRow(1, {}, { case: { workload: 'pipeline', pipeline_nodes: nodes } }),
  );

  expect(
    table(rows)
      .split('\n')
      .filter((line) => line.startsWith('sqlite')),
  ).toEqual(['sqlite pipeline-2 N=25 p=256 words seed 42', 'sqlite pipeline-10 N=25 p=256 words seed 42']);
});

test('a number that cannot be computed is a dash, and a ratio of fewer pairs than the cell has is marked', () => {
  const rows = [...pair(10, 1, 4, 1), ...pair(10, 2, 0, 3)];

  expect(table(rows, ['write_p50_ms', 'blob_rows'])).toBe(
    [
      'sqlite append N=25 p=256 words seed 42',
      '  K=10: 2 pairs, 0 failed rows',
      '  metric           full   K    delta    ratio  interval',
      '  write_p50_ms  2.00 ms  10  2.00 ms  0.250x*  too few to tell',
      '  blob_rows           -  10        -        -',
      '',
      '4 rows, 0 failed, 0 profiled, 0 void pairs',
      TOO_FEW,
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
