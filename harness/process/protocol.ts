// What passes between the controller and a child: one request line down stdin, one report line up stdout. Also the
// child's own ends of both pipes, and how the parent reads what came up. What a request asks and a report tells is each
// experiment's own (`channels-messages.ts`, `verify-messages.ts`).

import { z } from 'zod';

/** What every report says of itself, so that it cannot be taken for another one's. */
export const reportBase = z.object({
  kind: z.literal('report'),
  /** Identity of what was asked for: the key of the case or of the scenario. */
  case_key: z.string(),
  role: z.string(),
});

export type AnyReport = z.infer<typeof reportBase>;

/** A question to a child, and what an answer to it looks like. */
export interface Task<Report extends AnyReport> {
  /** Plain data, as the child reads it. */
  readonly request: object;
  readonly caseKey: string;
  readonly role: Report['role'];
  readonly reportSchema: z.ZodType<Report>;
}

/** What stdout of a child that ended well turned out to be. */
export type ReadOutput<Report> =
  | { readonly kind: 'reported'; readonly report: Report }
  | { readonly kind: 'silent' }
  | { readonly kind: 'not_json'; readonly line: string }
  | { readonly kind: 'many_reports'; readonly count: number }
  | { readonly kind: 'other_case'; readonly caseKey: string }
  | { readonly kind: 'malformed_report'; readonly problem: string };

/**
 * Finds the one report that `task` asked for in a child's stdout. It must be the last line; lines before it that are not
 * JSON are a native module's chatter and are passed over, but a second report is not.
 */
export function readOutput<Report extends AnyReport>(
  stdout: string,
  task: Omit<Task<Report>, 'request'>,
): ReadOutput<Report> {
  const lines = stdout.split('\n').filter((line) => line.trim() !== '');
  const last = lines.at(-1);
  if (last === undefined) return { kind: 'silent' };
  const value = parseReportLike(last);
  if (value === null) return { kind: 'not_json', line: last.slice(0, 200) };
  const count = lines.filter((line) => parseReportLike(line) !== null).length;
  if (count > 1) return { kind: 'many_reports', count };
  const base = reportBase.safeParse(value);
  if (!base.success) return { kind: 'malformed_report', problem: z.prettifyError(base.error) };
  if (base.data.case_key !== task.caseKey) return { kind: 'other_case', caseKey: base.data.case_key };
  if (base.data.role !== task.role) {
    return { kind: 'malformed_report', problem: `its role is ${base.data.role}, not ${task.role}` };
  }
  const checked = task.reportSchema.safeParse(value);
  if (!checked.success) return { kind: 'malformed_report', problem: z.prettifyError(checked.error) };
  return { kind: 'reported', report: checked.data };
}

function parseReportLike(line: string): object | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? value : null;
  } catch {
    return null;
  }
}

/**
 * Takes stdout for the report alone: from here on, whatever a loaded module prints goes to stderr. Call it before
 * importing anything that is measured.
 *
 * @returns a function that sends the report and resolves once the pipe has taken it.
 */
export function claimStdout(): (report: object) => Promise<void> {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  return (report) =>
    new Promise((resolve, reject) => {
      // The LF in front ends a line that a native module may have left open.
      write(`\n${JSON.stringify(report)}\n`, (error) => (error ? reject(error) : resolve()));
    });
}

/**
 * Reads the request from stdin, unchecked. The pipe stays open for as long as the parent lives: when it ends, nobody
 * waits for this process any more, and it ends itself with all that it started.
 *
 * @throws SyntaxError when the request is not JSON.
 */
export async function receiveRequest(): Promise<unknown> {
  const line = await new Promise<string>((resolve) => {
    let text = '';
    process.stdin.setEncoding('utf8');
    process.stdin.on('data', (part: string) => {
      text += part;
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
    });
    process.stdin.on('end', killOwnGroup);
  });
  // A socket that is not referenced does not keep a finished child alive.
  (process.stdin as unknown as { unref?: () => void }).unref?.();
  return JSON.parse(line);
}

/** SIGKILL to this process's group if it leads one, as a child of the controller does, else to itself alone. */
function killOwnGroup(): void {
  try {
    process.kill(-process.pid, 'SIGKILL');
  } catch {
    // No group has its number: it was started by hand, in the group of a shell that is not its to end.
    process.kill(process.pid, 'SIGKILL');
  }
}
