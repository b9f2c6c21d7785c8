// Where rows come from, and whether two rows may stand in one statistic.

import type { Provenance } from './row.js';

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
