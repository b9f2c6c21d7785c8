import { expect, test } from 'vitest';
import { deltaRow, failedBecause, fullRow, journalRows } from '../fixtures/journals/rows.js';
import { renderMarkdown } from './markdown.js';
import { summarizeRows } from './summary.js';
import type { GroupSummary } from './summary-shape.js';

const NOTES = (rows: string) =>
  `${rows}\n\nratio: median of paired delta/full ratios; below 1 delta is smaller or faster\n`;

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

| metric | full K=10 | delta K=10 | ratio K=10 | full K=50 | delta K=50 | ratio K=50 |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
| logical_bytes | 2.00 kB | 500 B | 0.333x | 1.00 kB | 250 B | 0.250x |
| write_p50_ms | 2.00 ms | 1.00 ms | 0.250x\\* | 4.00 ms | - | - |

6 rows, 0 failed, 0 profiled, 0 void pairs

\\*: from fewer pairs than the cell has; CSV and JSON say how many (ratio_n)

ratio: median of paired delta/full ratios; below 1 delta is smaller or faster
`,
  );
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
  const groups = summary.groups.map(
    (group) => ({ ...group, workload: 'x|y\n<b>' }) as unknown as GroupSummary,
  );

  const lines = renderMarkdown({ ...summary, groups }).split('\n');

  expect(lines[0]).toBe('## sqlite x\\|y\\\\u000a&lt;b&gt; N=25 p=256 words seed 42');
  expect(lines.find((line) => line.includes('exited'))).toMatch(
    /: exited: a\\\|b\\\\u000a## c &lt;img src=x&gt; &amp; \\`d\\` \\\[e\\\]\(f\) \\\*g\\\* \\\\\\\|$/,
  );
});
