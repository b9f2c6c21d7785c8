// The stage of contract and cost scenarios: questions to a saver, each with the answers that are right.

import { canonicalJson } from '../record/canonical.js';
import type { Finding } from '../record/scenario-row.js';
import type { OpenStore } from '../savers/saver.js';
import { cut, errorSignature } from './compare.js';
import type { CheckScenario, CheckStage } from './scenario.js';

export interface Asked {
  readonly findings: readonly Finding[];
  readonly comparisons: number;
}

/**
 * Runs a check scenario on an empty store. What the script did not expect is a finding.
 *
 * @throws the error of the machine or of a server, also where a question may be refused: it was not answered.
 */
export async function askSaver(
  scenario: CheckScenario,
  store: OpenStore,
  { backend, seed, ...stores }: Pick<CheckStage, 'backend' | 'seed' | 'server' | 'saverModule' | 'wrapper'>,
): Promise<Asked> {
  const findings: Finding[] = [];
  let comparisons = 0;
  const find = (step: string, signature: string, expected: string, actual: string) =>
    findings.push({ cell: null, step, witness: 'check', signature, expected, actual, evidence: [] });
  const stage: CheckStage = {
    backend,
    saver: store.saver,
    rows: store.rows,
    below: store,
    seed,
    server: stores.server,
    saverModule: stores.saverModule,
    wrapper: stores.wrapper,
    async ask(question, right, answer) {
      comparisons += 1;
      const refusal: { signature: string | null } = { signature: null };
      const given = await answer().catch((error: unknown) => {
        refusal.signature = errorSignature(error);
        return 'refused';
      });
      const actual = canonicalJson(given);
      const answers = right.map((value) => canonicalJson(value));
      if (answers.includes(actual)) return;
      const signature = refusal.signature ?? `answers ${cut(actual, 120)}`;
      find(question, signature, cut(answers.join(' or ')), cut(actual));
    },
  };
  try {
    await scenario.run(stage);
  } catch (error) {
    find('script', errorSignature(error), '', '');
  }
  return { findings, comparisons };
}
