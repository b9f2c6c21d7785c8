// One writer per journal. Each claimant makes a file of its own beside the journal, named after the process, and then
// looks for others: so two can refuse each other, but two can never both hold it. Files of ended processes are removed.
// For processes of one machine; says nothing about network file systems.

import { closeSync, openSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { usageError } from './errors.js';
import { ownIdentity, processState, type ProcessIdentity } from './process-identity.js';

export interface JournalLock {
  release(): void;
}

const ATTEMPTS = 5;

/**
 * Takes the lock of `journalPath` (a real path, without links), or says who holds it.
 *
 * @throws CommandError (usage) when a process that may be running holds it, or the lock file cannot be made.
 */
export function lockJournal(journalPath: string): JournalLock {
  const mine = lockFileName(journalPath, ownIdentity());
  for (let attempt = 1; ; attempt += 1) {
    claim(mine, journalPath);
    const other = otherClaimant(journalPath, mine);
    if (other === null) return { release: () => rmSync(mine, { force: true }) };
    rmSync(mine, { force: true });
    if (attempt === ATTEMPTS) throw heldBy(other, journalPath);
    // Two that came at the same instant refuse each other; whoever waits longer finds the other holding it or gone.
    sleepMs(Math.random() * 20 * attempt);
  }
}

/** `<journal>.lock-<process table>-<pid>-<start>`: all that must be known stands in the name, written in one step. */
function lockFileName(journalPath: string, { table, pid, start }: ProcessIdentity): string {
  return `${journalPath}.lock-${table}-${pid}-${start}`;
}

function claim(path: string, journalPath: string): void {
  try {
    closeSync(openSync(path, 'wx'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw heldBy(ownIdentity(), journalPath);
    throw usageError(`--output ${journalPath} cannot be written: ${(error as Error).message}.`);
  }
}

/** Another claimant that may be running; removes the files of those that have ended. */
function otherClaimant(journalPath: string, mine: string): ProcessIdentity | null {
  const folder = dirname(journalPath);
  const prefix = `${basename(journalPath)}.lock-`;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (!name.startsWith(prefix) || path === mine) continue;
    const [, table, pid, start] = /^(\d+|-)-(\d+)-(\d+|-)$/.exec(name.slice(prefix.length)) ?? [];
    if (table === undefined || pid === undefined || start === undefined) continue;
    const claimant = { table, pid: Number(pid), start };
    if (processState(claimant) !== 'ended') return claimant;
    // The name belongs to that process alone, so what is removed here cannot be somebody's living lock.
    rmSync(path, { force: true });
  }
  return null;
}

function heldBy(owner: ProcessIdentity, journalPath: string): Error {
  const lockName = basename(lockFileName(journalPath, owner));
  return usageError(
    `${journalPath} is being written by process ${owner.pid}; wait for it or stop it (if no such run exists, remove ${lockName}).`,
  );
}

function sleepMs(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
