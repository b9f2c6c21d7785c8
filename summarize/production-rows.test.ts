import { expect, test } from 'vitest';
import { productionRow } from '../fixtures/journals/production-rows.js';
import { deltaRow, fullRow, journalRows } from '../fixtures/journals/rows.js';
import type { Row } from '../harness/record/row.js';
import { renderMarkdown } from './markdown.js';
import { summarizeRows } from './summary.js';
import { renderTable } from './table.js';

const DELTA = { mode: 'delta', snapshot_frequency: 10 } as const;

/** Cold less warm: 2, 4 and 6 ms in full mode, 1, 0 and -1 in delta. */
const ROWS: Row[] = [1, 2, 3].flatMap((repetition) => [
  productionRow({
    case: { repetition },
    metrics: { state_cold_ms: 10 + 2 * repetition, state_warm_p50_ms: 10 },
  }),
  productionRow({
    case: { ...DELTA, repetition },
    metrics: { state_cold_ms: 20, state_warm_p50_ms: 18 + repetition },
  }),
]);

const summary = summarizeRows([journalRows(ROWS)], 'headline');

test('it is the median of the differences of each row, for each mode, and may be negative', () => {
  expect(summary.groups.map((group) => group.cache_effect_ms)).toEqual([
    {
      full: { n: 3, median_ms: 4, low_ms: 2, high_ms: 6, coverage: 0.75 },
      delta: { n: 3, median_ms: 0, low_ms: -1, high_ms: 1, coverage: 0.75 },
    },
  ]);
});

test('the table and the Markdown show it with its interval, and say what it is', () => {
  expect(renderTable(summary)).toContain('cold less warm  n   median             interval');
  expect(renderTable(summary)).toMatch(/^ {2}full +3 +4\.00 ms +\[2\.00 ms\.\.6\.00 ms\]$/m);
  expect(renderMarkdown(summary)).toContain('| full | 3 | 4.00 ms | \\[2.00 ms..6.00 ms\\] |');
  expect(renderTable(summary)).toContain('what compiling the graph anew costs');
});

test('rows without both times have none, and the reports say nothing of it', () => {
  const other = summarizeRows([journalRows([fullRow(1), deltaRow(10, 1)])], 'headline');
  expect(other.groups.map((group) => group.cache_effect_ms)).toEqual([{ full: null, delta: null }]);
  expect(renderTable(other)).not.toContain('cold less warm');
});

test('a spike of rows that are too short for a 99th percentile is flagged, where it is shown', () => {
  const withSpike = (basis: 'p99' | 'maximum') =>
    renderTable(
      summarizeRows(
        [
          journalRows([
            productionRow({
              metrics: { snapshot_write_spike: 2 },
              measurement: { snapshot_write_spike_basis: 'p99' },
            }),
            productionRow({
              case: DELTA,
              metrics: { snapshot_write_spike: 2 },
              measurement: { snapshot_write_spike_basis: basis },
            }),
          ]),
        ],
        ['snapshot_write_spike'],
      ),
    );
  const flag = 'below 100 measured updates the slowest one stands for p99';
  expect(withSpike('maximum')).toContain(flag);
  expect(withSpike('p99')).not.toContain(flag);
  expect(renderTable(summary)).not.toContain(flag);
});
