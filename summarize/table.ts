// A summary as plain text for a terminal of 80 columns, without colour.

import { visible } from '../harness/record/scrub.js';
import { cacheEffectCells, cacheEffectLegend } from './cache-effect.js';
import { compileEffectCells, compileEffectLegend } from './compile-effect.js';
import { intervalCell, intervalLegend, markLegend } from './interval-phrases.js';
import {
  cellsOf,
  closingNotes,
  groupCounts,
  listsOf,
  partialLegend,
  partialMark,
  settingCell,
  type CellGroups,
  type List,
} from './phrases.js';
import { formatQuantity, formatRatio } from './quantities.js';
import type { GroupSummary, Summary } from './summary-shape.js';
import { turnPartCells, turnPartLegend } from './turn-parts.js';

/** One short of a terminal's 80, where some terminals wrap. */
const WIDTH = 79;
const INDENT = '  ';
const GAP = '  ';
/** Journals may hold long messages; a line of the list stays a line. */
const LONGEST_LINE = 240;

/** One block per cell, then failures, void pairs and totals; ends in the meaning of a ratio and a newline. */
export function renderTable(summary: Summary): string {
  const sections = [
    ...cellsOf(summary).map(cellLines),
    ...listsOf(summary).map(listLines),
    closingNotes(summary, [
      ...intervalLegend(summary),
      ...markLegend(summary),
      ...partialLegend(summary),
      ...cacheEffectLegend(summary),
      ...compileEffectLegend(summary),
      ...turnPartLegend(summary),
    ]),
  ];
  return sections.map((lines) => `${lines.map(visible).join('\n')}\n`).join('\n');
}

/** The lines of a cell: counts of each cadence, then each metric with its cadences below each other. */
function cellLines({ heading, service, groups }: CellGroups): string[] {
  const paired = groups.filter(({ paired_repetitions }) => paired_repetitions > 0);
  return [
    heading,
    ...(service === null ? [] : [`${INDENT}${service}`]),
    ...groups.map((group) => `${INDENT}${groupCounts(group)}`),
    ...tableLines(paired).map((line) => `${INDENT}${line}`),
    ...smallTable(cacheEffectCells(paired)).map((line) => `${INDENT}${line}`),
    ...smallTable(compileEffectCells(paired)).map((line) => `${INDENT}${line}`),
    ...smallTable(turnPartCells(paired)).map((line) => `${INDENT}${line}`),
  ];
}

const HEADER = ['metric', 'full', 'K', 'delta', 'ratio', 'interval'];
const LEFT_ALIGNED: readonly string[] = ['metric', 'interval'];

function tableLines(groups: readonly GroupSummary[]): string[] {
  const [first] = groups;
  if (first === undefined) return [];
  const rows = Object.keys(first.metrics).flatMap((name) =>
    groups.map((group, at) => [at === 0 ? name : '', ...metricCells(group, name)]),
  );
  const widths = HEADER.map((header, at) =>
    Math.max(header.length, ...rows.map((cells) => cells[at]?.length ?? 0)),
  );
  return [HEADER, ...rows].flatMap((cells) => rowLines(cells, widths));
}

function smallTable(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((cells) => cells[at]?.length ?? 0)));
  return rows.map((cells) =>
    cells
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join(GAP),
  );
}

function metricCells(group: GroupSummary, name: string): string[] {
  const metric = group.metrics[name];
  if (metric === undefined) return [];
  return [
    formatQuantity(metric.full_median, metric.unit),
    settingCell(group),
    formatQuantity(metric.delta_median, metric.unit),
    formatRatio(metric.ratio_median) + partialMark(group, name),
    intervalCell(metric),
  ];
}

/** One line, or two where long numbers leave the interval no room beside them. */
function rowLines(cells: readonly string[], widths: readonly number[]): string[] {
  const padded = cells.map((cell, at) =>
    LEFT_ALIGNED.includes(HEADER[at] ?? '') ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0),
  );
  const line = padded.join(GAP).trimEnd();
  if (line.length <= WIDTH - INDENT.length) return [line];
  return [padded.slice(0, -1).join(GAP).trimEnd(), (cells.at(-1) ?? '').padStart(WIDTH - INDENT.length)];
}

function listLines({ heading, lines }: List): string[] {
  return [`${heading}:`, ...lines.map((line) => `${INDENT}${shortened(line)}`)];
}

function shortened(line: string): string {
  return line.length <= LONGEST_LINE ? line : `${line.slice(0, LONGEST_LINE - 1)}…`;
}
