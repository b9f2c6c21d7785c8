// Where a report goes when it is a file: checked before anything is read, replaced whole or not at all.

import { accessSync, constants, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { usageError, type CommandError } from '../harness/record/errors.js';
import { fileIdentity } from './file-identity.js';

/** A file that a report will be written to. */
export interface ReportFile {
  /** The option that names it, for example `--csv`. */
  readonly option: string;
  readonly path: string;
}

/**
 * Says why the reports cannot be written, before anything is read; changes nothing.
 *
 * @throws CommandError (usage) when a path is not a writable file, is an input, or is named for two reports.
 */
export function checkReportFiles(files: readonly ReportFile[], inputs: readonly string[]): void {
  const taken = new Map<string, string>();
  for (const { option, path } of files) {
    const named = `${option} ${path}`;
    checkWritable(named, path);
    const identity = fileIdentity(path);
    const input = inputs.find((other) => identity !== null && fileIdentity(other) === identity);
    if (input !== undefined) throw usageError(`${named} is the journal ${input}; name another file.`);
    const target = identity ?? resolve(path);
    const other = taken.get(target);
    if (other !== undefined) throw usageError(`${named} is also the file of ${other}; name two files.`);
    taken.set(target, option);
  }
}

/**
 * Writes the text beside the file and renames it into place, so that a reader sees the old or the new report.
 *
 * @throws CommandError (usage) when it cannot be written; an existing file is then as it was.
 */
export function writeReportFile({ option, path }: ReportFile, text: string): void {
  try {
    // A link keeps pointing where it does.
    const target = fileIdentity(path) === null ? path : realpathSync(path);
    const temporary = `${target}.${process.pid}.tmp`;
    try {
      writeFileSync(temporary, text, { flag: 'wx', flush: true });
      renameSync(temporary, target);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  } catch (error) {
    throw unwritable(`${option} ${path}`, error);
  }
}

function checkWritable(named: string, path: string): void {
  const stat = statOf(named, path);
  if (stat?.isDirectory() === true) throw usageError(`${named} is a folder; name a file in it.`);
  // A rename would put a plain file in the place of a device or a pipe.
  if (stat?.isFile() === false) throw usageError(`${named} is not a regular file; use - for stdout.`);
  const folder = dirname(path);
  if (statOf(named, folder) === undefined) {
    throw usageError(`The folder of ${named} does not exist; create it first.`);
  }
  try {
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw unwritable(named, error);
  }
}

function statOf(named: string, path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw unwritable(named, error);
  }
}

function unwritable(named: string, error: unknown): CommandError {
  return usageError(`${named} cannot be written: ${(error as Error).message}.`);
}
