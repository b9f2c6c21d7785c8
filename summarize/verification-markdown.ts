// A verification as Markdown, for the summary of a CI step.

import { KNOWN_DEFECTS } from '../harness/record/known-defects.js';
import type { Verification } from './judge-scenarios.js';
import { escapedMarkdown } from './markdown.js';
import { findingLines, verdictCell } from './verification-table.js';

export function renderVerificationMarkdown({ judgements, shown, gone }: Verification): string {
  const backends = [...new Set(judgements.map(({ backend }) => backend))];
  const scenarios = [...new Set(judgements.map(({ scenario }) => scenario))];
  const cellOf = (scenario: string, backend: string) =>
    judgements
      .filter((judgement) => judgement.scenario === scenario && judgement.backend === backend)
      .map(verdictCell)
      .join(', ') || 'not applicable';
  const news = judgements.flatMap((judgement) =>
    judgement.findings
      .filter(({ defect }) => defect === null)
      .map((judged) => [
        `### ${judgement.scenario} on ${judgement.backend}`,
        '',
        ...findingLines(judgement, judged).map((line) => `    ${line}`),
        '',
      ]),
  );
  return [
    '# Verification',
    '',
    `| scenario | ${backends.join(' | ')} |`,
    `| --- | ${backends.map(() => '---').join(' | ')} |`,
    ...scenarios.map(
      (scenario) =>
        `| ${scenario} | ${backends.map((backend) => escapedMarkdown(cellOf(scenario, backend))).join(' | ')} |`,
    ),
    '',
    ...news.flat(),
    ...KNOWN_DEFECTS.filter(({ id }) => shown.includes(id) || gone.includes(id)).map(
      ({ id, what, advice }) => `- **${id}**${gone.includes(id) ? ' (gone)' : ''}: ${what}. ${advice}`,
    ),
    '',
  ].join('\n');
}
