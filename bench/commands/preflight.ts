// What is checked before the first case runs: packages, folders, free disk, timeouts. A run that cannot end well does
// not start.

import { once } from 'node:events';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { PlannedCase } from '../../harness/record/plan.js';
import { removeLeftovers } from '../../harness/process/work-folder.js';
import { caseFileName, describeCase } from '../../harness/record/case.js';
import { freeSpace, packagesUnderTest } from '../../harness/record/environment.js';
import { CommandError, usageError } from '../../harness/record/errors.js';
import type { Backend } from '../../harness/record/names.js';
import type { Provenance } from '../../harness/record/provenance.js';
import { EXIT } from '../../harness/record/verdict.js';
import { formatQuantity } from '../../summarize/quantities.js';
import { formatDuration } from './durations.js';
import type { PlanCost } from './plan-text.js';
import type { RunOptions } from './run-options.js';

/**
 * @param more packages that are needed whatever the backend.
 * @throws CommandError (missing) that names every package that is needed and was not found.
 */
export function requirePackages(
  provenance: Provenance,
  { backends, more = [] }: { readonly backends: readonly Backend[]; readonly more?: readonly string[] },
  packagesDir: string | null,
): void {
  const missing = [...packagesUnderTest(backends), ...more].filter(
    (name) => provenance.packages[name] === undefined,
  );
  if (missing.length === 0) return;
  const where = packagesDir === null ? 'this installation; run npm ci' : `${packagesDir}; install them there`;
  throw new CommandError(`Not found from ${where}: ${missing.join(', ')}.`, EXIT.missing);
}

/**
 * @param what the option or variable that named the folder.
 * @throws CommandError (usage) when it is not one.
 */
export function requireFolder(what: string, path: string | null): void {
  if (path !== null && !isFolder(path)) throw usageError(`${what} ${path} is not a folder.`);
}

/** How long a server may take to let somebody in. */
const CONNECT_TIMEOUT_MS = 3000;

/** @throws CommandError (missing) when the package is not installed, or nothing listens where the URL says. */
export async function requireRedis(url: string | null): Promise<void> {
  if (url === null) return;
  try {
    import.meta.resolve('redis');
  } catch {
    throw new CommandError(
      'The shared history cache needs the package redis: npm install redis.',
      EXIT.missing,
    );
  }
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname.replaceAll(/[[\]]/g, ''), port: Number(port || 6379) });
  socket.setTimeout(CONNECT_TIMEOUT_MS, () => socket.destroy(new Error('it does not answer')));
  try {
    await once(socket, 'connect');
  } catch (error) {
    throw new CommandError(
      `The Redis server of --redis-url (or TEST_REDIS_URL) cannot be reached: ${(error as Error).message}.`,
      EXIT.missing,
    );
  } finally {
    socket.destroy();
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/**
 * Looks at the work folder and at the plan's cost; removes what killed runs of this tool left there.
 *
 * @returns warnings, a sentence each.
 * @throws CommandError (missing) when there is not enough free disk.
 */
export function checkWorkDir(options: Pick<RunOptions, 'workDir'>, cost: PlanCost): string[] {
  const leftovers = removeLeftovers(options.workDir);
  const { freeBytes, fileSystem } = freeSpace(options.workDir);
  if (cost.peakDiskBytes > freeBytes) {
    const needed = formatQuantity(cost.peakDiskBytes, 'bytes');
    const free = formatQuantity(freeBytes, 'bytes');
    throw new CommandError(
      `The plan needs about ${needed} at its peak and ${options.workDir} has ${free} free; name another --work-dir or run less.`,
      EXIT.missing,
    );
  }
  return [
    ...(leftovers === 0 ? [] : [`Removed ${leftovers} work folders of runs that were killed.`]),
    ...(fileSystem?.isMemory === true && cost.peakDiskBytes > 0
      ? [
          `${options.workDir} is memory, not disk: stores take RAM and file times mean little; use --work-dir.`,
        ]
      : []),
  ];
}

/** Cases that are expected to take longer than the timeout, by name. */
export function timeoutWarnings(cases: readonly PlannedCase[], timeoutMs: number): string[] {
  return cases
    .filter((planned) => planned.expectedMs > timeoutMs)
    .map(
      (planned) =>
        `${describeCase(planned.case)} is expected to take ${formatDuration(planned.expectedMs)}, longer than --timeout-seconds ${timeoutMs / 1000}.`,
    );
}

/**
 * @param replace a resumed run may replace the stores of the cases that it runs again.
 * @throws CommandError (usage) when a store to be kept would replace an existing one.
 */
export function prepareKeepStores(dir: string | null, cases: readonly PlannedCase[], replace: boolean): void {
  if (dir === null) return;
  const taken = cases
    .map((planned) => caseFileName(planned.case))
    .find((name) => existsSync(join(dir, name)));
  if (taken !== undefined && !replace) {
    throw usageError(`--keep-stores ${dir} already holds ${taken}; name another folder.`);
  }
  prepareFolder('keep-stores', dir);
}

/** Makes the folder that an option names. Throws CommandError (usage) when it cannot be made. */
export function prepareFolder(option: string, dir: string | null): void {
  if (dir === null) return;
  if (isFolder(dir)) return;
  try {
    // One level only: making all levels never returns where the kernel refuses one of them, as below /proc.
    mkdirSync(dir);
  } catch (error) {
    throw usageError(`--${option} ${dir} cannot be made: ${(error as Error).message}.`);
  }
}
