// Bytes of a journal to lines and back: splitting on LF only, one line's damage kept away from the others. Reads in
// chunks and keeps one line of at most 64 MiB at a time, so that the memory needed does not grow with the file, nor
// the time with the square of a line. Knows nothing of writing or locking.

import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { usageError } from './errors.js';
import { journalLineSchema, type JournalLine } from './journal-line.js';

const UTF8 = new TextDecoder('utf-8', { fatal: true });
const LF = 0x0a;
const CHUNK_BYTES = 1 << 20;

/** A longer line, without its LF, is neither written nor read. The longest rows that are measured have about 1 MB. */
export const MAX_LINE_BYTES = 64 << 20;

/** One physical line. `number` counts from 1, `offset` is where its first byte stands. */
export interface PhysicalLine {
  readonly number: number;
  readonly offset: number;
  /** A copy that the receiver may keep; empty when `tooLong`. */
  readonly bytes: Uint8Array;
  /** More than `MAX_LINE_BYTES`. */
  readonly tooLong: boolean;
  /** False only for a last line without its LF. */
  readonly terminated: boolean;
}

/**
 * A line as understood. `torn`: the last line, without LF, that does not parse — a write that was cut off.
 * `malformed`: any other line that is not a journal line. One that is too long is malformed even at the end and
 * without LF: a journal's writer never begins such a line, so it is no write that was cut off.
 */
export type ReadLine =
  | { readonly kind: 'line'; readonly at: PhysicalLine; readonly value: JournalLine }
  | { readonly kind: 'torn'; readonly at: PhysicalLine }
  | { readonly kind: 'malformed'; readonly at: PhysicalLine; readonly problem: string };

/**
 * Reads a journal line by line. Blank lines are skipped.
 *
 * @throws the file system's error when the file cannot be read, and CommandError (usage) when it is a pipe or device.
 */
export function* readJournalLines(path: string): Generator<ReadLine> {
  for (const line of physicalLines(path)) {
    if (!line.tooLong && line.bytes.every(isBlank)) continue;
    yield understand(line);
  }
}

/** Splits a regular file on the byte LF, whatever else stands in it. Throws as `readJournalLines`. */
export function* physicalLines(path: string): Generator<PhysicalLine> {
  const fd = openRegularFile(path);
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    let begun = new BegunLine();
    let number = 1;
    let offset = 0;
    for (;;) {
      const filled = chunk.subarray(0, readSync(fd, chunk, 0, CHUNK_BYTES, null));
      if (filled.length === 0) break;
      let start = 0;
      for (let end = filled.indexOf(LF); end !== -1; end = filled.indexOf(LF, start)) {
        begun.add(filled.subarray(start, end));
        yield { number, offset, ...begun.content(), terminated: true };
        number += 1;
        offset += begun.length + 1;
        begun = new BegunLine();
        start = end + 1;
      }
      begun.add(filled.subarray(start));
    }
    if (begun.length > 0) yield { number, offset, ...begun.content(), terminated: false };
  } finally {
    closeSync(fd);
  }
}

/** The parts of a line whose end was not found yet, as long as it is not too long. */
class BegunLine {
  #parts: Buffer[] = [];
  length = 0;

  add(part: Uint8Array): void {
    this.length += part.length;
    if (this.length > MAX_LINE_BYTES) this.#parts = [];
    // Copied, because the next read overwrites the chunk that it is part of.
    else if (part.length > 0) this.#parts.push(Buffer.from(part));
  }

  content(): Pick<PhysicalLine, 'bytes' | 'tooLong'> {
    const [first = Buffer.alloc(0), ...rest] = this.#parts;
    const bytes = rest.length === 0 ? first : Buffer.concat(this.#parts);
    return { bytes, tooLong: this.length > MAX_LINE_BYTES };
  }
}

function openRegularFile(path: string): number {
  // Without O_NONBLOCK, opening a pipe would wait for somebody to write into it.
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const stat = fstatSync(fd);
  // Reading a folder is refused by the file system, with a code that callers know.
  if (stat.isFile() || stat.isDirectory()) return fd;
  closeSync(fd);
  throw usageError(`${path} is not a regular file and cannot be read as a journal; copy it to a file first.`);
}

/** The bytes of one journal line, LF included. */
export function encodeLine(line: JournalLine): Buffer {
  return Buffer.from(`${JSON.stringify(line)}\n`, 'utf8');
}

/** What is wrong with the value of a line, as `readJournalLines` would say it; null for a journal line. */
export function problemOf(value: unknown): string | null {
  const checked = checkLine(value);
  return checked.ok ? null : checked.problem;
}

type Checked<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

function understand(at: PhysicalLine): ReadLine {
  if (at.tooLong) return { kind: 'malformed', at, problem: 'it is longer than 64 MiB' };
  const parsed = parseJson(at.bytes);
  if (!parsed.ok) {
    return at.terminated ? { kind: 'malformed', at, problem: parsed.problem } : { kind: 'torn', at };
  }
  const checked = checkLine(parsed.value);
  return checked.ok
    ? { kind: 'line', at, value: checked.value }
    : { kind: 'malformed', at, problem: checked.problem };
}

function checkLine(value: unknown): Checked<JournalLine> {
  const checked = journalLineSchema.safeParse(value);
  if (checked.success) return { ok: true, value: checked.data };
  const [issue] = checked.error.issues;
  const where = issue === undefined || issue.path.length === 0 ? 'it' : issue.path.join('.');
  const why = issue?.message ?? 'unknown';
  return { ok: false, problem: `${where} is not as a journal line has it (${why})` };
}

function parseJson(bytes: Uint8Array): Checked<unknown> {
  if (!isUtf8(bytes)) return { ok: false, problem: 'it is not UTF-8' };
  const text = UTF8.decode(bytes);
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { ok: false, problem: 'it is not JSON' };
  }
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d;
}
