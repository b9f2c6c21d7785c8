import { expect, it } from 'vitest';
import { deltaRow, fullRow, journalRows } from '../fixtures/journals/rows.js';
import type { Attribution } from '../harness/record/channels-measurement.js';
import { renderMarkdown } from './markdown.js';
import { summarizeRows } from './summary.js';
import { renderTable } from './table.js';

/** A row's attribution: `turn` milliseconds, of which the walk and the residual are given and the framework is the rest. */
function attribution(turn_ms: number, walk_ms: number, residual_ms: number): { attribution: Attribution } {
  return {
    attribution: {
      turn_ms,
      put_ms: 3,
      put_writes_ms: 2,
      get_tuple_ms: 0,
      list_ms: 0,
      saver_busy_ms: 5,
      overlap_ms: 1,
      storage_ms: null,
      serialization_ms: 4,
      walk_ms,
      replay_ms: 0,
      framework_ms: turn_ms - 4 - walk_ms - residual_ms,
      gc_ms: 0,
      residual_ms,
    },
  };
}

const ROWS = [
  fullRow(1, {}, { measurement: attribution(40, 0, 2) }),
  deltaRow(10, 1, {}, { measurement: attribution(20, 8, 1) }),
  fullRow(2, {}, { measurement: attribution(80, 0, -8) }),
  deltaRow(10, 2, {}, { measurement: attribution(40, 12, 0) }),
  fullRow(3, {}, { measurement: attribution(40, 0, 0) }),
  deltaRow(10, 3, {}, { measurement: attribution(20, 10, 1) }),
];

it('gives the median share of each part over the rows in a pair, and the residual furthest from 0', () => {
  const [group] = summarizeRows([journalRows(ROWS)], []).groups;
  expect(group?.turn_parts).toEqual({
    full: {
      n: 3,
      share: { storage: null, serialization: 0.1, walk: 0, replay: 0, framework: 0.9, gc: 0, residual: 0 },
      worst_residual: -0.1,
    },
    delta: {
      n: 3,
      share: {
        storage: null,
        serialization: 0.2,
        walk: 0.4,
        replay: 0,
        framework: 0.35,
        gc: 0,
        residual: 0.05,
      },
      worst_residual: 0.05,
    },
  });
});

it('shows them below the metrics of a cell, with a dash for a part that is not known', () => {
  const summary = summarizeRows([journalRows(ROWS)], ['logical_bytes']);
  const table = renderTable(summary);
  expect(table).toContain(
    [
      '  part of the turn  storage  serialization   walk  replay  framework    gc  residual',
      '  full                    -          10.0%   0.0%    0.0%      90.0%  0.0%      0.0%',
      '  K=10                    -          20.0%  40.0%    0.0%      35.0%  0.0%      5.0%',
      '',
    ].join('\n'),
  );
  expect(table).toContain('residual: what the parts leave unexplained\n');
  expect(renderMarkdown(summary)).toContain('| K=10 | - | 20.0% | 40.0% | 0.0% | 35.0% | 0.0% | 5.0% |\n');
});

it('says nothing where nothing was metered, nor of rows that are in no pair', () => {
  const silent = summarizeRows([journalRows([fullRow(1), deltaRow(10, 1), ...ROWS.slice(2, 3)])], []);
  expect(silent.groups[0]?.turn_parts).toEqual({ full: null, delta: null });
  expect(renderTable(silent)).not.toContain('part of the turn');
  expect(renderMarkdown(silent)).not.toContain('part of the turn');
});
