// What machine this is and what it has room for, told without its name. Reads only; starts nothing.

import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { arch, cpus, loadavg, platform, release, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { sha256Hex } from './digest.js';
import { BACKEND_CAPABILITIES, BACKENDS, type Backend } from './names.js';
import type { Provenance } from './row.js';

/** Packages that every case needs, whatever its backend. */
const PACKAGES_OF_EVERY_CASE = ['@langchain/langgraph', '@langchain/langgraph-checkpoint', '@langchain/core'];

/** Packages under test that cases of these backends load: what `--packages` resolves and rows name with versions. */
export function packagesUnderTest(backends: readonly Backend[]): string[] {
  return [
    ...PACKAGES_OF_EVERY_CASE,
    ...backends.flatMap((backend) => BACKEND_CAPABILITIES[backend].packages),
  ];
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
  const entries = packagesUnderTest(BACKENDS).flatMap((name): [string, string][] => {
    const version = installedVersion(folder, name);
    return version === null ? [] : [[name, version]];
  });
  return Object.fromEntries(entries);
}

/** Looks where `import` does: the node_modules of the folder and of every folder above it, not NODE_PATH. */
function installedVersion(folder: string, name: string): string | null {
  const manifest = join(folder, 'node_modules', name, 'package.json');
  if (existsSync(manifest))
    return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
  return dirname(folder) === folder ? null : installedVersion(dirname(folder), name);
}

/** Linux's magic number of tmpfs, from statfs(2). */
const TMPFS_MAGIC = 0x01021994;

/** Free bytes for an ordinary user at `folder`, and whether that is memory rather than disk. */
export function freeSpace(folder: string): { readonly freeBytes: number; readonly isTmpfs: boolean } {
  const stat = statfsSync(nearestExisting(folder));
  return { freeBytes: stat.bavail * stat.bsize, isTmpfs: stat.type === TMPFS_MAGIC };
}

function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));
}
