import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { packagesUnderTest } from '../../../harness/record/environment.js';
import { BACKENDS, type Backend } from '../../../harness/record/names.js';
import { checkPackages } from './packages.js';

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url));

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'deltaproof-test-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function look(packagesDir: string | null, backends: readonly Backend[] = ['memory']) {
  return checkPackages({
    backends,
    packagesDir,
    projectDir: PROJECT,
    workDir: root,
    workDirNamed: false,
    postgresUri: null,
    clean: false,
  });
}

function install(name: string, manifest: string): void {
  mkdirSync(join(root, 'node_modules', name), { recursive: true });
  writeFileSync(join(root, 'node_modules', name, 'package.json'), manifest);
}

it('finds all that this project has installed, each by name with its version', () => {
  const found = look(null, BACKENDS);
  expect(found.map(({ status }) => status)).toEqual(found.map(() => 'fine'));
  expect(found.map(({ facts }) => facts['package'])).toEqual([...packagesUnderTest(BACKENDS), 'langchain']);
  expect(found.map(({ facts }) => facts['version'])).toEqual(
    found.map(({ facts }) => facts['tested_version']),
  );
});

it('names each that is missing, with one line that installs all of them there', () => {
  install('@langchain/langgraph', '{"version":"9.9.9"}');
  const [langgraph, checkpoint, core, langchain] = look(root);
  expect(langgraph).toMatchObject({
    status: 'fine',
    what: expect.stringMatching(/^@langchain\/langgraph is 9\.9\.9 \(tested with [\d.]+\)\.$/),
    fix: null,
  });
  expect(checkpoint).toMatchObject({
    status: 'missing',
    what: '@langchain/langgraph-checkpoint is not installed.',
    fix: expect.stringMatching(
      /^cd \S+ && npm install @langchain\/langgraph-checkpoint@[\d.]+ @langchain\/core@[\d.]+ langchain@[\d.]+$/,
    ),
  });
  expect(core).toMatchObject({ status: 'missing', fix: checkpoint?.fix });
  expect(langchain).toMatchObject({
    status: 'warning',
    what: 'langchain is not installed; verify leaves out the scenarios that need it.',
  });
});

it('misses one that does not tell its version', () => {
  install('@langchain/core', '{}');
  expect(look(root)[2]).toMatchObject({
    status: 'missing',
    what: expect.stringContaining('does not say its version'),
    facts: { package: '@langchain/core', version: null },
  });
});
