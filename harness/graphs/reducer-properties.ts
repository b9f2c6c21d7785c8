// The laws that a delta channel's reducer must keep: a replay folds stored writes in other batches than those they were
// made in, does so at every read, and must not change what others still hold. Tried on batches from any source; the
// outcome is data.

import { isDeepStrictEqual, inspect } from 'node:util';
import fc from 'fast-check';
import { canonicalJson } from '../record/canonical.js';
import { messageRecord } from '../record/digest.js';
import { copyOf } from '../record/copy-of.js';
import type { BatchReduce } from './delta-form.js';

export const REDUCER_LAWS = [
  'batches apart are their concatenation',
  'the same input gives the same output',
  'the input is not changed',
] as const;
export type ReducerLaw = (typeof REDUCER_LAWS)[number];

/** What a reducer is tried on. Copied before each use, since a reducer may change what it is given. */
export interface ReducerTrial {
  readonly state: unknown;
  /** Writes in the order in which they apply, in the batches in which they are reduced apart. Empty ones are left out:
   * LangGraph does not call a reducer without writes. */
  readonly batches: readonly (readonly unknown[])[];
}

/** A law that a reducer breaks. */
export interface ReducerFinding {
  readonly law: ReducerLaw;
  /** What was seen on the smallest trial that shows it. */
  readonly seen: string;
  /** That trial, as text. */
  readonly trial: string;
  /** fast-check's path to it: the same seed, source and path give the same trial. */
  readonly path: string;
}

export interface TrialRuns {
  readonly seed: number;
  /** Trials of each law. */
  readonly runs: number;
}

/**
 * The laws that `reduce` breaks on trials of the source; none where it keeps them all on all of them. The same seed tries
 * the same ones. A reducer that throws keeps a law if it throws the same wherever the law says "the same".
 */
export function reducerFindings(
  reduce: BatchReduce,
  trials: fc.Arbitrary<ReducerTrial>,
  { seed, runs }: TrialRuns,
): ReducerFinding[] {
  return REDUCER_LAWS.flatMap((law) => {
    const property = fc.property(trials, (trial) => {
      const seen = BROKEN[law](reduce, trial);
      if (seen !== null) throw new Error(seen);
    });
    const details = fc.check(property, { seed, numRuns: runs });
    if (!details.failed) return [];
    const seen = (details.errorInstance as Error | null)?.message ?? 'The source of trials failed.';
    return [{ law, seen, trial: shown(details.counterexample?.[0]), path: details.counterexamplePath ?? '' }];
  });
}

/** What was seen where the law is broken on that trial, else null. */
const BROKEN: Readonly<Record<ReducerLaw, (reduce: BatchReduce, trial: ReducerTrial) => string | null>> = {
  'batches apart are their concatenation': (reduce, { state, batches }) => {
    const apart = outcome(() => reducedApart(reduce, state, batches));
    const together = outcome(() => reducedApart(reduce, state, [batches.flat()]));
    return apart === together ? null : `apart ${apart}, together ${together}`;
  },
  'the same input gives the same output': (reduce, { state, batches }) => {
    const run = () => outcome(() => reducedApart(reduce, state, batches));
    const [once, twice] = [run(), run()];
    return once === twice ? null : `once ${once}, then ${twice}`;
  },
  'the input is not changed': (reduce, { state, batches }) => {
    let current = copyOf(state);
    for (const batch of batches.filter(isWritten)) {
      const given = { state: current, writes: copyOf([...batch]) };
      const before = copyOf(given);
      const next = attempt(() => reduce(given.state, given.writes));
      if (!isDeepStrictEqual(given, before)) return `before ${shown(before)}, after ${shown(given)}`;
      // What it refuses leaves the state as it was.
      if ('value' in next) current = next.value;
    }
    return null;
  },
};

function reducedApart(reduce: BatchReduce, state: unknown, batches: ReducerTrial['batches']): unknown {
  return batches
    .filter(isWritten)
    .reduce<unknown>((current, batch) => reduce(current, copyOf([...batch])), copyOf(state));
}

function isWritten(batch: readonly unknown[]): boolean {
  return batch.length > 0;
}

type Attempt = { readonly value: unknown } | { readonly refusal: string };

function attempt(reduce: () => unknown): Attempt {
  try {
    return { value: reduce() };
  } catch (error) {
    return { refusal: error instanceof Error ? error.message : String(error) };
  }
}

/** What a reduction gives, as text; also when it throws. */
function outcome(reduce: () => unknown): string {
  const result = attempt(reduce);
  return 'value' in result ? shown(result.value) : `throws ${result.refusal}`;
}

/** Equal text for equal values, as digests see them. */
function shown(value: unknown): string {
  try {
    return canonicalJson(asData(value));
  } catch {
    // A cycle has no canonical form.
    return inspect(value, { depth: Infinity, maxArrayLength: Infinity, maxStringLength: Infinity });
  }
}

/** Messages as their records, in lists and plain objects however deep. */
function asData(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const record = messageRecord(value);
  if (Object.keys(record).length > 0) return record;
  if (Array.isArray(value)) return value.map(asData);
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, asData(item)]));
}
