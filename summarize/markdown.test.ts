import { expect, test } from 'vitest';
import { deltaRow, failedBecause, fullRow, journalRows } from '../fixtures/journals/rows.js';
import { renderMarkdown } from './markdown.js';
import { summarizeRows } from './summary.js';

const NOTES = (rows: string) =>
  `${rows}\n\nratio: median of paired delta/full ratios; below 1 delta is smaller or faster\n`;

const HEADER =
  '| metric | K | n | full | delta | ratio | interval | coverage | min | max | outcome |\n' +
  '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |';

test('a cell is a heading, its counts and one table; each cadence has the full median of its own pairs', () => {
  const rows = [
    fullRow(1, { logical_bytes: 1000, write_p50_ms: 4 }),
    fullRow(2, { logical_bytes: 3000, write_p50_ms: 0 }),
    deltaRow(10, 1, { logical_bytes: 500, write_p50_ms: 1 }),
    deltaRow(10, 2, { logical_bytes: 500, write_p50_ms: 1 }),
    deltaRow(50, 1, { logical_bytes: 250, write_p50_ms: null }),
    deltaRow(100, 3),
  ];

  expect(renderMarkdown(summarizeRows([journalRows(rows)], ['logical_bytes', 'write_p50_ms']))).toBe(
    `## sqlite append N=25 p=256 words seed 42

- K=10: 2 pairs, 0 failed rows
- K=50: 1 pair, 0 failed rows
- K=100: 0 pairs, 0 failed rows

${HEADER}
| logical_bytes | 10 | 2 | 2.00 kB | 500 B | 0.333x | \\[0.167..0.500\\] | 50% | 0.167x | 0.500x | too few to tell |
| logical_bytes | 50 | 1 | 1.00 kB | 250 B | 0.250x |  |  | 0.250x | 0.250x | too few to tell |
| write_p50_ms | 10 | 1 | 2.00 ms | 1.00 ms | 0.250x |  |  | 0.250x | 0.250x | too few to tell |
| write_p50_ms | 50 | 0 | 4.00 ms | - | - |  |  | - | - |  |

6 rows, 0 failed, 0 profiled, 0 void pairs

too few to tell: fewer than 3 pairs gave a ratio

ratio: median of paired delta/full ratios; below 1 delta is smaller or faster
`,
  );
});

test('a ratio has its interval with coverage, its range and its outcome in words', () => {
  const milliseconds = [0.5, 0.6, 0.6, 0.7, 0.7, 0.8, 0.8, 0.9, 5];
  const rows = milliseconds.flatMap((ms, index) => [
    fullRow(index + 1, { logical_bytes: 10, blob_rows: 3, write_p50_ms: 1, write_p95_ms: 0.8 }),
    deltaRow(10, index + 1, { logical_bytes: 20, blob_rows: 3, write_p50_ms: ms, write_p95_ms: ms }),
  ]);
  const metrics = ['logical_bytes', 'blob_rows', 'write_p50_ms', 'write_p95_ms'] as const;

  expect(
    renderMarkdown(summarizeRows([journalRows(rows)], metrics))
      .split('\n')
      .slice(4),
  ).toEqual([
    ...HEADER.split('\n'),
    '| logical_bytes | 10 | 9 | 10 B | 20 B | 2.000x |  |  | 2.000x | 2.000x | higher |',
    '| blob_rows | 10 | 9 | 3 | 3 | 1.000x |  |  | 1.000x | 1.000x | equal |',
    '| write_p50_ms | 10 | 9 | 1.00 ms | 0.700 ms | 0.700x | \\[0.600..0.900\\] | 96.09% | 0.500x | 5.000x | lower |',
    '| write_p95_ms | 10 | 9 | 0.800 ms | 0.700 ms | 0.875x | \\[0.750..1.125\\] | 96.09% | 0.625x | 6.250x | not told apart |',
    '',
    '18 rows, 0 failed, 0 profiled, 0 void pairs',
    '',
    'interval: order statistics of 9 pairs, 96.09% coverage',
    '',
    'no interval: every pair gave the same ratio',
    '',
    'ratio: median of paired delta/full ratios; below 1 delta is smaller or faster',
    '',
  ]);
});

test('cells without a pair have no table, and failures are listed', () => {
  const rows = [fullRow(1, {}, failedBecause('exited', 'It ended with code 1.'))];

  expect(renderMarkdown(summarizeRows([journalRows(rows)], ['logical_bytes']))).toBe(
    `## sqlite append N=25 p=256 words seed 42

- full only: 0 pairs, 1 failed row

1 failed row:

- channels/append/sqlite/n25/p256/words/s42/full/r1: exited: It ended with code 1.

${NOTES('1 row, 1 failed, 0 profiled, 0 void pairs')}`,
  );
});

test('text from a journal is neither HTML, nor Markdown, nor a further line or cell', () => {
  const message = 'a|b\n## c <img src=x> & `d` [e](f) *g* \\|';
  const summary = summarizeRows([journalRows([fullRow(1, {}, failedBecause('exited', message))])], []);
  const groups = summary.groups.map((group) => ({ ...group, workload: 'x|y\n<b>' }));

  const lines = renderMarkdown({ ...summary, groups }).split('\n');

  expect(lines[0]).toBe('## sqlite x\\|y\\\\u000a&lt;b&gt; N=25 p=256 words seed 42');
  expect(lines.find((line) => line.includes('exited'))).toMatch(
    /: exited: a\\\|b\\\\u000a## c &lt;img src=x&gt; &amp; \\`d\\` \\\[e\\\]\(f\) \\\*g\\\* \\\\\\\|$/,
  );
});
