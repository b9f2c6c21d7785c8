// One writer per journal: a lock file beside it that names its owner. A lock whose owner has ended is taken over.
// For processes of one machine; says nothing about network file systems.

import { existsSync, linkSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { usageError } from './errors.js';
import {
  ownIdentity,
  processIdentitySchema,
  processState,
  type ProcessIdentity,
} from './process-identity.js';

export interface JournalLock {
  release(): void;
}

/**
 * Takes the lock of `journalPath`, or says who holds it.
 *
 * @throws CommandError (usage) when a living process holds it or the lock file cannot be made.
 */
export function lockJournal(journalPath: string): JournalLock {
  const lockPath = `${canonicalPath(journalPath)}.lock`;
  const mine = `${lockPath}.${randomUUID()}`;
  try {
    writeFileSync(mine, JSON.stringify(ownIdentity()), { flag: 'wx' });
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

/** Removes a lock whose owner has ended; refuses when it may be running. */
function clearIfStale(lockPath: string, journalPath: string): void {
  const seen = readIfThere(lockPath);
  if (seen === null) return;
  const owner = parseOwner(seen);
  if (owner !== null && processState(owner) !== 'ended') {
    throw usageError(
      `${journalPath} is being written by process ${owner.pid}; wait for it or stop it (if no such run exists, remove ${basename(lockPath)}).`,
    );
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

/** Null for a lock file that nobody of ours wrote: it names no one who could be waited for. */
function parseOwner(text: string): ProcessIdentity | null {
  try {
    return processIdentitySchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
