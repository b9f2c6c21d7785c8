// A verification as Markdown, for the summary of a CI step.

import type { Verification } from './judge-scenarios.js';
import { escapedMarkdown } from './markdown.js';
import { subjectLine, toldDefects, totalsLine, verdictRows, witnesses } from './verification-table.js';

export function renderVerificationMarkdown(verification: Verification): string {
  const [header = [], ...rows] = verdictRows(verification);
  const line = (cells: readonly string[]) => `| ${cells.map(escapedMarkdown).join(' | ')} |`;
  const news = witnesses(verification).flatMap(({ about, lines }) => [
    `### ${escapedMarkdown(about)}`,
    '',
    ...lines.map((text) => `    ${text}`),
    '',
  ]);
  return [
    '# Verification',
    '',
    escapedMarkdown(subjectLine(verification)),
    '',
    line(header),
    line(header.map(() => '---')),
    ...rows.map(line),
    '',
    totalsLine(verification),
    '',
    ...news,
    ...toldDefects(verification).map(
      ({ id, isGone, what, advice }) => `- **${id}**${isGone ? ' (gone)' : ''}: ${what}. ${advice}`,
    ),
    ...verification.skipped.map(
      ({ scenario, reason }) => `- ${scenario} was skipped: ${escapedMarkdown(reason)}`,
    ),
    '',
  ].join('\n');
}
