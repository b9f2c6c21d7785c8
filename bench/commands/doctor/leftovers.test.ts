import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeWorkFolder } from '../../../harness/process/work-folder.js';
import { ownIdentity } from '../../../harness/record/process-identity.js';
import type { Subject } from './check.js';
import { checkLeftovers, judgeLeftovers } from './leftovers.js';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'deltaproof-test-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function look(given: Partial<Subject> = {}) {
  const [result] = checkLeftovers({
    backends: ['memory'],
    packagesDir: null,
    projectDir: root,
    workDir: root,
    workDirNamed: true,
    postgresUri: null,
    clean: false,
    ...given,
  });
  return result;
}

/** What a run leaves that was killed together with its guard. */
function leaveFolder(): void {
  const { table } = ownIdentity();
  const pid = spawnSync(process.execPath, ['-e', '']).pid;
  const folder = join(root, `deltaproof-run-${table}-${pid}-1-abcDEF`);
  mkdirSync(join(folder, '1'), { recursive: true });
  writeFileSync(join(folder, '1', 'checkpoints.sqlite'), 'x'.repeat(2000));
}

it('warns of what ended runs have left, with its size and the line that removes it', () => {
  leaveFolder();
  expect(look()).toMatchObject({
    status: 'warning',
    what: 'Runs that have ended left 1 work folder, 2.00 kB.',
    facts: { folders_found: 1, folders_left: 1, bytes_found: 2000 },
    fix: expect.stringMatching(/^deltaproof doctor --clean --work-dir \S+$/),
  });
  expect(look({ workDirNamed: false })?.fix).toBe('deltaproof doctor --clean');
  expect(readdirSync(root)).toHaveLength(1);
});

it('removes it with --clean, and nothing that runs or belongs to others', () => {
  leaveFolder();
  const running = makeWorkFolder(root);
  mkdirSync(join(root, 'deltaproof-run-notes'));
  expect(look({ clean: true })).toMatchObject({
    status: 'fine',
    what: 'Removed 1 work folder of runs that have ended, 2.00 kB.',
    fix: null,
  });
  expect(readdirSync(root)).toHaveLength(2);
  running.remove();
  expect(look()).toMatchObject({ status: 'fine', what: 'No ended run has left a work folder.' });
});

it('says what it could not remove, and where it could not look', () => {
  expect(judgeLeftovers({ found: 3, left: 1, clean: true }, 10, '')).toMatchObject({
    status: 'warning',
    what: 'Of 3 work folders of runs that have ended 1 could not be removed.',
  });
  expect(look({ workDir: join(root, 'missing') })).toMatchObject({ status: 'warning', facts: {} });
});
