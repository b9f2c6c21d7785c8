// What a summary means for the command that asked for it: its exit code, and why there is nothing to compare.

import { EXIT, exitCodeOf, type ExitCode } from '../harness/record/verdict.js';
import { counted } from './phrases.js';
import type { Summary } from './summary-shape.js';

/**
 * Correctness for a wrong state or a void pair, incomplete for other failures, undecided without any pair and where the
 * mode of a row could not be shown.
 */
export function exitCodeFor(summary: Summary): ExitCode {
  const failures = summary.failures.map(({ reason }) =>
    reason === 'wrong_state' ? EXIT.correctness : EXIT.incomplete,
  );
  const voids = summary.voids.map(() => EXIT.correctness);
  const undecided = !hasPairs(summary) || summary.rows.mode_undecided > 0 ? [EXIT.undecided] : [];
  return exitCodeOf([...failures, ...voids, ...undecided]);
}

/** One sentence that says why nothing pairs; null when something does. */
export function noPairSentence(summary: Summary): string | null {
  return hasPairs(summary)
    ? null
    : `There is no pair of a full and a delta row to compare: ${whyNoPairs(summary).join(', and ')}.`;
}

function hasPairs({ groups }: Summary): boolean {
  return groups.some((group) => group.paired_repetitions > 0);
}

function whyNoPairs({ rows }: Summary): string[] {
  if (rows.latest === 0) return ['no journal holds a row'];
  const reasons: string[] = [];
  if (rows.failed > 0) reasons.push(`${rows.failed} of ${counted(rows.latest, 'row')} failed`);
  if (rows.profiled > 0) reasons.push(`${counted(rows.profiled, 'row')} came from a profiler`);
  if (rows.voided_pairs > 0) {
    reasons.push(`the two states differ in ${counted(rows.voided_pairs, 'pair')} with no oracle to decide`);
  }
  if (rows.usable_full > 0 && rows.usable_delta === 0) reasons.push('only full rows are left');
  if (rows.usable_full === 0 && rows.usable_delta > 0) reasons.push('only delta rows are left');
  if (rows.usable_full > 0 && rows.usable_delta > 0 && rows.voided_pairs === 0) {
    reasons.push('no full and delta row of one journal share cell, repetition, machine and versions');
  }
  return reasons;
}
