// The sentences that the table and the Markdown have in common. Text from a journal comes out as it went in: each
// renderer makes it safe for where it goes.

import { sizeName, workloadName } from '../harness/record/case.js';
import { originDifferences } from './origins.js';
import type { CellFields, GroupSummary, Summary } from './summary-shape.js';

/** The last line of every report. */
const RATIO_LEGEND = 'ratio: median of paired delta/full ratios; below 1 delta is smaller or faster';

/** Explains the mark of {@link partialMark}. */
const PARTIAL_LEGEND = '*: from fewer pairs than the cell has; CSV and JSON say how many (ratio_n)';

/** How many failures and void pairs a report lists by name. */
const LISTED = 10;

/** The groups of one cell, in the order of their cadence. */
export interface CellGroups {
  readonly heading: string;
  /** How the service was set up and read; null where there is none. */
  readonly service: string | null;
  readonly groups: readonly GroupSummary[];
}

/** The groups of a summary, cell by cell, in their order. */
export function cellsOf({ groups }: Summary): CellGroups[] {
  const cells = new Map<string, CellGroups & { readonly groups: GroupSummary[] }>();
  for (const group of groups) {
    const { service } = group;
    const heading = cellHeading(group);
    const key = JSON.stringify([heading, service]);
    const cell = cells.get(key) ?? { heading, service, groups: [] };
    cells.set(key, cell);
    cell.groups.push(group);
  }
  return [...cells.values()];
}

/** What the delta rows of a group are set to, below the heading K: `10`, `10 memory`. */
export function settingCell({ snapshot_frequency: k, history_cache: cache }: DeltaSettingOf): string {
  return `${String(k)}${cache === null || cache === 'off' ? '' : ` ${cache}`}`;
}

type DeltaSettingOf = Pick<GroupSummary, 'snapshot_frequency' | 'history_cache'>;

/** `K=10`, or `full only` for a cell without delta rows. */
function settingLabel(group: GroupSummary): string {
  return group.snapshot_frequency === null ? 'full only' : `K=${settingCell(group)}`;
}

/** `K=10: 3 pairs, 1 failed row`, and void pairs and profiled rows where there are any. */
export function groupCounts(group: GroupSummary): string {
  const parts = [counted(group.paired_repetitions, 'pair'), counted(group.failed_rows, 'failed row')];
  if (group.voided_pairs > 0) parts.push(counted(group.voided_pairs, 'void pair'));
  if (group.profiled_rows > 0) parts.push(counted(group.profiled_rows, 'profiled row'));
  return `${settingLabel(group)}: ${parts.join(', ')}`;
}

/** `*` behind a ratio that some of the group's pairs, but not all, gave. */
export function partialMark(group: GroupSummary, metric: string): '*' | '' {
  const ratios = group.metrics[metric]?.ratio_n ?? 0;
  return ratios > 0 && ratios < group.paired_repetitions ? '*' : '';
}

/** A heading and its lines. */
export interface List {
  readonly heading: string;
  readonly lines: readonly string[];
}

/** What follows the cells where there is any: failures, void pairs and in what pooled rows differ. */
export function listsOf(summary: Summary): List[] {
  return [failureList(summary), voidList(summary), poolingList(summary)].filter(
    ({ lines }) => lines.length > 0,
  );
}

/** Explains {@link partialMark} where a metric has it. */
export function partialLegend({ groups }: Summary): string[] {
  const partial = groups.some((group) =>
    Object.keys(group.metrics).some((metric) => partialMark(group, metric) !== ''),
  );
  return partial ? [PARTIAL_LEGEND] : [];
}

/** Where a spike is told of rows that are too short for it. */
function spikeLegend({ groups }: Summary): string[] {
  const isShort = groups.some(
    (group) => 'snapshot_write_spike' in group.metrics && group.snapshot_write_spike_basis === 'maximum',
  );
  return isShort ? ['snapshot_write_spike: below 100 measured updates the slowest one stands for p99'] : [];
}

/** The last lines: what was read, the legend of the report's own marks, and what the ratio means. */
export function closingNotes(summary: Summary, legend: readonly string[]): string[] {
  return [totalsLine(summary), ...leftOutLine(summary), ...spikeLegend(summary), ...legend, RATIO_LEGEND];
}

/** `1 pair`, `2 pairs`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function failureList({ failures, journals }: Summary): List {
  const lines = failures.map(({ case: c, journal, reason, message }) => {
    const where = journals.length > 1 ? `${journal} ${c}` : c;
    return `${where}: ${reason}: ${message}`;
  });
  return firstOf(counted(failures.length, 'failed row'), lines);
}

function voidList({ voids, journals }: Summary): List {
  const lines = voids.map(({ cell, repetition, journal, reason, ...setting }) => {
    const where = journals.length > 1 ? `${journal} ${cell}` : cell;
    return `${where} K=${settingCell(setting)} repetition ${repetition}: ${reason}`;
  });
  return firstOf(`${counted(voids.length, 'void pair')}, whose full and delta states do not agree`, lines);
}

function totalsLine({ rows }: Summary): string {
  const superseded = rows.total - rows.latest;
  const parts = [
    counted(rows.total, 'row') + (superseded > 0 ? ` (${superseded} superseded)` : ''),
    `${rows.failed} failed`,
    `${rows.profiled} profiled`,
    counted(rows.voided_pairs, 'void pair'),
    ...(rows.mode_undecided > 0
      ? [`${counted(rows.mode_undecided, 'row')} whose mode could not be shown (storage_stats_error)`]
      : []),
  ];
  return parts.join(', ');
}

function leftOutLine({ rows }: Summary): string[] {
  const parts = [
    ...(rows.torn_lines > 0 ? [counted(rows.torn_lines, 'torn line')] : []),
    ...(rows.skipped_lines > 0 ? [counted(rows.skipped_lines, 'malformed line')] : []),
  ];
  return parts.length === 0 ? [] : [`left out: ${parts.join(', ')}`];
}

function poolingList({ provenance: [first, ...others] }: Summary): List {
  const facts = first === undefined ? [] : others.flatMap((other) => originDifferences(first, other));
  return firstOf('Rows are pooled although they differ in', [...new Set(facts)]);
}

function cellHeading(cell: CellFields): string {
  const { backend, payload_bytes, payload_entropy, seed } = cell;
  return `${backend} ${workloadName(cell)} ${sizeName(cell)} p=${payload_bytes} ${payload_entropy} seed ${seed}`;
}

function firstOf(heading: string, lines: readonly string[]): List {
  const more = lines.length - LISTED;
  return { heading, lines: [...lines.slice(0, LISTED), ...(more > 0 ? [`and ${more} more`] : [])] };
}
