import { expect, test } from 'vitest';
import { deltaRow, fullRow, journalRows } from '../fixtures/journals/rows.js';
import { renderCsv } from './csv.js';
import { summarizeRows } from './summary.js';
import type { GroupSummary } from './summary-shape.js';

const HEADER =
  'workload,backend,updates,payload_bytes,payload_entropy,seed,snapshot_frequency,paired_repetitions,failed_rows,' +
  'voided_pairs,profiled_rows,metric,unit,full_median,delta_median,ratio_median,ratio_n';

test('there is one line per cell, cadence and metric, blank where nothing can be computed', () => {
  const rows = [
    fullRow(1, { logical_bytes: 3, write_p50_ms: 0 }),
    deltaRow(10, 1, { logical_bytes: 1, write_p50_ms: 2 }),
    deltaRow(100, 1, { logical_bytes: 6, write_p50_ms: null }),
    fullRow(1, {}, { case: { updates: 50 } }),
  ];

  const csv = renderCsv(summarizeRows([journalRows(rows)], ['logical_bytes', 'write_p50_ms']));

  expect(csv.split('\n')).toEqual([
    HEADER,
    'append,sqlite,25,256,words,42,10,1,0,0,0,logical_bytes,bytes,3,1,0.3333333333333333,1',
    'append,sqlite,25,256,words,42,10,1,0,0,0,write_p50_ms,ms,0,2,,0',
    'append,sqlite,25,256,words,42,100,1,0,0,0,logical_bytes,bytes,3,6,2,1',
    'append,sqlite,25,256,words,42,100,1,0,0,0,write_p50_ms,ms,0,,,0',
    'append,sqlite,50,256,words,42,,0,0,0,0,logical_bytes,bytes,,,,0',
    'append,sqlite,50,256,words,42,,0,0,0,0,write_p50_ms,ms,,,,0',
    '',
  ]);
});

test.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\tx', "'\tx"],
  ['\rx', '"\'\rx"'],
  ['="a",b', '"\'=""a"",b"'],
])('the text %j cannot become a formula or another cell', (workload, cell) => {
  const summary = summarizeRows([journalRows([fullRow(1), deltaRow(10, 1)])], ['logical_bytes']);
  const groups = summary.groups.map((group) => ({ ...group, workload }) as unknown as GroupSummary);

  expect(renderCsv({ ...summary, groups })).toBe(
    `${HEADER}\n${cell},sqlite,25,256,words,42,10,1,0,0,0,logical_bytes,bytes,,,,0\n`,
  );
});

test('a negative number of ours stays a number', () => {
  const rows = [fullRow(1, { cpu_user_ms: 2 }), deltaRow(10, 1, { cpu_user_ms: -1 })];

  expect(renderCsv(summarizeRows([journalRows(rows)], ['cpu_user_ms']))).toMatch(
    /,cpu_user_ms,ms,2,-1,-0\.5,1\n$/,
  );
});

test('without a group there is only the header', () => {
  expect(renderCsv(summarizeRows([], []))).toBe(`${HEADER}\n`);
});
