// The append-only journal of a run: opened once, one writer, every line synced before anyone is told of it.
// A write that was cut off by a kill is set aside when the journal is opened again; nothing is ever glued to it.

import {
  appendFileSync,
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  realpathSync,
  statSync,
  writeSync,
  type Stats,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { encodeLine, readJournalLines, type ReadLine } from './journal-lines.js';
import { lockJournal, type JournalLock } from './journal-lock.js';
import { CommandError, usageError } from './errors.js';
import type { JournalLine } from './row.js';
import { EXIT } from './verdict.js';

/** `new`: an existing file is refused; `resume`: its lines are kept; `overwrite`: they are dropped. */
export type OpenMode = 'new' | 'resume' | 'overwrite';

/** What stood in a journal when it was opened. */
export interface OpenedJournal {
  readonly journal: Journal;
  readonly lines: readonly JournalLine[];
  /** Bytes of a torn last line that were moved to `<journal>.torn`; 0 when there was none. */
  readonly tornBytes: number;
  /** Lines that are not journal lines, by number: kept as they are, never counted. */
  readonly malformed: readonly { readonly number: number; readonly problem: string }[];
}

/**
 * Says why `path` cannot become (or continue as) a journal, before anything runs; changes nothing.
 *
 * @throws CommandError (usage) with one sentence and the way out.
 */
export function checkJournalPath(path: string, mode: OpenMode): void {
  const folder = statOf(dirname(path), path);
  if (folder === undefined) {
    throw usageError(`The folder of --output ${path} does not exist; create it first.`);
  }
  if (!folder.isDirectory()) throw usageError(`--output ${path} is not inside a folder.`);
  const stat = statOf(path, path);
  if (stat === undefined) {
    if (isLink(path)) throw usageError(`--output ${path} is a link that leads nowhere.`);
    return;
  }
  if (stat.isDirectory()) throw usageError(`--output ${path} is a folder; name a file in it.`);
  if (!stat.isFile()) throw usageError(`--output ${path} is not a regular file.`);
  if (mode === 'new') {
    throw usageError(
      `--output ${path} exists; add --resume to complete it, --overwrite to replace it, or name another file.`,
    );
  }
}

function statOf(path: string, output: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw usageError(`--output ${output} cannot be written: ${(error as Error).message}.`);
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/**
 * Opens a journal for appending and locks it against a second writer.
 *
 * @throws CommandError (usage) when the path cannot be written or another process writes it.
 */
export function openJournal(path: string, mode: OpenMode): OpenedJournal {
  checkJournalPath(path, mode);
  const lock = lockJournal(realPath(path));
  try {
    const existing = mode === 'resume' && existsSync(path) ? [...readJournalLines(path)] : [];
    const fd = openForAppend(path, mode);
    const tornBytes = repairedTail(path, fd, existing.at(-1));
    return {
      journal: new Journal(fd, lock),
      lines: existing.flatMap((line) => (line.kind === 'line' ? [line.value] : [])),
      tornBytes,
      malformed: existing.flatMap((line) =>
        line.kind === 'malformed' ? [{ number: line.at.number, problem: line.problem }] : [],
      ),
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** One name per file, so that a link to a journal cannot bring a second writer. */
function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : join(realpathSync(dirname(path)), basename(path));
}

function openForAppend(path: string, mode: OpenMode): number {
  const flags = { new: 'ax', resume: 'a', overwrite: 'a' }[mode];
  try {
    const fd = openSync(path, flags);
    if (mode === 'overwrite') ftruncateSync(fd, 0);
    return fd;
  } catch (error) {
    throw usageError(`--output ${path} cannot be written: ${(error as Error).message}.`);
  }
}

/**
 * A torn last line moves to `<path>.torn`; a whole one that only lacks its LF gets it.
 *
 * @returns the bytes that were moved.
 */
function repairedTail(path: string, fd: number, last: ReadLine | undefined): number {
  if (last === undefined || last.at.terminated) return 0;
  try {
    if (last.kind !== 'torn') {
      append(fd, Buffer.from('\n'));
      return 0;
    }
    appendFileSync(`${path}.torn`, Buffer.concat([last.at.bytes, Buffer.from('\n')]), { flush: true });
    ftruncateSync(fd, last.at.offset);
    fsyncSync(fd);
    return last.at.bytes.length;
  } catch (error) {
    closeSync(fd);
    if (error instanceof CommandError) throw error;
    throw usageError(`The torn end of ${path} cannot be set aside: ${(error as Error).message}.`);
  }
}

/** The writing end of a journal. Not safe for two processes; the lock sees to that. */
export class Journal {
  readonly #fd: number;
  readonly #lock: JournalLock;

  constructor(fd: number, lock: JournalLock) {
    this.#fd = fd;
    this.#lock = lock;
  }

  /**
   * Appends one line and syncs it; when this returns, the line survives a kill and a power cut.
   *
   * @throws CommandError (fault) when the line cannot be written whole; the file then has its former size.
   */
  append(line: JournalLine): void {
    append(this.#fd, encodeLine(line));
  }

  close(): void {
    try {
      closeSync(this.#fd);
    } finally {
      this.#lock.release();
    }
  }
}

/** How bytes reach the disk; a parameter so that a full disk can be played in a test. */
export interface AppendCalls {
  readonly write: (fd: number, bytes: Uint8Array) => number;
  readonly sync: (fd: number) => void;
}

/** Writes all bytes at the end of the file and syncs, or restores the former size and throws. */
export function append(
  fd: number,
  bytes: Uint8Array,
  calls: AppendCalls = { write: writeSync, sync: fsyncSync },
): void {
  const formerSize = fstatSync(fd).size;
  try {
    for (let written = 0; written < bytes.length;) written += calls.write(fd, bytes.subarray(written));
    calls.sync(fd);
  } catch (error) {
    ftruncateSync(fd, formerSize);
    throw new CommandError(
      `The journal cannot be written (${(error as Error).message}); it was left as it was before this line.`,
      EXIT.fault,
      { cause: error },
    );
  }
}
