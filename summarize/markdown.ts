// A summary as GitHub Markdown: one table per cell, the same content as the terminal's.

import { visible } from '../harness/record/scrub.js';
import { cacheEffectCells, cacheEffectLegend } from './cache-effect.js';
import { compileEffectCells, compileEffectLegend } from './compile-effect.js';
import { intervalLegend, intervalText, OUTCOME_WORDS } from './interval-phrases.js';
import {
  cellsOf,
  closingNotes,
  groupCounts,
  listsOf,
  settingCell,
  type CellGroups,
  type List,
} from './phrases.js';
import { formatPercent, formatQuantity, formatRatio } from './quantities.js';
import type { GroupSummary, Summary } from './summary-shape.js';
import { turnPartCells, turnPartLegend } from './turn-parts.js';

/** A section per cell, then failures, void pairs, totals and the meaning of a ratio; ends in a newline. */
export function renderMarkdown(summary: Summary): string {
  const sections = [
    ...cellsOf(summary).map(cellSection),
    ...listsOf(summary).map(listSection),
    closingNotes(summary, [
      ...intervalLegend(summary),
      ...cacheEffectLegend(summary),
      ...compileEffectLegend(summary),
      ...turnPartLegend(summary),
    ])
      .map((note) => `${escapedMarkdown(note)}\n`)
      .join('\n'),
  ];
  return sections.join('\n');
}

function cellSection({ heading, service, groups }: CellGroups): string {
  const counts = groups.map((group) => `- ${escapedMarkdown(groupCounts(group))}\n`).join('');
  const paired = groups.filter(({ paired_repetitions }) => paired_repetitions > 0);
  const tables = [
    cellTable(paired),
    smallTable(cacheEffectCells(paired)),
    smallTable(compileEffectCells(paired)),
    smallTable(turnPartCells(paired)),
  ].filter((table) => table !== '');
  const setting = service === null ? '' : `${escapedMarkdown(service)}\n\n`;
  return `## ${escapedMarkdown(heading)}\n\n${setting}${counts}${tables.map((table) => `\n${table}`).join('')}`;
}

type MetricCells = readonly string[];

const HEADER: MetricCells = [
  'metric',
  'K',
  'n',
  'full',
  'delta',
  'ratio',
  'interval',
  'coverage',
  'min',
  'max',
  'outcome',
];

/** How GitHub aligns a column: text to the left, numbers to the right. */
const RULE: MetricCells = HEADER.map((name) => (name === 'metric' || name === 'outcome' ? '---' : '---:'));

function cellTable(groups: readonly GroupSummary[]): string {
  const [first] = groups;
  if (first === undefined) return '';
  const lines = Object.keys(first.metrics).flatMap((name) => groups.map((group) => metricCells(group, name)));
  return tableText([HEADER, RULE, ...lines]);
}

function smallTable([header, ...rows]: readonly (readonly string[])[]): string {
  if (header === undefined) return '';
  return tableText([header, header.map((_, at) => (at === 0 ? '---' : '---:')), ...rows]);
}

function tableText(lines: readonly (readonly string[])[]): string {
  return lines.map((cells) => `| ${cells.map(escapedMarkdown).join(' | ')} |\n`).join('');
}

function metricCells(group: GroupSummary, name: string): MetricCells {
  const metric = group.metrics[name];
  if (metric === undefined) return HEADER.map(() => '');
  const interval = intervalText(metric);
  return [
    name,
    settingCell(group),
    String(metric.ratio_n),
    formatQuantity(metric.full_median, metric.unit),
    formatQuantity(metric.delta_median, metric.unit),
    formatRatio(metric.ratio_median),
    interval,
    interval === '' || metric.ratio_coverage === null ? '' : formatPercent(metric.ratio_coverage),
    formatRatio(metric.ratio_min),
    formatRatio(metric.ratio_max),
    metric.ratio_n === 0 ? '' : OUTCOME_WORDS[metric.outcome],
  ];
}

function listSection({ heading, lines }: List): string {
  return `${escapedMarkdown(`${heading}:`)}\n\n${lines.map((line) => `- ${escapedMarkdown(line)}\n`).join('')}`;
}

/** Text that Markdown and HTML take as text: one line, no markup, no table cell of its own. */
export function escapedMarkdown(text: string): string {
  return visible(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[\\`*[\]|~]/g, String.raw`\$&`);
}
