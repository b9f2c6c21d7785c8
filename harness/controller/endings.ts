// What a child that ended badly leaves in a row: how it ended, as a sentence, with the last of its stderr and usage.

import type { ChildEnding, ChildRun } from '../process/child.js';
import type { AnyReport } from '../process/protocol.js';
import type { Failure } from '../record/row-parts.js';
import { scrub } from '../record/scrub.js';

export type UnusableEnding = Exclude<ChildEnding<never>, { kind: 'reported' | 'interrupted' }>;
type Traces = Pick<ChildRun<AnyReport>, 'stderrTail' | 'lastUsage'>;

/** A child that ended without a report. */
export interface UnusableRun extends Traces {
  readonly ending: UnusableEnding;
}

/**
 * The failure of a case whose child did not report.
 *
 * @param timeoutMs what the case had; its children may have had less each.
 */
export function endedBadly(child: string, ending: UnusableEnding, ended: Traces, timeoutMs: number): Failure {
  const last = lastError(ended.stderrTail);
  const message = scrub(endingMessage(child, ending, timeoutMs)) + (last === null ? '' : ` It said: ${last}`);
  return { reason: ending.kind, message, difference: null, ...traces(child, ended) };
}

/** The failure of a case whose database server was gone. */
export function serverLost(child: string, problem: string, ended: Traces): Failure {
  const message = scrub(`The database server was gone: ${problem}`);
  return { reason: 'server_lost', message, difference: null, ...traces(child, ended) };
}

/** What every failure says of the child it comes from. */
export function traces(
  child: string,
  { stderrTail, lastUsage }: Traces,
): Pick<Failure, 'child' | 'stderr_tail' | 'last_usage'> {
  return { child, stderr_tail: [...stderrTail], last_usage: lastUsage };
}

/** The last error that a child told of, as Node prints one that nobody caught: its name, before the stack. */
function lastError(stderrTail: readonly string[]): string | null {
  return stderrTail.findLast((line) => /^[\w.]*error(?: \[\w+\])?: /i.test(line)) ?? null;
}

/** What happened, in a sentence. */
function endingMessage(child: string, ending: UnusableEnding, timeoutMs: number): string {
  const who = `The ${child}`;
  switch (ending.kind) {
    case 'exited':
      return `${who} exited with code ${ending.code} before it reported.`;
    case 'signalled':
      return `${who} was ended by ${ending.signal}.`;
    case 'timed_out':
      return `The case did not finish within ${timeoutMs / 1000} s (--timeout-seconds); its ${child} was killed.`;
    case 'flooded':
      return `${who} wrote more than ${ending.limitBytes} bytes to stdout and was stopped.`;
    case 'over_memory':
      return `${who} held ${ending.rssBytes} bytes of memory, more than --max-rss-bytes ${ending.limitBytes}, and was stopped.`;
    case 'not_started':
      return `${who} could not be started: ${ending.problem}.`;
    case 'silent':
      return `${who} ended well but reported nothing.`;
    case 'not_json':
      return `${who} ended stdout with a line that is not a report: ${ending.line}`;
    case 'many_reports':
      return `${who} wrote ${ending.count} reports where one is due.`;
    case 'other_case':
      return `${who} reported for another case: ${ending.caseKey}.`;
    case 'malformed_report':
      return `${who} sent a report that is not as it should be: ${ending.problem}.`;
  }
}
