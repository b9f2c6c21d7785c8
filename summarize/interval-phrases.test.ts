import { expect, test } from 'vitest';
import { deltaRow, fullRow, journalRows, type RowOverrides } from '../fixtures/journals/rows.js';
import type { Row } from '../harness/record/row.js';
import { intervalCell, intervalLegend, intervalText, markLegend } from './interval-phrases.js';
import { summarizeMetric } from './metric-summary.js';
import { summarizeRows } from './summary.js';

/** Pairs with these ratios of `write_p50_ms`. */
function pairsOf(ratios: readonly number[]): Row[] {
  return ratios.flatMap((ratio, index) => [
    fullRow(index + 1, { write_p50_ms: 1 }),
    deltaRow(10, index + 1, { write_p50_ms: ratio }),
  ]);
}

test.each([
  [[], '', ''],
  [[0.5], 'too few to tell', ''],
  [[0.5, 0.6], 'too few to tell', '[0.500..0.600]'],
  [[0.5, 0.6, 0.7], '[0.500..0.700]', '[0.500..0.700]'],
  [[0.9, 1, 1.1], '[0.900..1.100] ~1', '[0.900..1.100]'],
  [[0.5, 0.5, 0.5], '', ''],
  [[1, 1, 1], '', ''],
  // [x(2), x(8)] has no width, but the pairs do not agree.
  [[0.1, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.9], '[0.500..0.500]', '[0.500..0.500]'],
  [[0.9, 1, 1, 1, 1, 1, 1, 1, 1.1], '[1.000..1.000] ~1', '[1.000..1.000]'],
])('beside the ratios %j stands %j, and as plain interval %j', (ratios, cell, text) => {
  const metric = summarizeMetric(journalRows(pairsOf(ratios)).pairing.pairs, 'write_p50_ms');

  expect(intervalCell(metric)).toBe(cell);
  expect(intervalText(metric)).toBe(text);
});

test.each([
  [[], [], []],
  [[0.5], ['too few to tell: fewer than 3 pairs gave a ratio'], []],
  [[0.5, 0.5, 0.5], ['no interval: every pair gave the same ratio'], []],
  [[0.5, 0.6, 0.7], ['interval: order statistics of 3 pairs, 75% coverage'], []],
  [
    [0.9, 1, 1.1],
    ['interval: order statistics of 3 pairs, 75% coverage'],
    ['~1: the interval holds 1, so delta and full are not told apart'],
  ],
])('the legend of the ratios %j explains what they show and nothing else', (ratios, legend, marks) => {
  const summary = summarizeRows([journalRows(pairsOf(ratios))], ['write_p50_ms']);

  expect(intervalLegend(summary)).toEqual(legend);
  expect(markLegend(summary)).toEqual(marks);
});

/** One cell for each number of pairs, the cell's number being its updates. */
function cellsOfPairs(...counts: readonly number[]): Row[] {
  return counts.flatMap((count) =>
    Array.from({ length: count }, (_, index) => {
      const cell: RowOverrides = { case: { updates: count } };
      return [
        fullRow(index + 1, { write_p50_ms: 100 }, cell),
        deltaRow(10, index + 1, { write_p50_ms: index + 1 }, cell),
      ];
    }).flat(),
  );
}

test.each([
  [[5], ['order statistics of 5 pairs, 93.75% coverage']],
  [
    [3, 7, 7],
    ['order statistics of 3 pairs, 75% coverage', 'order statistics of 7 pairs, 98.44% coverage'],
  ],
  [[3, 4, 5, 6], ['order statistics of 3 to 6 pairs, 75% to 96.88% coverage']],
  [[24], ['seeded bootstrap of 24 pairs, 95% nominal coverage']],
  [
    [3, 20, 21, 22, 23],
    ['order statistics of 3 pairs, 75% coverage', 'seeded bootstrap of 20 to 23 pairs, 95% nominal coverage'],
  ],
  [[1, 2], []],
])('cells of %j pairs say where their intervals come from', (counts, origins) => {
  const legend = intervalLegend(summarizeRows([journalRows(cellsOfPairs(...counts))], ['write_p50_ms']));

  expect(legend.filter((line) => line.startsWith('interval: '))).toEqual(
    origins.map((origin) => `interval: ${origin}`),
  );
});
