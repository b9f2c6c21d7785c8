// Bytes of a journal to lines and back: splitting on LF only, one line's damage kept away from the others. Reads in
// chunks, so that the memory needed does not grow with the file. Knows nothing of writing or locking.

import { closeSync, openSync, readSync } from 'node:fs';
import { journalLineSchema, type JournalLine } from './row.js';

const LF = 0x0a;
const CHUNK_BYTES = 1 << 20;

/** One physical line. `number` counts from 1, `offset` is where its first byte stands. */
export interface PhysicalLine {
  readonly number: number;
  readonly offset: number;
  readonly bytes: Uint8Array;
  /** False only for a last line without its LF. */
  readonly terminated: boolean;
}

/**
 * A line as understood. `torn`: the last line, without LF, that does not parse — a write that was cut off.
 * `malformed`: any other line that is not a journal line.
 */
export type ReadLine =
  | { readonly kind: 'line'; readonly at: PhysicalLine; readonly value: JournalLine }
  | { readonly kind: 'torn'; readonly at: PhysicalLine }
  | { readonly kind: 'malformed'; readonly at: PhysicalLine; readonly problem: string };

/** Reads a journal line by line. Blank lines are skipped. Throws the file system's error if it cannot be read. */
export function* readJournalLines(path: string): Generator<ReadLine> {
  for (const line of physicalLines(path)) {
    if (line.bytes.every(isBlank)) continue;
    yield understand(line);
  }
}

/** Splits a file on the byte LF, whatever else stands in it. */
export function* physicalLines(path: string): Generator<PhysicalLine> {
  const fd = openSync(path, 'r');
  try {
    let pending = Buffer.alloc(0);
    let number = 1;
    let offset = 0;
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    for (;;) {
      const length = readSync(fd, chunk, 0, CHUNK_BYTES, null);
      if (length === 0) break;
      let rest = Buffer.concat([pending, chunk.subarray(0, length)]);
      for (let end = rest.indexOf(LF); end !== -1; end = rest.indexOf(LF)) {
        yield { number, offset, bytes: rest.subarray(0, end), terminated: true };
        number += 1;
        offset += end + 1;
        rest = rest.subarray(end + 1);
      }
      pending = rest;
    }
    if (pending.length > 0) yield { number, offset, bytes: pending, terminated: false };
  } finally {
    closeSync(fd);
  }
}

/** The bytes of one journal line, LF included. */
export function encodeLine(line: JournalLine): Buffer {
  return Buffer.from(`${JSON.stringify(line)}\n`, 'utf8');
}

function understand(at: PhysicalLine): ReadLine {
  const parsed = parseJson(at.bytes);
  if (!parsed.ok) {
    return at.terminated ? { kind: 'malformed', at, problem: parsed.problem } : { kind: 'torn', at };
  }
  const checked = journalLineSchema.safeParse(parsed.value);
  if (checked.success) return { kind: 'line', at, value: checked.data };
  const [issue] = checked.error.issues;
  const where = issue === undefined || issue.path.length === 0 ? 'it' : issue.path.join('.');
  const why = issue?.message ?? 'unknown';
  return { kind: 'malformed', at, problem: `${where} is not as a journal line has it (${why})` };
}

function parseJson(bytes: Uint8Array): { ok: true; value: unknown } | { ok: false; problem: string } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { ok: false, problem: error instanceof SyntaxError ? 'it is not JSON' : 'it is not UTF-8' };
  }
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d;
}
