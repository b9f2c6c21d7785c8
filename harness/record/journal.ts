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
  type BigIntStats,
  type Stats,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { encodeLine, MAX_LINE_BYTES, problemOf, readJournalLines, type ReadLine } from './journal-lines.js';
import { lockJournal, type JournalLock } from './journal-lock.js';
import { CommandError, usageError } from './errors.js';
import type { JournalLine } from './journal-line.js';
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
    const { lines, malformed, last } = existingLines(path, mode);
    const fd = openForAppend(path, mode);
    const tornBytes = repairedTail(path, fd, last);
    return { journal: new Journal(path, fd, lock), lines, tornBytes, malformed };
  } catch (error) {
    lock.release();
    throw error;
  }
}

interface ExistingLines extends Pick<OpenedJournal, 'lines' | 'malformed'> {
  readonly last: ReadLine | undefined;
}

/** What stands in a journal that is to be resumed; of its bytes, only those of the last line are kept. */
function existingLines(path: string, mode: OpenMode): ExistingLines {
  const lines: JournalLine[] = [];
  const malformed: OpenedJournal['malformed'][number][] = [];
  let last: ReadLine | undefined;
  if (mode === 'resume' && existsSync(path)) {
    for (const line of readJournalLines(path)) {
      last = line;
      if (line.kind === 'line') lines.push(line.value);
      if (line.kind === 'malformed') malformed.push({ number: line.at.number, problem: line.problem });
    }
  }
  return { lines, malformed, last };
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
 * A torn last line moves to `<path>.torn`; any other that only lacks its LF gets it.
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
  readonly #path: string;
  readonly #fd: number;
  readonly #lock: JournalLock;
  #sizeBytes: number;

  constructor(path: string, fd: number, lock: JournalLock) {
    this.#path = resolve(path);
    this.#fd = fd;
    this.#lock = lock;
    this.#sizeBytes = fstatSync(fd).size;
  }

  /**
   * Appends one line and syncs it; when this returns, the line survives a kill and a power cut.
   *
   * @throws CommandError (fault) when the line cannot be written whole, the file then has its former size; and when
   * the journal was deleted, replaced or changed since the last line, because a row written now would be lost.
   * @throws Error, before anything is written, for a line that a reader of the journal would refuse.
   */
  append(line: JournalLine): void {
    const problem = problemOf(line);
    if (problem !== null) throw new Error(`A line that is no journal line was to be written: ${problem}.`);
    const bytes = encodeLine(line);
    if (bytes.length - 1 > MAX_LINE_BYTES) {
      throw new Error(
        `A line of ${bytes.length} bytes was to be written, but the journal's limit is 64 MiB.`,
      );
    }
    const event = whatHappenedTo(this.#path, this.#fd, this.#sizeBytes);
    if (event !== null) {
      throw new CommandError(
        `The journal ${this.#path} ${event} while the run wrote it; the run stops here, because further rows would be lost.`,
        EXIT.fault,
      );
    }
    append(this.#fd, bytes);
    this.#sizeBytes += bytes.length;
  }

  close(): void {
    try {
      closeSync(this.#fd);
    } finally {
      this.#lock.release();
    }
  }
}

/** What others did to the journal that `fd` is writing; null while it stands at `path` as this process left it. */
function whatHappenedTo(path: string, fd: number, sizeBytes: number): string | null {
  // As bigint, because some file systems number their files beyond what a number holds exactly.
  const written = fstatSync(fd, { bigint: true });
  let found: BigIntStats | undefined;
  try {
    found = statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    return `can no longer be looked at (${(error as Error).message})`;
  }
  if (found === undefined) return 'was deleted or moved away';
  if (written.nlink === 0n || found.ino !== written.ino || found.dev !== written.dev) {
    return 'was replaced by another file';
  }
  if (written.size === BigInt(sizeBytes)) return null;
  const verb = written.size < BigInt(sizeBytes) ? 'was cut short by' : 'was written to by';
  return `${verb} something else (it has ${written.size} bytes instead of ${sizeBytes})`;
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
