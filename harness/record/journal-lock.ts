// One writer per journal: a lock file beside it that names its owner. A lock whose owner has died is taken over, also
// when the process id was given to another process since. For one machine; says nothing about network file systems.

import { existsSync, linkSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { usageError } from './errors.js';

export interface JournalLock {
  release(): void;
}

/** Identity of a running process: its id, and when it started where the system tells. */
interface Owner {
  readonly pid: number;
  readonly startTicks: string | null;
}

/**
 * Takes the lock of `journalPath`, or says who holds it.
 *
 * @throws CommandError (usage) when a living process holds it or the lock file cannot be made.
 */
export function lockJournal(journalPath: string): JournalLock {
  const lockPath = `${canonicalPath(journalPath)}.lock`;
  const mine = `${lockPath}.${randomUUID()}`;
  const content = JSON.stringify(processIdentity(process.pid));
  try {
    writeFileSync(mine, content, { flag: 'wx' });
  } catch (error) {
    throw usageError(`--output ${journalPath} cannot be written: ${(error as Error).message}.`);
  }
  try {
    // A link appears with its content in one step, so no one can read a lock that is half written.
    while (!tryLink(mine, lockPath)) clearIfStale(lockPath, journalPath);
  } finally {
    rmSync(mine, { force: true });
  }
  return { release: () => rmSync(lockPath, { force: true }) };
}

/** One name per file, so that a link to a journal cannot bring a second writer. */
function canonicalPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : join(realpathSync(dirname(path)), basename(path));
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Removes a lock whose owner is gone; refuses when it lives. */
function clearIfStale(lockPath: string, journalPath: string): void {
  const seen = readIfThere(lockPath);
  if (seen === null) return;
  const owner = parseOwner(seen);
  if (owner !== null && isAlive(owner)) {
    throw usageError(`${journalPath} is being written by process ${owner.pid}; wait for it or stop it.`);
  }
  // Two processes may find the same stale lock. Whoever renames first owns the removal; a living lock that was made
  // in between is put back.
  const aside = `${lockPath}.${randomUUID()}`;
  try {
    renameSync(lockPath, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if (readFileSync(aside, 'utf8') !== seen) tryLink(aside, lockPath);
  rmSync(aside, { force: true });
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function parseOwner(text: string): Owner | null {
  try {
    const value = JSON.parse(text) as Partial<Owner> | null;
    return typeof value?.pid === 'number' ? { pid: value.pid, startTicks: value.startTicks ?? null } : null;
  } catch {
    return null;
  }
}

/** The process id with its start time, which tells a process from a later one with the same id. */
export function processIdentity(pid: number): Owner {
  return { pid, startTicks: startTicks(pid) };
}

/** Whether the process that `owner` names still runs. */
export function isAlive(owner: Owner): boolean {
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const now = startTicks(owner.pid);
  return now === null || owner.startTicks === null || now === owner.startTicks;
}

/** Field 22 of /proc/PID/stat; null where there is no /proc. Zombies do not count as running. */
function startTicks(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? 'ended' : (fields[19] ?? null);
  } catch {
    return null;
  }
}
