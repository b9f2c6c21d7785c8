// A verification as plain text: a row a scenario, a column a backend, then each finding with its witness.

import { KNOWN_DEFECTS } from '../harness/record/known-defects.js';
import { cellName } from '../harness/record/scenario-cell.js';
import { visible } from '../harness/record/scrub.js';
import type { JudgedFinding, Judgement, ScenarioVerdict, Verification } from './judge-scenarios.js';

/** Findings that are told in full for each scenario and backend; the others are counted. */
const SHOWN_FINDINGS = 3;

export function renderVerification(verification: Verification): string {
  const sections = [
    ...(verification.judgements.length === 0 ? [] : [tableLines(verification), [subjectLine(verification)]]),
    ...witnesses(verification).map(({ about, lines }) => [about, ...lines.map((line) => `  ${line}`)]),
    knownLines(verification),
    skippedLines(verification),
    [totalsLine(verification)],
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.map(visible).join('\n')}\n`)
    .join('\n');
}

/** `holds`, `known L1 L9`, `violated (L1)`, `undecided`; then the same of migration where it is another. */
export function verdictCell({ verdict, migration, findings }: Judgement): string {
  const isMigration = ({ finding }: JudgedFinding) => finding.witness === 'migration';
  const storage = verdictText(
    verdict,
    findings.filter((judged) => !isMigration(judged)),
  );
  if (migration === null || migration === 'holds' || migration === 'undecided') return storage;
  return `${storage}; migration ${verdictText(migration, findings.filter(isMigration))}`;
}

function verdictText(verdict: ScenarioVerdict, findings: readonly JudgedFinding[]): string {
  const ids = KNOWN_DEFECTS.map(({ id }) => id).filter((id) => findings.some(({ defect }) => defect === id));
  if (ids.length === 0) return verdict;
  const known = ids.join(' ');
  return verdict === 'known' ? `known ${known}` : `${verdict} (${known})`;
}

export function findingLines({ finding, again }: JudgedFinding): string[] {
  const where = [
    finding.cell === null ? null : cellName(finding.cell),
    `step ${finding.step}`,
    finding.witness,
  ];
  return [
    `${where.filter((part) => part !== null).join(', ')}: ${finding.signature}`,
    ...(finding.expected === '' ? [] : [`  expected ${finding.expected}`]),
    ...(finding.actual === '' ? [] : [`  found    ${finding.actual}`]),
    ...finding.evidence.map((line) => `  ${line}`),
    `  again: ${again}`,
  ];
}

/** A header, then a row a scenario with a cell for each backend. */
export function verdictRows({ judgements }: Verification): string[][] {
  const backends = [...new Set(judgements.map(({ backend }) => backend))];
  const scenarios = [...new Set(judgements.map(({ scenario }) => scenario))];
  const cellOf = (scenario: string, backend: string) =>
    // Runs with several seeds that agree say it once.
    [
      ...new Set(judgements.filter((j) => j.scenario === scenario && j.backend === backend).map(verdictCell)),
    ].join(', ') || 'not applicable';
  return [
    ['scenario', ...backends],
    ...scenarios.map((scenario) => [scenario, ...backends.map((backend) => cellOf(scenario, backend))]),
  ];
}

/** The defects of the ledger that showed or were looked for, each with whether it is gone. */
export function toldDefects({ shown, gone }: Verification) {
  return KNOWN_DEFECTS.filter(({ id }) => shown.includes(id) || gone.includes(id)).map((defect) => ({
    ...defect,
    isGone: gone.includes(defect.id),
  }));
}

function tableLines(verification: Verification): string[] {
  const all = verdictRows(verification);
  const widths =
    all[0]?.map((_, column) => Math.max(...all.map((cells) => cells[column]?.length ?? 0))) ?? [];
  return all.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** What is shown of a scenario on a backend that does not pass. */
interface Witnesses {
  readonly about: string;
  readonly lines: readonly string[];
}

/** Where something is new or undecided; where known defects fail too, also of these. */
export function witnesses({ judgements, strict }: Verification): Witnesses[] {
  const failing: readonly (ScenarioVerdict | null)[] = [
    'violated',
    'undecided',
    ...(strict ? ['known' as const] : []),
  ];
  return judgements
    .filter(({ verdict, migration }) => failing.includes(verdict) || failing.includes(migration))
    .map(({ scenario, backend, verdict, reason, findings }) => {
      const told = findings.filter(({ defect }) => strict || defect === null);
      const left = told.length - SHOWN_FINDINGS;
      return {
        about: `${scenario} on ${backend}: ${verdict}${reason === null ? '' : `. ${reason}`}`,
        lines: [
          ...told.slice(0, SHOWN_FINDINGS).flatMap(findingLines),
          ...(left > 0 ? [`and ${left} more, in the journal`] : []),
        ],
      };
    });
}

function knownLines(verification: Verification): string[] {
  return toldDefects(verification).map(({ id, isGone, what, advice }) =>
    isGone ? `${id} did not show here: ${what}.` : `${id}: ${what}. ${advice}`,
  );
}

/** What was verified, in a line. */
export function subjectLine({ packages, wrapper }: Verification): string {
  const versions = Object.entries(packages).map(([name, version]) => `${name} ${version}`);
  return `Verified${wrapper === null ? '' : ` with --wrapper ${wrapper}`}: ${versions.join(', ')}.`;
}

export function totalsLine({ judgements, strict }: Verification): string {
  const all = judgements.flatMap(({ verdict, migration }) =>
    migration === null ? [verdict] : [verdict, migration],
  );
  const count = (verdict: ScenarioVerdict) => all.filter((one) => one === verdict).length;
  const comparisons = judgements.reduce((sum, judgement) => sum + judgement.comparisons, 0);
  return (
    `${all.length} ${all.length === 1 ? 'verdict' : 'verdicts'} from ${comparisons} comparisons: ` +
    `${count('holds')} hold, ${count('known')} known, ${count('violated')} violated, ` +
    `${count('undecided')} undecided.${strict && count('known') > 0 ? ' With --strict what is known fails too.' : ''}`
  );
}

/** One line for each reason. */
function skippedLines({ skipped }: Verification): string[] {
  const reasons = [...new Set(skipped.map(({ reason }) => reason))];
  return reasons.map((reason) => {
    const names = skipped.filter((one) => one.reason === reason).map(({ scenario }) => scenario);
    return names.length === 1
      ? `${names.join()} was skipped: ${reason}`
      : `${names.length} scenarios were skipped: ${reason} (${names.join(', ')})`;
  });
}
