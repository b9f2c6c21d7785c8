// What passes between the controller and a child: one request line down stdin, one report line up stdout. Also the
// child's own ends of both pipes, and how the parent reads what came up.

import { z } from 'zod';
import { caseKey, caseSchema } from '../record/case.js';
import { differenceSchema, measurementSchema, stateDigestSchema } from '../record/row.js';

/** `write`: fill a fresh store and measure. `read`: open the store in a fresh process and read the head once. */
export const workRequestSchema = z.object({
  case: caseSchema,
  role: z.enum(['write', 'read']),
  /** Folder that holds the store and nothing else; made and removed by the parent. */
  store_dir: z.string(),
});
export type WorkRequest = z.infer<typeof workRequestSchema>;

/** What the child itself found wrong; the parent adds which child it was and its stderr. */
export const childFailureSchema = z.object({
  reason: z.enum(['wrong_state', 'mode_not_in_effect']),
  message: z.string(),
  difference: differenceSchema.nullable(),
});
export type ChildFailure = z.infer<typeof childFailureSchema>;

const reportBase = z.object({
  kind: z.literal('report'),
  /** `caseKey` of the request, so that a report cannot be taken for another case's. */
  case_key: z.string(),
  failure: childFailureSchema.nullable(),
});

export const writeReportSchema = reportBase.extend({
  role: z.literal('write'),
  measurement: measurementSchema,
});
export type WriteReport = z.infer<typeof writeReportSchema>;

export const readReportSchema = reportBase.extend({
  role: z.literal('read'),
  /** From opening the store to the materialized state; packages were imported before. */
  cold_process_read_ms: z.number(),
  state: stateDigestSchema,
});
export type ReadReport = z.infer<typeof readReportSchema>;

const reportSchema = z.discriminatedUnion('role', [writeReportSchema, readReportSchema]);
export type Report = z.infer<typeof reportSchema>;

/** What stdout of a child that ended well turned out to be. */
export type ReadOutput =
  | { readonly kind: 'reported'; readonly report: Report }
  | { readonly kind: 'silent' }
  | { readonly kind: 'not_json'; readonly line: string }
  | { readonly kind: 'many_reports'; readonly count: number }
  | { readonly kind: 'other_case'; readonly caseKey: string }
  | { readonly kind: 'malformed_report'; readonly problem: string };

/**
 * Finds the one report that `request` asked for in a child's stdout. It must be the last line; lines before it that are not
 * JSON are a native module's chatter and are passed over, but a second report is not.
 */
export function readOutput(stdout: string, request: Pick<WorkRequest, 'case' | 'role'>): ReadOutput {
  const lines = stdout.split('\n').filter((line) => line.trim() !== '');
  const last = lines.at(-1);
  if (last === undefined) return { kind: 'silent' };
  const value = parseReportLike(last);
  if (value === null) return { kind: 'not_json', line: last.slice(0, 200) };
  const count = lines.filter((line) => parseReportLike(line) !== null).length;
  if (count > 1) return { kind: 'many_reports', count };
  const checked = reportSchema.safeParse(value);
  if (!checked.success) return { kind: 'malformed_report', problem: z.prettifyError(checked.error) };
  if (checked.data.case_key !== caseKey(request.case)) {
    return { kind: 'other_case', caseKey: checked.data.case_key };
  }
  if (checked.data.role !== request.role) {
    return { kind: 'malformed_report', problem: `its role is ${checked.data.role}, not ${request.role}` };
  }
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
export function claimStdout(): (report: Report) => Promise<void> {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  return (report) =>
    new Promise((resolve, reject) => {
      // The LF in front ends a line that a native module may have left open.
      write(`\n${JSON.stringify(report)}\n`, (error) => (error ? reject(error) : resolve()));
    });
}

/**
 * Reads the request from stdin. The pipe stays open for as long as the parent lives: when it ends, nobody waits for
 * this process any more, and it ends itself with all that it started.
 *
 * @throws ZodError when the request is not one.
 */
export async function receiveRequest(): Promise<WorkRequest> {
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
  return workRequestSchema.parse(JSON.parse(line));
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

/** The request as the parent sends it. */
export function encodeRequest(request: WorkRequest): string {
  return `${JSON.stringify(request)}\n`;
}
