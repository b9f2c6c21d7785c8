// A verification as a JUnit report: a test suite a backend, a test case a scenario. The format is that of Ant's JUnit
// task as CI servers read it (https://github.com/testmoapp/junitxml).

import type { Judgement, Verification } from './judge-scenarios.js';
import { findingLines, subjectLine, verdictCell } from './verification-table.js';

export function renderJUnit(verification: Verification): string {
  const { judgements, skipped, strict } = verification;
  const backends = [...new Set(judgements.map(({ backend }) => backend))];
  const suites = backends.map((backend) => {
    const ofBackend = judgements.filter((judgement) => judgement.backend === backend);
    const failures = ofBackend.filter(
      ({ verdict, migration }) =>
        outcomeOf(verdict, strict) === 'violated' || outcomeOf(migration, strict) === 'violated',
    ).length;
    const errors = ofBackend.filter(({ verdict }) => verdict === 'undecided').length;
    const counts = `tests="${ofBackend.length}" failures="${failures}" errors="${errors}"`;
    return [
      `  <testsuite name="${backend}" ${counts}>`,
      `    <properties><property name="verified" value="${escaped(subjectLine(verification))}"/></properties>`,
      ...ofBackend.map((one) => testCase(one, strict)),
      '  </testsuite>',
    ].join('\n');
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites name="deltaproof verify">',
    ...suites,
    ...(skipped.length === 0 ? [] : skippedSuite(skipped)),
    '</testsuites>',
    '',
  ].join('\n');
}

function skippedSuite(skipped: Verification['skipped']): string[] {
  return [
    `  <testsuite name="skipped" tests="${skipped.length}" failures="0" errors="0" skipped="${skipped.length}">`,
    ...skipped.map(
      ({ scenario, reason }) =>
        `    <testcase classname="skipped" name="${scenario}"><skipped message="${escaped(reason)}"/></testcase>`,
    ),
    '  </testsuite>',
  ];
}

function outcomeOf<Verdict>(verdict: Verdict, strict: boolean): Verdict | 'violated' {
  return strict && verdict === 'known' ? 'violated' : verdict;
}

function testCase(judgement: Judgement, strict: boolean): string {
  const { scenario, backend, seed, verdict, reason } = judgement;
  const open = `    <testcase classname="${backend}" name="${scenario}${seed === 1 ? '' : `, seed ${seed}`}">`;
  const news = judgement.findings.filter(({ defect }) => strict || defect === null);
  const isViolated = [verdict, judgement.migration].some((one) => outcomeOf(one, strict) === 'violated');
  const outcome = isViolated ? 'violated' : verdict;
  const text = escaped(news.flatMap(findingLines).join('\n'));
  const known = `<system-out>${escaped(verdictCell(judgement))}</system-out>`;
  const body = {
    holds: judgement.migration === 'known' ? known : '',
    known,
    violated: `<failure message="${escaped(news[0]?.finding.signature ?? '')}">${text}</failure>`,
    undecided: `<error message="${escaped(reason ?? '')}"/>`,
  }[outcome];
  return `${open}${body}</testcase>`;
}

/** Text of an element or attribute; what XML 1.0 has no form for becomes U+FFFD. */
function escaped(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
