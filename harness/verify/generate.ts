// Tries a saver with generated histories and, where one shows what the ledger does not explain, shrinks it to a short one
// that still does.

import fc from 'fast-check';
import type { Cell } from '../record/scenario-cell.js';
import type { Finding } from '../record/scenario-row.js';
import type { OpenStore } from '../savers/saver.js';
import { playCell } from './play.js';
import type { Played } from './played.js';
import type { GeneratedScenario } from './scenario.js';

export interface Generation {
  readonly seed: number;
  /** How many histories are tried. */
  readonly count: number;
  /** Whether a finding is a known defect: it does not end the search. */
  readonly isKnown: (finding: Finding) => boolean;
  /** Opens an empty store; each history has its own. */
  readonly openEmpty: () => Promise<OpenStore>;
}

export interface Generated {
  /** Of known ones the first of each signature and witness; of others those of the shortest history that was found. */
  readonly findings: readonly Finding[];
  readonly comparisons: number;
}

/** The same seed and count try the same histories, in the same order. */
export async function tryHistories<History>(
  scenario: GeneratedScenario<History>,
  cell: Cell,
  { seed, count, isKnown, openEmpty }: Generation,
): Promise<Generated> {
  let comparisons = 0;
  const known = new Map<string, Finding>();
  const play = async (history: History): Promise<Played> => {
    const store = await openEmpty();
    try {
      const played = await playCell(scenario.scenarioOf(history), cell, store, seed);
      comparisons += played.comparisons;
      return played;
    } finally {
      await store.close();
    }
  };
  const isNew = (finding: Finding) => !isKnown(finding);
  let shown: readonly Finding[] = [];
  const property = fc.asyncProperty(scenario.histories, async (history) => {
    const { findings } = await play(history);
    for (const finding of findings.filter(isKnown)) {
      const key = `${finding.witness} ${finding.signature}`;
      if (!known.has(key)) known.set(key, finding);
    }
    const fresh = findings.filter(isNew);
    if (fresh.length > 0) shown = fresh;
    return fresh.length === 0;
  });
  const { counterexample, numRuns, errorInstance } = await fc.check(property, { seed, numRuns: count });
  // Something broke that is no finding, such as a store that cannot be opened.
  if (shown.length === 0 && errorInstance instanceof Error) throw errorInstance;
  if (counterexample === null) return { findings: [...known.values()], comparisons };
  let [history] = counterexample;
  // fast-check leaves operations in that do not matter where they stand behind the one that shows it.
  for (let candidates = scenario.shorter(history); candidates.length > 0;) {
    const [candidate, ...others] = candidates as [History, ...History[]];
    const fresh = (await play(candidate)).findings.filter(isNew);
    if (fresh.length > 0) [history, shown] = [candidate, fresh];
    candidates = fresh.length > 0 ? scenario.shorter(history) : others;
  }
  const isShownAgain = (await play(history)).findings.some(isNew);
  const source = [
    `history ${numRuns} of seed ${seed}, shrunk${isShownAgain ? '' : '; it did not show again'}:`,
    ...scenario.fileOf(history),
  ];
  const [first, ...others] = shown as [Finding, ...Finding[]];
  const withSource = { ...first, evidence: [...first.evidence, ...source] };
  return { findings: [...known.values(), withSource, ...others], comparisons };
}
