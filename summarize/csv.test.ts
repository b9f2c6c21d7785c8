import { expect, test } from 'vitest';
import { deltaRow, fullRow, journalRows } from '../fixtures/journals/rows.js';
import { renderCsv } from './csv.js';
import { summarizeRows } from './summary.js';

const HEADER =
  'workload,backend,updates,payload_bytes,payload_entropy,seed,pipeline_nodes,service,snapshot_frequency,history_cache,paired_repetitions,failed_rows,' +
  'voided_pairs,profiled_rows,metric,unit,full_median,delta_median,ratio_median,ratio_n,ratio_min,ratio_max,' +
  'ratio_low,ratio_high,ratio_coverage,ratio_method,outcome';

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
    'append,sqlite,25,256,words,42,,,10,off,1,0,0,0,logical_bytes,bytes,3,1,0.3333333333333333,1,0.3333333333333333,0.3333333333333333,,,,,too_few_to_tell',
    'append,sqlite,25,256,words,42,,,10,off,1,0,0,0,write_p50_ms,ms,0,2,,0,,,,,,,too_few_to_tell',
    'append,sqlite,25,256,words,42,,,100,off,1,0,0,0,logical_bytes,bytes,3,6,2,1,2,2,,,,,too_few_to_tell',
    'append,sqlite,25,256,words,42,,,100,off,1,0,0,0,write_p50_ms,ms,0,,,0,,,,,,,too_few_to_tell',
    'append,sqlite,50,256,words,42,,,,,0,0,0,0,logical_bytes,bytes,,,,0,,,,,,,too_few_to_tell',
    'append,sqlite,50,256,words,42,,,,,0,0,0,0,write_p50_ms,ms,,,,0,,,,,,,too_few_to_tell',
    '',
  ]);
});

test('an interval has its ends, its coverage as a share, its method and its outcome', () => {
  const rows = [0.5, 0.75, 0.875].flatMap((delta, index) => [
    fullRow(index + 1, { write_p50_ms: 1 }),
    deltaRow(10, index + 1, { write_p50_ms: delta }),
  ]);

  expect(renderCsv(summarizeRows([journalRows(rows)], ['write_p50_ms']))).toMatch(
    /,write_p50_ms,ms,1,0\.75,0\.75,3,0\.5,0\.875,0\.5,0\.875,0\.75,order_statistics,lower\n$/,
  );
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
  const groups = summary.groups.map((group) => ({ ...group, workload }));

  expect(renderCsv({ ...summary, groups })).toBe(
    `${HEADER}\n${cell},sqlite,25,256,words,42,,,10,off,1,0,0,0,logical_bytes,bytes,,,,0,,,,,,,too_few_to_tell\n`,
  );
});

test('a negative number of ours stays a number', () => {
  const rows = [fullRow(1, { cpu_user_ms: 2 }), deltaRow(10, 1, { cpu_user_ms: -1 })];

  expect(renderCsv(summarizeRows([journalRows(rows)], ['cpu_user_ms']))).toMatch(
    /,cpu_user_ms,ms,2,-1,-0\.5,1,-0\.5,-0\.5,,,,,too_few_to_tell\n$/,
  );
});

test('without a group there is only the header', () => {
  expect(renderCsv(summarizeRows([], []))).toBe(`${HEADER}\n`);
});
