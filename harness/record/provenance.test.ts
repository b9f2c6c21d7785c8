import { expect, test } from 'vitest';
import { provenanceDifferences, provenanceKey } from './provenance.js';
import type { Provenance } from './provenance.js';

const ONE: Provenance = {
  deltaproof_version: '0.1.0',
  git_revision: '0123456789abcdef0123456789abcdef01234567',
  git_dirty: false,
  node_version: '20.20.0',
  packages_sha256: 'c'.repeat(64),
  server: null,
  own_modules: {},
  packages: { '@langchain/langgraph': '1.7.3', 'better-sqlite3': '12.11.1' },
  machine: {
    fingerprint: 'aaaaaaaaaaaaaaaa',
    cpu_model: 'Example CPU',
    cores: 4,
    memory_bytes: 8_000_000_000,
    kernel: 'linux 6.0 x64',
  },
};

const CHANGES: readonly (readonly [what: string, change: Partial<Provenance>, differences: string[]])[] = [
  [
    'machine',
    { machine: { ...ONE.machine, fingerprint: 'bbbbbbbbbbbbbbbb' } },
    ['machine (aaaaaaaaaaaaaaaa and bbbbbbbbbbbbbbbb)'],
  ],
  ['version', { deltaproof_version: '0.2.0' }, ['deltaproof version (0.1.0 and 0.2.0)']],
  [
    'revision',
    { git_revision: 'fedcba9876543210fedcba9876543210fedcba98' },
    ['revision (0123456789abcdef0123456789abcdef01234567 and fedcba9876543210fedcba9876543210fedcba98)'],
  ],
  [
    'state of the checkout',
    { git_dirty: true },
    [
      'revision (0123456789abcdef0123456789abcdef01234567 and 0123456789abcdef0123456789abcdef01234567 with uncommitted changes)',
    ],
  ],
  [
    'checkout',
    { git_revision: null, git_dirty: null },
    ['revision (0123456789abcdef0123456789abcdef01234567 and none)'],
  ],
  ['Node version', { node_version: '22.0.0' }, ['Node version (20.20.0 and 22.0.0)']],
  [
    'package version',
    { packages: { ...ONE.packages, 'better-sqlite3': '13.0.0' } },
    ['version of better-sqlite3 (12.11.1 and 13.0.0)'],
  ],
  [
    'set of packages',
    { packages: { 'better-sqlite3': '12.11.1', canonicalize: '4.0.0' } },
    ['version of @langchain/langgraph (1.7.3 and none)', 'version of canonicalize (none and 4.0.0)'],
  ],
  [
    'code of the same packages',
    { packages_sha256: 'd'.repeat(64) },
    [`code of the packages under test (${'c'.repeat(64)} and ${'d'.repeat(64)})`],
  ],
  [
    'machine and Node version',
    { machine: { ...ONE.machine, fingerprint: 'b' }, node_version: '22.0.0' },
    ['machine (aaaaaaaaaaaaaaaa and b)', 'Node version (20.20.0 and 22.0.0)'],
  ],
];

test('rows of one machine, code and set of packages may be pooled, in whatever order the packages stand', () => {
  const other = { ...ONE, packages: { 'better-sqlite3': '12.11.1', '@langchain/langgraph': '1.7.3' } };

  expect(provenanceKey(other)).toBe(provenanceKey(ONE));
  expect(provenanceDifferences(ONE, other)).toEqual([]);
});

test.each(CHANGES)('another %s keeps rows apart and is named with both values', (_, change, differences) => {
  const other = { ...ONE, ...change };

  expect(provenanceKey(other)).not.toBe(provenanceKey(ONE));
  expect(provenanceDifferences(ONE, other)).toEqual(differences);
});

test('two rows may be pooled exactly when no difference is named', () => {
  const revisions = [null, 'a'.repeat(40), `${'a'.repeat(39)}b`];
  const all = revisions.flatMap((git_revision) =>
    [null, true, false].flatMap((git_dirty) =>
      [{}, { a: '1' }, { b: '1' }].map((packages): Provenance => ({
        ...ONE,
        git_revision,
        git_dirty,
        packages,
      })),
    ),
  );
  const wrong = all.flatMap((one) =>
    all.filter(
      (other) =>
        (provenanceKey(one) === provenanceKey(other)) !== (provenanceDifferences(one, other).length === 0),
    ),
  );

  expect(wrong).toEqual([]);
});

test('no two of the changes have one key', () => {
  const keys = [ONE, ...CHANGES.map(([, change]) => ({ ...ONE, ...change }))].map(provenanceKey);

  expect(new Set(keys).size).toBe(keys.length);
});

test('the facts beside a fingerprint do not keep rows apart, the fingerprint stands for them', () => {
  const other = { ...ONE, machine: { ...ONE.machine, cpu_model: 'Another name' } };

  expect(provenanceKey(other)).toBe(provenanceKey(ONE));
  expect(provenanceDifferences(ONE, other)).toEqual([]);
});

test('a name and a version cannot be shifted into each other', () => {
  const [a, b] = [{ a: 'b","c' }, { 'a","b': 'c' }].map((packages) => ({ ...ONE, packages }));

  expect(provenanceKey(a as Provenance)).not.toBe(provenanceKey(b as Provenance));
});
