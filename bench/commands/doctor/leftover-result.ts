// What a check says of things that ended runs have left: how many there were, and whether they are still there.

import type { CheckResult } from './check.js';

export interface Leftovers {
  readonly found: number;
  /** How many of them are still there. */
  readonly left: number;
  /** Whether their removal was asked for. */
  readonly clean: boolean;
}

/** A sentence for each way it can have come out, and the two ways on. */
export interface LeftoverWords {
  readonly none: string;
  readonly removed: string;
  readonly notRemoved: string;
  readonly there: string;
  /** The command line that removes them. */
  readonly cleanLine: string;
  /** What to do about those that it could not remove. */
  readonly byHand: string;
}

export function leftoverResult(
  { found, left, clean }: Leftovers,
  facts: CheckResult['facts'],
  words: LeftoverWords,
): CheckResult {
  const check = 'leftovers';
  if (left === 0) {
    return { check, status: 'fine', what: found === 0 ? words.none : words.removed, facts, fix: null };
  }
  const [what, fix] = clean ? [words.notRemoved, words.byHand] : [words.there, words.cleanLine];
  return { check, status: 'warning', what, facts, fix };
}

/** That nothing could be looked at. */
export function cannotLook(what: string, fix: string): CheckResult {
  return { check: 'leftovers', status: 'warning', what, facts: {}, fix };
}
