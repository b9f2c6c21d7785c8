// What the rows of a verification come to: for each scenario and backend whether it holds, what is known of what does
// not, and what is new. Pure.

import { NO_MODULES, type ModulePaths } from '../harness/record/own-modules.js';
import { isOwnScenario } from '../harness/record/scenarios.js';
import { isAt, isInstalled, knownDefect, type KnownDefect } from '../harness/record/known-defect.js';
import type { Backend } from '../harness/record/names.js';
import type { Finding, ScenarioRow } from '../harness/record/scenario-row.js';
import type { ScenarioName } from '../harness/record/scenarios.js';
import type { WrapperName } from '../harness/record/wrappers.js';
import { EXIT, exitCodeOf, type ExitCode } from '../harness/record/verdict.js';

/** A finding with the defect that explains it; null: it is new. */
export interface JudgedFinding {
  readonly finding: Finding;
  readonly defect: KnownDefect['id'] | null;
  /** The command that shows it again. */
  readonly again: string;
}

export interface JudgeOptions {
  /** A known defect counts as a violation too. */
  readonly strict?: boolean;
  readonly skipped?: readonly SkippedScenario[];
  /** The folder of the packages under test, as a command is given it; null: those that came along. */
  readonly packagesDir?: string | null;
  /** The user's modules as a command names them. */
  readonly modules?: ModulePaths;
}

/** `known`: violated, and the ledger explains all of it. */
export type ScenarioVerdict = 'holds' | 'known' | 'violated' | 'undecided';

export interface Judgement {
  readonly scenario: ScenarioName;
  readonly backend: Backend;
  readonly seed: number;
  /** Storage equivalence: each cell holds what its reducer makes of the scenario. For a check: what was asked. */
  readonly verdict: ScenarioVerdict;
  /** Migration equivalence: messagesDeltaReducer in delta is messagesStateReducer in full. Null without messages. */
  readonly migration: ScenarioVerdict | null;
  readonly findings: readonly JudgedFinding[];
  /** Why nothing is decided; null otherwise. */
  readonly reason: string | null;
  readonly comparisons: number;
}

/** A scenario that was left out, and why. */
export interface SkippedScenario {
  readonly scenario: ScenarioName;
  readonly reason: string;
}

export interface Verification {
  readonly judgements: readonly Judgement[];
  /** Defects of the installed versions that showed, and those that were looked for and did not. */
  readonly shown: readonly KnownDefect['id'][];
  readonly gone: readonly KnownDefect['id'][];
  readonly skipped: readonly SkippedScenario[];
  /** Known defects count as violations. */
  readonly strict: boolean;
  /** Versions under test, and what stood before the savers. */
  readonly packages: Readonly<Record<string, string>>;
  readonly wrapper: WrapperName | null;
  readonly exitCode: ExitCode;
}

export function judgeScenarios(
  rows: readonly ScenarioRow[],
  ledger: readonly KnownDefect[],
  { strict = false, skipped = [], packagesDir = null, modules = NO_MODULES }: JudgeOptions = {},
): Verification {
  const judgements = rows.map((row) => judge(row, ledger, { packagesDir, modules }));
  const known = new Set(judgements.flatMap(({ findings }) => findings.map(({ defect }) => defect)));
  const expected = ledger.filter((defect) => rows.some((row) => isLookedFor(defect, row)));
  const verdicts = new Set(judgements.flatMap(({ verdict, migration }) => [verdict, migration]));
  return {
    judgements,
    skipped,
    strict,
    packages: rows[0]?.provenance.packages ?? {},
    wrapper: rows[0]?.wrapper ?? null,
    shown: ledger.map(({ id }) => id).filter((id) => known.has(id)),
    gone: expected.map(({ id }) => id).filter((id) => !known.has(id)),
    exitCode: exitCodeOf([
      verdicts.has('violated') || (strict && verdicts.has('known')) ? EXIT.correctness : EXIT.fine,
      rows.some((row) => row.failure !== null) ? EXIT.incomplete : EXIT.fine,
      verdicts.has('undecided') ? EXIT.undecided : EXIT.fine,
    ]),
  };
}

function judge(row: ScenarioRow, ledger: readonly KnownDefect[], paths: CommandPaths): Judgement {
  const findings = row.findings.map((finding) => ({
    finding,
    defect: knownDefect(ledger, row.provenance.packages, row, finding),
    again: replayCommand(row, finding, paths),
  }));
  const comparisons = row.cells.reduce((sum, cell) => sum + cell.comparisons, 0);
  const reason = undecidedReason(row);
  return {
    scenario: row.scenario,
    backend: row.backend,
    seed: row.seed,
    verdict: verdictOf(
      findings.filter(({ finding }) => finding.witness !== 'migration'),
      reason,
    ),
    migration: row.cells.some(({ cell }) => cell?.reducer === 'messages_delta')
      ? verdictOf(
          findings.filter(({ finding }) => finding.witness === 'migration'),
          reason,
        )
      : null,
    findings,
    reason,
    comparisons,
  };
}

type CommandPaths = Required<Pick<JudgeOptions, 'packagesDir' | 'modules'>>;

function replayCommand(row: ScenarioRow, { cell }: Finding, { packagesDir, modules }: CommandPaths): string {
  const { scenario, scenario_kind: kind, backend, seed, wrapper, repeats } = row;
  const k = cell?.snapshot_frequency ?? null;
  return [
    `deltaproof verify --scenarios ${scenario} --backends ${backend}`,
    ...(k === null ? [] : [`--snapshot-frequencies ${k}`]),
    ...(seed === 1 ? [] : [`--seeds ${seed}`]),
    ...(repeats === null ? [] : [`--${kind === 'crash' ? 'kills' : 'generate'} ${repeats}`]),
    ...(wrapper === null ? [] : [`--wrapper ${wrapper}`]),
    ...(row.custom_saver === undefined || modules.saver === null ? [] : [`--saver ${modules.saver}`]),
    ...(row.custom_graph === undefined || modules.graph === null ? [] : [`--graph ${modules.graph}`]),
    ...(packagesDir === null ? [] : [`--packages ${packagesDir}`]),
  ].join(' ');
}

/** A violation stands also where a later child did not end well. */
function verdictOf(findings: readonly JudgedFinding[], reason: string | null): ScenarioVerdict {
  if (findings.some(({ defect }) => defect === null)) return 'violated';
  if (reason !== null) return 'undecided';
  return findings.length > 0 ? 'known' : 'holds';
}

function undecidedReason(row: ScenarioRow): string | null {
  if (row.failure !== null) return row.failure.message;
  const idle = row.cells.filter(({ comparisons }) => comparisons === 0).length;
  if (row.cells.length === 0 || idle > 0) return 'Cells that compared nothing prove nothing.';
  return null;
}

function isLookedFor(defect: KnownDefect, row: ScenarioRow): boolean {
  // What a graph of one's own does not do it does not show.
  if (isOwnScenario(row.scenario)) return false;
  const { packages } = row.provenance;
  if (!isInstalled(defect, packages)) return false;
  return defect.sightings.some(
    (sighting) => isInstalled(sighting, packages) && row.cells.some(({ cell }) => isAt(sighting, row, cell)),
  );
}
