import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ChildRun } from '../../../harness/process/child.js';
import type { OpenReport } from '../../../harness/process/doctor-messages.js';
import { checkBackends, judgeBackend } from './backends.js';
import type { Subject } from './check.js';

let subject: Subject;
beforeEach(() => {
  const root = mkdtempSync(join(tmpdir(), 'deltaproof-test-'));
  subject = {
    backends: ['sqlite', 'memory'],
    packagesDir: root,
    projectDir: root,
    workDir: root,
    workDirNamed: true,
    postgresUri: null,
    clean: false,
  };
});
afterEach(() => rmSync(subject.projectDir, { recursive: true, force: true }));

function judged(ending: ChildRun<OpenReport>['ending'], stderrTail: string[] = []) {
  return judgeBackend('sqlite', { ending, stderrTail }, subject);
}

function reported(outcome: OpenReport['outcome']): ChildRun<OpenReport>['ending'] {
  return { kind: 'reported', report: { kind: 'report', case_key: 'sqlite', role: 'open', outcome } };
}

function refusal(error: string, code: string | null = null) {
  return judged(reported({ kind: 'refused', error, code }));
}

it('tells how long a backend took', () => {
  expect(judged(reported({ kind: 'opened', load_ms: 211.4, round_trip_ms: 3.456 }))).toMatchObject({
    status: 'fine',
    what: 'sqlite kept a checkpoint and gave it back in 3.46 ms, once its packages had loaded in 211 ms.',
    facts: { backend: 'sqlite', load_ms: 211, round_trip_ms: 3, error: null },
    fix: null,
  });
});

it('misses one without its addon, or with that of another Node, and has the line that builds it', () => {
  const addon = join(subject.projectDir, 'node_modules', 'better-sqlite3');
  mkdirSync(addon, { recursive: true });
  writeFileSync(join(addon, 'package.json'), '{"version":"12.11.1"}');
  for (const found of [
    refusal('Could not locate the bindings file.'),
    refusal("The module 'x.node' was compiled against a different Node.js version.", 'ERR_DLOPEN_FAILED'),
  ]) {
    expect(found).toMatchObject({
      status: 'missing',
      fix: expect.stringMatching(/npm rebuild .*better-sqlite3 --ignore-scripts=false$/),
    });
  }
});

it.each([
  ["Cannot find package 'better-sqlite3'.", 'ERR_MODULE_NOT_FOUND', /npm install better-sqlite3$/],
  ["Cannot find package 'bindings'.", 'ERR_MODULE_NOT_FOUND', /npm install$/],
  ['unable to open database file', 'SQLITE_CANTOPEN', /--work-dir/],
  ['no space left on device', 'ENOSPC', /--work-dir/],
  ['something else', null, /npm install$/],
])('mends "%s" by what it is', (error, code, fix) => {
  expect(refusal(error, code)).toMatchObject({
    status: 'missing',
    what: `sqlite does not start: ${error}`,
    fix: expect.stringMatching(fix),
  });
});

it('misses one whose child says nothing, with the line of stderr that names an error', () => {
  expect(judged({ kind: 'signalled', signal: 'SIGSEGV' })).toMatchObject({
    status: 'missing',
    what: 'sqlite does not start: The child was ended by SIGSEGV.',
  });
  expect(judged({ kind: 'timed_out', timeoutMs: 60_000 }).what).toContain('did not report within 60 s');
  const stderr = ['at x.js:1', 'Error: broken', 'Node.js v20'];
  expect(judged({ kind: 'exited', code: 1 }, stderr).what).toMatch(
    /before it reported\. It said: Error: broken$/,
  );
});

it('misses all of them where the work folder cannot be made, without its path', async () => {
  const found = await checkBackends({ ...subject, workDir: join(subject.projectDir, 'missing') });
  expect(found.map(({ status, facts }) => [status, facts['backend']])).toEqual([
    ['missing', 'sqlite'],
    ['missing', 'memory'],
  ]);
  expect(found[0]?.what).toContain('cannot be written: ENOENT');
  expect(JSON.stringify(found)).not.toContain(subject.projectDir);
  expect(found[0]?.fix).toContain('--work-dir');
});
