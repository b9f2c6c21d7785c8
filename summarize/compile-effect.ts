// What forgetting the compiled graphs costs a read of a thread's state: cold less warm, row by row, for each mode by itself. A
// difference of two times can be negative, so it is no ratio and is compared with nothing.

import type { Row } from '../harness/record/row.js';
import { settingCell } from './phrases.js';
import { formatQuantity } from './quantities.js';
import { describeMedian } from './statistics.js';
import type { CompileEffect, GroupSummary, Summary } from './summary-shape.js';

/** Null where no row has both times. */
export function compileEffectOf(rows: readonly Row[]): CompileEffect | null {
  const differences = rows.flatMap(({ measurement }) => {
    const { state_cold_ms: cold, state_warm_p50_ms: warm } = measurement?.metrics ?? {};
    return cold == null || warm == null ? [] : [cold - warm];
  });
  const { n, median, interval } = describeMedian(differences);
  if (median === null) return null;
  return {
    n,
    median_ms: median,
    low_ms: interval?.low ?? null,
    high_ms: interval?.high ?? null,
    coverage: interval?.coverage ?? null,
  };
}

const HEADER = ['cold less warm', 'n', 'median', 'interval'];

/** The cells of a small table: a header, the full rows, then each setting of delta; empty where nothing is told. */
export function compileEffectCells(groups: readonly GroupSummary[]): string[][] {
  const full = groups.find((group) => group.cache_effect_ms.full !== null)?.cache_effect_ms.full ?? null;
  const rows = [
    ['full', full] as const,
    ...groups.map((group) => [`K=${settingCell(group)}`, group.cache_effect_ms.delta] as const),
  ].flatMap(([label, effect]) =>
    effect === null
      ? []
      : [[label, String(effect.n), formatQuantity(effect.median_ms, 'ms'), intervalOf(effect)]],
  );
  return rows.length === 0 ? [] : [HEADER, ...rows];
}

function intervalOf({ low_ms: low, high_ms: high }: CompileEffect): string {
  if (low === null || high === null) return '';
  return `[${formatQuantity(low, 'ms')}..${formatQuantity(high, 'ms')}]`;
}

/** Explains the table, where there is one. */
export function compileEffectLegend({ groups }: Summary): string[] {
  return compileEffectCells(groups).length === 0
    ? []
    : [
        'cold less warm: state_cold_ms less state_warm_p50_ms of each row; what compiling the graph anew costs',
      ];
}
