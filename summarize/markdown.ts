// A summary as GitHub Markdown: one table per cell, the same content as the terminal's.

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

/** A section per cell, then failures, void pairs, totals and the meaning of a ratio; ends in a newline. */
export function renderMarkdown(summary: Summary): string {
  const sections = [
    ...cellsOf(summary).map(cellSection),
    ...listsOf(summary).map(listSection),
    closingNotes(summary)
      .map((note) => `${escaped(note)}\n`)
      .join('\n'),
  ];
  return sections.join('\n');
}

function cellSection({ heading, groups }: CellGroups): string {
  const counts = groups.map((group) => `- ${escaped(groupCounts(group))}\n`).join('');
  const table = cellTable(groups.filter(({ paired_repetitions }) => paired_repetitions > 0));
  return `## ${escaped(heading)}\n\n${counts}${table === '' ? '' : `\n${table}`}`;
}

function cellTable(groups: readonly GroupSummary[]): string {
  const [first] = groups;
  if (first === undefined) return '';
  const header = ['metric', ...groups.flatMap(groupHeader)];
  const rows = Object.keys(first.metrics).map((name) => [
    name,
    ...groups.flatMap((group) => groupCells(group, name)),
  ]);
  const rule = header.map((_, at) => (at === 0 ? '---' : '---:'));
  return [header, rule, ...rows].map((cells) => `| ${cells.map(escaped).join(' | ')} |\n`).join('');
}

/** Each cadence has its own full column: its pairs need not be the pairs of another cadence. */
function groupHeader(group: GroupSummary): string[] {
  const cadence = cadenceLabel(group);
  return [`full ${cadence}`, `delta ${cadence}`, `ratio ${cadence}`];
}

function groupCells(group: GroupSummary, name: string): string[] {
  const metric = group.metrics[name];
  if (metric === undefined) return ['', '', ''];
  return [
    formatQuantity(metric.full_median, metric.unit),
    formatQuantity(metric.delta_median, metric.unit),
    formatRatio(metric.ratio_median) + partialMark(group, name),
  ];
}

function listSection({ heading, lines }: List): string {
  return `${escaped(`${heading}:`)}\n\n${lines.map((line) => `- ${escaped(line)}\n`).join('')}`;
}

/** Text that Markdown and HTML take as text: one line, no markup, no table cell of its own. */
function escaped(text: string): string {
  return visible(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[\\`*[\]|~]/g, String.raw`\$&`);
}
