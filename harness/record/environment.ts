// What machine this is and what it has room for, told without its name. Reads only; starts nothing.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statfsSync } from 'node:fs';
import { arch, cpus, loadavg, platform, release, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { sha256Hex } from './digest.js';
import { CommandError } from './errors.js';
import { fileSystemOf, type FileSystem } from './file-systems.js';
import { EXIT } from './verdict.js';
import { BACKEND_CAPABILITIES, BACKENDS, type Backend } from './names.js';
import type { Provenance } from './provenance.js';

/** Packages that every case needs, whatever its backend. */
const PACKAGES_OF_EVERY_CASE = ['@langchain/langgraph', '@langchain/langgraph-checkpoint', '@langchain/core'];

/** Packages under test that some scenarios need; they are left out where these are not there. */
export const PACKAGES_OF_SOME_SCENARIOS: readonly string[] = ['langchain'];

/** Packages under test that cases of these backends load: what `--packages` resolves and rows name with versions. */
export function packagesUnderTest(backends: readonly Backend[]): string[] {
  return [
    ...PACKAGES_OF_EVERY_CASE,
    ...backends.flatMap((backend) => BACKEND_CAPABILITIES[backend].packages),
  ];
}

function allPackages(): string[] {
  return [...packagesUnderTest(BACKENDS), ...PACKAGES_OF_SOME_SCENARIOS];
}

/** The facts of this machine and their fingerprint; no host name. */
export function machineFacts(): Provenance['machine'] {
  const facts = {
    cpu_model: cpus()[0]?.model.trim() ?? arch(),
    cores: cpus().length,
    memory_bytes: totalmem(),
    kernel: `${platform()} ${release()} ${arch()}`,
  };
  return { fingerprint: sha256Hex(JSON.stringify(facts)).slice(0, 16), ...facts };
}

/** The one-minute load average, to two digits. */
export function loadNow(): number {
  return Math.round((loadavg()[0] ?? 0) * 100) / 100;
}

/** Version of each package under test as a module in `folder` would load it; missing ones are absent. */
export function installedVersions(folder: string): Record<string, string> {
  const entries = allPackages().flatMap((name): [string, string][] => {
    const version = installedVersion(folder, name);
    return version === null ? [] : [[name, version]];
  });
  return Object.fromEntries(entries);
}

/** One hash over the code of the packages found from `folder`: same versions with other code are other packages. */
export function installedCodeSha256(folder: string): string {
  const hash = createHash('sha256');
  for (const name of allPackages()) {
    const dir = installedFolder(folder, name);
    if (dir === null) continue;
    const files = readdirSync(dir, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(?:[cm]?js|json|node)$/.test(file) && !/(?:^|\/)node_modules\//.test(file))
      .toSorted();
    for (const file of files) {
      hash.update(`${name}/${file}\0`).update(readFileSync(join(dir, file)));
    }
  }
  return hash.digest('hex');
}

/**
 * Folder of a package as a module in `folder` would load it; null where there is none. Looks where `import` does: the
 * node_modules of the folder and of every folder above it, not NODE_PATH.
 */
export function installedFolder(folder: string, name: string): string | null {
  const dir = join(folder, 'node_modules', name);
  if (existsSync(join(dir, 'package.json'))) return dir;
  return dirname(folder) === folder ? null : installedFolder(dirname(folder), name);
}

/**
 * Version of a package as a module in `folder` would load it; null where there is none.
 *
 * @throws CommandError (missing) when the package's own manifest does not tell its version.
 */
export function installedVersion(folder: string, name: string): string | null {
  const dir = installedFolder(folder, name);
  if (dir === null) return null;
  const version = manifestVersion(join(dir, 'package.json'));
  if (version === null || !/^[\w.+-]{1,100}$/.test(version)) {
    throw new CommandError(
      `The package.json of ${name} does not say its version; install it anew.`,
      EXIT.missing,
    );
  }
  return version;
}

function manifestVersion(path: string): string | null {
  try {
    const manifest = JSON.parse(readFileSync(path, 'utf8')) as { version?: unknown } | null;
    return typeof manifest?.version === 'string' ? manifest.version : null;
  } catch {
    return null;
  }
}

export interface FreeSpace {
  /** For an ordinary user. */
  readonly freeBytes: number;
  /** Null where the system does not tell it. */
  readonly fileSystem: FileSystem | null;
}

/** What there is room for at `folder`. */
export function freeSpace(folder: string): FreeSpace {
  const stat = statfsSync(nearestExisting(folder));
  const fileSystem = platform() === 'linux' ? fileSystemOf(stat.type) : null;
  return { freeBytes: stat.bavail * stat.bsize, fileSystem };
}

function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));
}
