// A verification as Markdown, for the summary of a CI step.

import type { Verification } from './judge-scenarios.js';
import { escapedMarkdown } from './markdown.js';
import { findingLines, toldDefects, verdictRows } from './verification-table.js';

export function renderVerificationMarkdown(verification: Verification): string {
  const [header = [], ...rows] = verdictRows(verification);
  const line = (cells: readonly string[]) => `| ${cells.map(escapedMarkdown).join(' | ')} |`;
  const news = verification.judgements.flatMap((judgement) =>
    judgement.findings
      .filter(({ defect }) => defect === null)
      .flatMap((judged) => [
        `### ${judgement.scenario} on ${judgement.backend}`,
        '',
        ...findingLines(judged).map((text) => `    ${text}`),
        '',
      ]),
  );
  return [
    '# Verification',
    '',
    line(header),
    line(header.map(() => '---')),
    ...rows.map(line),
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
