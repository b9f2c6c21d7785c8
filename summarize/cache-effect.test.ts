import { expect, test } from 'vitest';
import { deltaRow, fullRow, journalRows } from '../fixtures/journals/rows.js';
import type { HistoryCacheName } from '../harness/record/names.js';
import type { Row } from '../harness/record/row.js';
import { renderCsv } from './csv.js';
import { renderMarkdown } from './markdown.js';
import { summarizeRows } from './summary.js';
import { renderTable } from './table.js';

const cached = (history_cache: Exclude<HistoryCacheName, 'off'>) => ({ case: { history_cache } });

/** Three repetitions: full, delta at K=10 raw, remembered in memory and walked directly. */
const ROWS: Row[] = [1, 2, 3].flatMap((repetition) => [
  fullRow(repetition, { write_p50_ms: 4, warm_read_ms: 2, logical_bytes: 100 }),
  deltaRow(10, repetition, { write_p50_ms: 8 * repetition, warm_read_ms: 20, logical_bytes: 10 }),
  deltaRow(
    10,
    repetition,
    { write_p50_ms: 4 * repetition, warm_read_ms: 2, logical_bytes: 10 },
    cached('memory'),
  ),
  deltaRow(10, repetition, { write_p50_ms: 8 * repetition, warm_read_ms: 5 }, cached('direct')),
]);

const summaryOf = (rows: readonly Row[]) =>
  summarizeRows([journalRows([...rows])], ['logical_bytes', 'write_p50_ms', 'warm_read_ms']);

test('each history cache is a group of its own, paired with the same full rows', () => {
  const { groups } = summaryOf(ROWS);

  expect(groups.map((group) => [group.snapshot_frequency, group.history_cache])).toEqual([
    [10, 'off'],
    [10, 'memory'],
    [10, 'direct'],
  ]);
  expect(groups.map(({ metrics }) => metrics['warm_read_ms']?.ratio_median)).toEqual([10, 1, 2.5]);
  expect(groups.map((group) => group.paired_repetitions)).toEqual([3, 3, 3]);
});

test('the effect is the ratio of the raw rows to those with the cache, repetition by repetition, for times', () => {
  const [off, memory, direct] = summaryOf(ROWS).groups;

  expect(off?.raw_over_cached).toEqual({});
  expect(Object.keys(memory?.raw_over_cached ?? {})).toEqual(['write_p50_ms', 'warm_read_ms']);
  expect(memory?.raw_over_cached).toMatchObject({
    write_p50_ms: { ratio_median: 2, ratio_n: 3 },
    warm_read_ms: { ratio_median: 10, ratio_n: 3, outcome: 'higher' },
  });
  expect(direct?.raw_over_cached).toMatchObject({
    write_p50_ms: { ratio_median: 1 },
    warm_read_ms: { ratio_median: 4 },
  });
});

test('there is none without raw rows at the same cadence', () => {
  const raw = ROWS.filter((row) => row.case.mode === 'delta' && row.case.history_cache === undefined);
  const without = ROWS.filter((row) => !raw.includes(row));

  expect(summaryOf(without).groups.map((group) => group.raw_over_cached)).toEqual([{}, {}]);
  expect(renderTable(summaryOf(without))).not.toContain('without / with');
});

test('the reports name the cache beside the cadence and have the effect', () => {
  const summary = summaryOf(ROWS);

  expect(renderTable(summary)).toContain('  K=10 memory: 3 pairs, 0 failed rows\n');
  expect(renderTable(summary)).toMatch(/ {2}without \/ with {2,}K {2,}ratio/);
  expect(renderTable(summary)).toMatch(/ {2}warm_read_ms {4}10 memory {3}10\.0x/);
  expect(renderMarkdown(summary)).toContain('| warm_read_ms | 10 direct | 4.000x |');
  expect(renderCsv(summary).split('\n')[0]).toContain('snapshot_frequency,history_cache,');
  expect(renderCsv(summary)).toContain(',10,memory,3,');
});
