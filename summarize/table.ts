// A summary as plain text for a terminal of 80 columns, without colour.

import { visible } from '../harness/record/scrub.js';
import {
  cadenceLabel,
  cellsOf,
  closingNotes,
  groupCounts,
  listsOf,
  partialMark,
  type CellGroups,
  type List,
} from './phrases.js';
import { formatQuantity, formatRatio } from './quantities.js';
import type { GroupSummary, Summary } from './summary-shape.js';

/** One short of a terminal's 80, where some terminals wrap. */
const WIDTH = 79;
const GAP = '  ';
/** Journals may hold long messages; a line of the list stays a line. */
const LONGEST_LINE = 240;

/** One block per cell, then failures, void pairs and totals; ends in the meaning of a ratio and a newline. */
export function renderTable(summary: Summary): string {
  const sections = [
    ...cellsOf(summary).flatMap(blocksOf),
    ...listsOf(summary).map(listLines),
    closingNotes(summary),
  ];
  return sections.map((lines) => `${lines.map(visible).join('\n')}\n`).join('\n');
}

interface Column {
  readonly header: string;
  readonly cells: readonly string[];
}

interface Block {
  readonly groups: GroupSummary[];
  /** Metric names, full values, then delta and ratio of each cadence; empty until a group has a pair. */
  columns: Column[];
}

/** The lines of a cell: as many cadences side by side as fit and share their full medians, the others below. */
function blocksOf({ heading, groups }: CellGroups): string[][] {
  const blocks: Block[] = [];
  for (const group of groups) {
    const columns = group.paired_repetitions === 0 ? [] : cadenceColumns(group);
    const last = blocks.at(-1);
    if (last !== undefined && fits(last, group, columns)) {
      last.groups.push(group);
      last.columns = joined(last.columns, columns);
    } else {
      blocks.push({ groups: [group], columns });
    }
  }
  return blocks.map((block) => [
    heading,
    ...block.groups.map((group) => `  ${groupCounts(group)}`),
    ...columnLines(block.columns).map((line) => `  ${line}`),
  ]);
}

function fits(block: Block, group: GroupSummary, columns: readonly Column[]): boolean {
  if (columns.length === 0 || block.columns.length === 0) return true;
  const paired = block.groups.find(({ paired_repetitions }) => paired_repetitions > 0);
  const sameFull = paired === undefined || fullValues(paired) === fullValues(group);
  return sameFull && widthOf(joined(block.columns, columns)) + GAP.length <= WIDTH;
}

/** Cadences share one column of full medians only if these come from equal full rows. */
function fullValues({ metrics }: GroupSummary): string {
  return JSON.stringify(Object.values(metrics).map(({ full_median, full_n }) => [full_median, full_n]));
}

/** The columns of a second cadence without those that it shares with the first. */
function joined(columns: readonly Column[], more: readonly Column[]): Column[] {
  return columns.length === 0 ? [...more] : [...columns, ...more.slice(2)];
}

function cadenceColumns(group: GroupSummary): Column[] {
  const metrics = Object.entries(group.metrics);
  return [
    { header: 'metric', cells: metrics.map(([name]) => name) },
    { header: 'full', cells: metrics.map(([, metric]) => formatQuantity(metric.full_median, metric.unit)) },
    {
      header: `delta ${cadenceLabel(group)}`,
      cells: metrics.map(([, metric]) => formatQuantity(metric.delta_median, metric.unit)),
    },
    {
      header: 'ratio',
      cells: metrics.map(([name, metric]) => formatRatio(metric.ratio_median) + partialMark(group, name)),
    },
  ];
}

function columnLines(columns: readonly Column[]): string[] {
  const [first] = columns;
  if (first === undefined) return [];
  const rows = [
    columns.map(({ header }) => header),
    ...first.cells.map((_, at) => columns.map(({ cells }) => cells[at] ?? '')),
  ];
  const widths = columns.map(columnWidth);
  return rows.map((row) => row.map((cell, at) => padded(cell, widths[at] ?? 0, at === 0)).join(GAP));
}

function padded(cell: string, width: number, toTheRight: boolean): string {
  return toTheRight ? cell.padEnd(width) : cell.padStart(width);
}

function columnWidth({ header, cells }: Column): number {
  return Math.max(header.length, ...cells.map((cell) => cell.length));
}

function widthOf(columns: readonly Column[]): number {
  return columns.map(columnWidth).reduce((total, width) => total + GAP.length + width, -GAP.length);
}

function listLines({ heading, lines }: List): string[] {
  return [`${heading}:`, ...lines.map((line) => `  ${shortened(line)}`)];
}

function shortened(line: string): string {
  return line.length <= LONGEST_LINE ? line : `${line.slice(0, LONGEST_LINE - 1)}…`;
}
