// `deltaproof verify --self-test`: the honest savers, which must show nothing that the ledger does not explain, then savers
// that lie, one after the other, each through the scenarios until one catches it.

import { buildVerifyPlan } from '../verify/matrix.js';
import { runScenarios } from '../../harness/controller/run-scenarios.js';
import { KNOWN_DEFECTS } from '../../harness/record/known-defects.js';
import { LIARS, LIAR_NAMES, type LiarName } from '../../harness/record/liars.js';
import type { ScenarioRow } from '../../harness/record/scenario-row.js';
import { EXIT, exitCodeOf, type ExitCode } from '../../harness/record/verdict.js';
import type { VerifyCase } from '../../harness/record/verify-case.js';
import { judgeScenarios } from '../../summarize/judge-scenarios.js';
import { listenForStop, type StopSignals } from './stop-signals.js';
import type { VerifyContext } from './verify-context.js';

/** What became of a saver. */
interface Trial {
  /** Null: the honest savers. */
  readonly liar: LiarName | null;
  /** The scenario that caught it and where; null when none did. */
  readonly caughtBy: Catch | null;
}

interface Catch {
  readonly scenario: string;
  readonly backend: string;
  /** The witness, or how the child ended that the saver brought down. */
  readonly witness: string;
}

const TRIED = [null, ...LIAR_NAMES];
/** With snapshots in every scenario, and without any. */
const CADENCES = [3, 1000];

export async function selfTest(context: VerifyContext): Promise<ExitCode> {
  const { stdout, stderr } = context.streams;
  const stop = listenForStop(() => stderr.write('Interrupted: finishing the scenarios in flight.\n'));
  const trials: Trial[] = [];
  try {
    for (const liar of TRIED) {
      const caughtBy = await firstCatch(liar, context, stop);
      if (stop.stopStarting.aborted) break;
      const trial = { liar, caughtBy };
      trials.push(trial);
      if (!context.quiet) stderr.write(`[${trials.length}/${TRIED.length}] ${trialText(trial)}\n`);
      // What accuses an honest saver proves nothing of one that lies.
      if (!isRight(trial) && liar === null) break;
    }
  } finally {
    stop.release();
  }
  stdout.write(context.json ? `${JSON.stringify(trials, null, 2)}\n` : scoreText(trials));
  return exitCodeOf([
    trials.every(isRight) ? EXIT.fine : EXIT.correctness,
    stop.stopStarting.aborted ? EXIT.interrupted : EXIT.fine,
  ]);
}

/** Runs the scenarios until one shows what the ledger does not explain. */
async function firstCatch(
  liar: LiarName | null,
  context: VerifyContext,
  stop: StopSignals,
): Promise<Catch | null> {
  const found = new AbortController();
  let caught: Catch | null = null;
  const plan = buildVerifyPlan({ ...context.plan, snapshotFrequencies: CADENCES, liar });
  const isFirst = ({ scenario }: VerifyCase) => liar !== null && scenario === LIARS[liar].tryFirst;
  await runScenarios([...plan.filter(isFirst), ...plan.filter((c) => !isFirst(c))], {
    ...context,
    stopStarting: AbortSignal.any([stop.stopStarting, found.signal]),
    stopNow: AbortSignal.any([stop.stopNow, found.signal]),
    onRows(_, rows) {
      caught ??= rows.map(catchIn).find((one) => one !== null) ?? null;
      if (caught !== null) found.abort();
    },
  });
  return caught;
}

/** A new finding, or a child that the saver has brought down. */
function catchIn(row: ScenarioRow): Catch | null {
  const [judgement] = judgeScenarios([row], KNOWN_DEFECTS).judgements;
  const fresh = judgement?.findings.find(({ defect }) => defect === null);
  const { scenario, backend } = row;
  if (fresh !== undefined) return { scenario, backend, witness: fresh.finding.witness };
  return row.failure === null ? null : { scenario, backend, witness: row.failure.reason };
}

function isRight({ liar, caughtBy }: Trial): boolean {
  return (liar === null) === (caughtBy === null);
}

function trialText({ liar, caughtBy }: Trial): string {
  const by = caughtBy === null ? null : `${caughtBy.scenario} on ${caughtBy.backend} (${caughtBy.witness})`;
  if (liar === null) return by === null ? 'honest: nothing new' : `honest: accused by ${by}`;
  return by === null ? `${liar}: not caught; it ${LIARS[liar].does}` : `${liar}: caught by ${by}`;
}

function scoreText(trials: readonly Trial[]): string {
  const liars = trials.filter(({ liar }) => liar !== null);
  const caught = liars.filter(isRight).length;
  const untried = LIAR_NAMES.length - liars.length;
  const rest = untried === 0 ? '' : `; ${untried} were not tried`;
  return [...trials.map(trialText), '', `${caught} of ${liars.length} liars caught${rest}.`, ''].join('\n');
}
