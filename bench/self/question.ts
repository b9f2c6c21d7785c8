// What a question about this harness is, and how two ways of doing a thing are timed in pairs. One file answers one
// question; main.ts lists them.

import { describeRatios, type RatioStatistics } from '../../summarize/statistics.js';

/** How much is measured: the whole of it by default, a little of it in tests. */
export interface Effort {
  /** Pairs that count. */
  readonly pairs: number;
  /** Rows of the large journal; the small one has a tenth. */
  readonly rows: number;
  /** For files; empty at first, and removed by the caller. */
  readonly folder: string;
  readonly onProgress: (done: string) => void;
}

export interface Question {
  readonly name: string;
  /** One phrase: what is divided by what. */
  readonly asks: string;
  /** How many pairs answer it. */
  readonly pairs: number;
  readonly goal: Goal;
  readonly measure: (effort: Effort) => Promise<Measured>;
}

export interface Goal {
  /** The largest ratio that is fine. */
  readonly at_most: number;
  /** A ratio below it is hoped for; null where nothing is. */
  readonly aspired_below: number | null;
}

/** What a question found out. */
export interface Measured {
  /** Milliseconds of each pair, in the order they ran. */
  readonly pairs: readonly TimedPair[];
  /** Further numbers, by a name that ends in their unit. */
  readonly facts: Readonly<Record<string, number>>;
}

export interface TimedPair {
  readonly subject_ms: number;
  readonly baseline_ms: number;
}

/** `met`, `missed`: the whole interval is on that side of the goal. */
export type GoalOutcome = 'met' | 'missed' | 'not_told';

/** A question with its answer, as `--json` prints it. */
export interface Answer {
  readonly name: string;
  readonly asks: string;
  readonly ratio: RatioStatistics;
  readonly goal: Goal & { readonly outcome: GoalOutcome };
  readonly subject_median_ms: number | null;
  readonly baseline_median_ms: number | null;
  readonly facts: Measured['facts'];
  readonly pairs: readonly TimedPair[];
}

/** The medians and the interval of what was measured, held against the goal. */
export function answerOf({ name, asks, goal }: Question, { pairs, facts }: Measured): Answer {
  const ratio = describeRatios(pairs.map((pair) => pair.subject_ms / pair.baseline_ms));
  return {
    name,
    asks,
    ratio,
    goal: { ...goal, outcome: outcomeOf(ratio, goal) },
    subject_median_ms: describeRatios(pairs.map((pair) => pair.subject_ms)).median,
    baseline_median_ms: describeRatios(pairs.map((pair) => pair.baseline_ms)).median,
    facts,
    pairs,
  };
}

function outcomeOf({ interval, outcome }: RatioStatistics, { at_most }: Goal): GoalOutcome {
  if (interval === null || outcome === 'too_few_to_tell') return 'not_told';
  if (interval.high <= at_most) return 'met';
  return interval.low > at_most ? 'missed' : 'not_told';
}

/** The two sides of a ratio; each resolves to its milliseconds. */
export interface Sides {
  readonly subject: () => Promise<number>;
  readonly baseline: () => Promise<number>;
}

/**
 * Times both sides `count` times, one after the other; which goes first flips from pair to pair. One pair before them
 * does not count: it warms the file cache and the compiled code of this process.
 */
export async function timePairs(
  count: number,
  sides: Sides,
  onPair: (number: number) => void,
): Promise<TimedPair[]> {
  const pairs: TimedPair[] = [];
  for (let number = 0; number <= count; number += 1) {
    const pair = number % 2 === 0 ? await subjectFirst(sides) : await baselineFirst(sides);
    if (number > 0) pairs.push(pair);
    onPair(number);
  }
  return pairs;
}

async function subjectFirst({ subject, baseline }: Sides): Promise<TimedPair> {
  const subject_ms = await subject();
  return { subject_ms, baseline_ms: await baseline() };
}

async function baselineFirst({ subject, baseline }: Sides): Promise<TimedPair> {
  const baseline_ms = await baseline();
  return { subject_ms: await subject(), baseline_ms };
}
