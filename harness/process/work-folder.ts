// The folder that holds the stores of a running plan. The parent makes and removes it; what a killed parent left is
// found by its name, which says whose it was, and is removed at the next start.

import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ownIdentity, processState } from '../record/process-identity.js';
import { CommandError, usageError } from '../record/errors.js';
import { EXIT } from '../record/verdict.js';

const NAME = /^deltaproof-run-([0-9]+|-)-([0-9]+)-([0-9]+|-)-[A-Za-z0-9]{6}$/;

export interface WorkFolder {
  /** A fresh, empty folder for one case. */
  makeCaseFolder(): string;
  removeCaseFolder(path: string): void;
  /** Removes everything this run has made. */
  remove(): void;
}

/**
 * Makes the run's folder under `root`.
 *
 * @throws CommandError (usage) when it cannot be made there.
 */
export function makeWorkFolder(root: string): WorkFolder {
  const { pid, start, table } = ownIdentity();
  const path = makeIn(root, `deltaproof-run-${table}-${pid}-${start}-`);
  let made = 0;
  return {
    makeCaseFolder: () => {
      made += 1;
      const folder = join(path, String(made));
      makeFolder(folder);
      return folder;
    },
    removeCaseFolder: (folder) => rmSync(folder, { recursive: true, force: true }),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    throw new CommandError(
      `The work folder of a case cannot be made: ${(error as Error).message}.`,
      EXIT.fault,
    );
  }
}

function makeIn(root: string, prefix: string): string {
  try {
    return mkdtempSync(join(root, prefix));
  } catch (error) {
    throw usageError(`The work folder ${root} cannot be written: ${(error as Error).message}.`);
  }
}

/** Removes work folders under `root` whose run has ended; returns how many. Touches nothing else. */
export function removeLeftovers(root: string): number {
  let removed = 0;
  for (const entry of readdirSync(root, { withFileTypes: true })) {
    const [, table, pid, start] = NAME.exec(entry.name) ?? [];
    if (!entry.isDirectory() || table === undefined || pid === undefined || start === undefined) continue;
    if (processState({ pid: Number(pid), start, table }) !== 'ended') continue;
    rmSync(join(root, entry.name), { recursive: true, force: true });
    removed += 1;
  }
  return removed;
}
