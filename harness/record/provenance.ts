// Where rows come from, and whether two rows may stand in one statistic.

import { z } from 'zod';

/** What the machine is, without its name. */
const machineSchema = z.object({
  /** First 16 hex digits of sha256 over the facts below. */
  fingerprint: z.string(),
  cpu_model: z.string(),
  cores: z.int(),
  memory_bytes: z.number(),
  kernel: z.string(),
});

/** Where a row comes from; equal provenance is what makes rows poolable. */
export const provenanceSchema = z.object({
  deltaproof_version: z.string(),
  /** Commit of this project's own checkout; null when it runs from an installed package. */
  git_revision: z.string().nullable(),
  /** Whether that checkout had uncommitted changes; null where `git_revision` is. */
  git_dirty: z.boolean().nullable(),
  node_version: z.string(),
  /** Version of every package under test, as found from `--packages`. */
  packages: z.record(z.string(), z.string()),
  /** sha256 over the code of these packages: a patched copy has the same version and another hash. */
  packages_sha256: z.string(),
  machine: machineSchema,
  /** sha256 of the files of the user's own saver and graph, by what they are. */
  own_modules: z.record(z.string(), z.string()).default({}),
  /**
   * Which database server held the store, without who may enter it: `embedded 18.4`, or its version and a hash. Null for a
   * backend without one, and where no row is meant.
   */
  server: z.string().nullable().default(null),
});
export type Provenance = z.infer<typeof provenanceSchema>;

/** Equal keys mean: same machine, same code under measurement, same measuring code. */
export function provenanceKey(p: Provenance): string {
  return JSON.stringify([
    p.machine.fingerprint,
    p.deltaproof_version,
    revision(p),
    p.node_version,
    p.packages_sha256,
    p.server,
    Object.entries(p.own_modules),
    Object.entries(p.packages).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  ]);
}

/**
 * In which respects two provenances differ, each as a phrase with both values; empty when they may be pooled. One without
 * a database server goes with every one.
 */
export function provenanceDifferences(a: Provenance, b: Provenance): string[] {
  const packages = [...new Set([...Object.keys(a.packages), ...Object.keys(b.packages)])].toSorted();
  const modules = [...new Set([...Object.keys(a.own_modules), ...Object.keys(b.own_modules)])];
  const facts: [string, unknown, unknown][] = [
    ['machine', a.machine.fingerprint, b.machine.fingerprint],
    ['deltaproof version', a.deltaproof_version, b.deltaproof_version],
    ['revision', revision(a), revision(b)],
    ['Node version', a.node_version, b.node_version],
    ['code of the packages under test', a.packages_sha256, b.packages_sha256],
    ...modules.map((name): [string, unknown, unknown] => [
      `code of the ${name}`,
      a.own_modules[name] ?? 'none',
      b.own_modules[name] ?? 'none',
    ]),
    ...(a.server === null || b.server === null
      ? []
      : [['database server', a.server, b.server] as [string, string, string]]),
    ...packages.map((name): [string, unknown, unknown] => [
      `version of ${name}`,
      a.packages[name] ?? 'none',
      b.packages[name] ?? 'none',
    ]),
  ];
  return facts
    .filter(([, left, right]) => left !== right)
    .map(([what, left, right]) => `${what} (${String(left)} and ${String(right)})`);
}

function revision(p: Provenance): string {
  if (p.git_revision === null && p.git_dirty === null) return 'none';
  const state = { true: ' with uncommitted changes', false: '', null: ', not known whether changed' };
  return `${p.git_revision ?? 'none'}${state[String(p.git_dirty) as keyof typeof state]}`;
}
