// Where the time of the updates goes: each part as a share of the turn, over the rows of a cell.

import { median } from 'simple-statistics';
import type { Row } from '../harness/record/row.js';
import { settingCell } from './phrases.js';
import { formatShare } from './quantities.js';
import type { GroupSummary, Summary, TurnPart, TurnParts } from './summary-shape.js';

const TURN_PARTS = ['storage', 'serialization', 'walk', 'replay', 'framework', 'gc', 'residual'] as const;

/** Null where no row has an attribution of some time. */
export function turnPartsOf(rows: readonly Row[]): TurnParts | null {
  const attributions = rows
    .map((row) => (row.kind === 'row' ? row.measurement?.attribution : undefined))
    .filter((attribution) => attribution !== undefined && attribution.turn_ms > 0);
  if (attributions.length === 0) return null;
  const sharesOf = (part: TurnPart) =>
    attributions.flatMap((attribution) => {
      const ms = attribution?.[`${part}_ms`] ?? null;
      return ms === null || attribution === undefined ? [] : [ms / attribution.turn_ms];
    });
  const share = (part: TurnPart) => {
    const shares = sharesOf(part);
    return shares.length === 0 ? null : median(shares);
  };
  return {
    n: attributions.length,
    share: Object.fromEntries(TURN_PARTS.map((part) => [part, share(part)])) as TurnParts['share'],
    worst_residual: sharesOf('residual').reduce(
      (worst, residual) => (Math.abs(residual) > Math.abs(worst) ? residual : worst),
      0,
    ),
  };
}

/** The cells of a small table: a header, the full rows, then each cadence; empty where nothing is attributed. */
export function turnPartCells(groups: readonly GroupSummary[]): string[][] {
  const rows = [
    ['full', groups.find(({ turn_parts }) => turn_parts.full !== null)?.turn_parts.full ?? null] as const,
    ...groups.map((group) => [`K=${settingCell(group)}`, group.turn_parts.delta] as const),
  ].flatMap(([label, parts]) =>
    parts === null ? [] : [[label, ...TURN_PARTS.map((part) => formatShare(parts.share[part]))]],
  );
  return rows.length === 0 ? [] : [['part of the turn', ...TURN_PARTS], ...rows];
}

/** Explains the table, where there is one. */
export function turnPartLegend({ groups }: Summary): string[] {
  const told = groups.some(({ turn_parts: { full, delta } }) => full !== null || delta !== null);
  return told
    ? ['part of the turn: median share of the time of updates; residual: what the parts leave unexplained']
    : [];
}
