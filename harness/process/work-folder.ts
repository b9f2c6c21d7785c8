// The folder that holds the stores of a running plan. The parent makes and removes it, and its guard does when it is
// killed; what was left all the same is found by its name, which says whose it was, and is removed at the next start.

import { randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { ownIdentity, processState, type ProcessIdentity } from '../record/process-identity.js';
import { CommandError, usageError } from '../record/errors.js';
import { SERVER_FILE_NAME } from '../record/store-place.js';
import { EXIT } from '../record/verdict.js';

const NAME = /^deltaproof-run-([0-9]+|-)-([0-9]+)-([0-9]+|-)-[A-Za-z0-9]{6}$/;

/** In a run's folder, where the run has started a database server. */
const SERVER_FOLDER = 'postgres';

export interface WorkFolder {
  /** Where a database server of the run keeps its data. */
  readonly serverFolder: string;
  /** A fresh, empty folder for one case. */
  makeCaseFolder(): string;
  /** Never throws: what cannot be removed now goes with the run's folder, or at the next start. */
  removeCaseFolder(path: string): void;
  /** Removes everything this run has made. Never throws. */
  remove(): void;
}

/**
 * Makes the run's folder under `root`.
 *
 * @param tellGuard is told its absolute path before it is made, so that no instant leaves a folder nobody knows of.
 * @throws CommandError (usage) when it cannot be made there.
 */
export function makeWorkFolder(root: string, tellGuard: (path: string) => void = () => {}): WorkFolder {
  const { pid, start, table } = ownIdentity();
  const path = join(root, `deltaproof-run-${table}-${pid}-${start}-${randomBytes(3).toString('hex')}`);
  tellGuard(resolve(path));
  makeRunFolder(root, path);
  let made = 0;
  return {
    serverFolder: join(path, SERVER_FOLDER),
    makeCaseFolder: () => {
      made += 1;
      const folder = join(path, String(made));
      makeFolder(folder);
      return folder;
    },
    removeCaseFolder: (folder) => void removeFolder(folder),
    remove: () => {
      endRecordedServer(join(path, SERVER_FOLDER));
      removeFolder(path);
    },
  };
}

/** Whether that is the path of a folder which a run of this tool has made. */
export function isRunFolder(path: string): boolean {
  return NAME.test(basename(path));
}

/** Removes a folder with all that is in it; false when something of it is left. Never throws. */
function removeFolder(path: string): boolean {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 });
    return true;
  } catch {
    return false;
  }
}

/**
 * Ends a server that outlived those who were to end it: the process that the run has recorded, and none that only has its
 * number. Where processes cannot be told apart (no /proc) it is left alone.
 */
function endRecordedServer(folder: string): void {
  try {
    const recorded = JSON.parse(readFileSync(join(folder, SERVER_FILE_NAME), 'utf8')) as ProcessIdentity;
    if (recorded.start === '-' || processState(recorded) !== 'running') return;
    // Postgres ends its other processes when the first one is gone.
    process.kill(recorded.pid, 'SIGQUIT');
  } catch {
    // There is no server, or it has ended meanwhile.
  }
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    throw new CommandError(
      `The work folder of a case cannot be made: ${(error as Error).message}.`,
      EXIT.fault,
    );
  }
}

function makeRunFolder(root: string, path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    throw usageError(`The work folder ${root} cannot be written: ${(error as Error).message}.`);
  }
}

/** Paths of work folders under `root` whose run has ended. */
export function listLeftovers(root: string): string[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && ownerState(entry.name) === 'ended')
    .map((entry) => join(root, entry.name));
}

/** Null for a name that no run of this tool gives. */
function ownerState(name: string): ReturnType<typeof processState> | null {
  const [, table, pid, start] = NAME.exec(name) ?? [];
  if (table === undefined || pid === undefined || start === undefined) return null;
  return processState({ pid: Number(pid), start, table });
}

/**
 * Removes work folders under `root` whose run has ended; returns how many. Touches nothing else. One that cannot be
 * removed, or that its guard is removing at this moment, is passed over.
 */
export function removeLeftovers(root: string): number {
  return listLeftovers(root).filter(removeLeftover).length;
}

/** Removes the folder of a run that has ended, and ends its server where that still runs; false when something is left. */
export function removeLeftover(path: string): boolean {
  endRecordedServer(join(path, SERVER_FOLDER));
  return removeFolder(path);
}

/** Bytes of all files in a folder; what cannot be looked at, or goes meanwhile, counts as nothing. Never throws. */
export function folderBytes(path: string): number {
  try {
    return readdirSync(path, { withFileTypes: true })
      .map((entry) => {
        const inside = join(path, entry.name);
        return entry.isDirectory()
          ? folderBytes(inside)
          : (lstatSync(inside, { throwIfNoEntry: false })?.size ?? 0);
      })
      .reduce((sum, bytes) => sum + bytes, 0);
  } catch {
    return 0;
  }
}
