// Runs of `deltaproof verify` as a user meets them: the built program, real children, real savers.

import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Verification } from '../summarize/judge-scenarios.js';
import { linesOf, start, useFolder } from './program.support.test.js';

const folder = useFolder();
const verify = (...args: string[]) => start(folder.path, ['verify', '--output', folder.journal, ...args]);

describe('a verification', () => {
  it('prints a verdict for each scenario and backend, and keeps a row for each', async () => {
    const { exitCode, stdout, stderr } = await verify(
      '--scenarios',
      'linear,files-map',
      '--snapshot-frequencies',
      '3',
    );
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^scenario +memory +sqlite\nlinear +holds +holds\nfiles-map +holds +holds\n/);
    expect(stderr).toContain('[2/2]');
    const rows = linesOf(folder.journal).filter((line) => line.kind === 'scenario');
    expect(rows.map(({ scenario, backend }) => `${scenario} ${backend}`).toSorted()).toEqual([
      'files-map memory',
      'files-map sqlite',
      'linear memory',
      'linear sqlite',
    ]);
    // Live, head and pinned for each of twelve turns, the last unpinned, and the order of the calls;
    // on SQLite the readings again in a fresh process.
    const comparisons = rows
      .filter(({ scenario }) => scenario === 'linear')
      .map(({ backend, cells }) => [backend, cells.map((cell) => cell.comparisons)]);
    expect(Object.fromEntries(comparisons)).toEqual({ memory: [38, 38], sqlite: [51, 51] });
    expect(readFileSync(folder.journal, 'utf8')).not.toContain(folder.path);
    expect(readdirSync(folder.path)).toEqual(['run.jsonl']);
  }, 60_000);

  it('names a known defect and is still a gate; strict makes it an error', async () => {
    const args = ['--scenarios', 'fan-out', '--backends', 'sqlite', '--quick'];
    const lenient = await verify(...args);
    expect(lenient.exitCode).toBe(0);
    expect(lenient.stdout).toMatch(/^fan-out +known L1$/m);
    const strict = await verify(...args, '--strict', '--overwrite');
    expect(strict.exitCode).toBe(4);
  }, 60_000);

  it('writes JUnit and Markdown, and one JSON document on stdout', async () => {
    const junit = join(folder.path, 'junit.xml');
    const markdown = join(folder.path, 'verify.md');
    const what = ['--scenarios', 'linear', '--backends', 'memory', '--quick', '--json', '--quiet'];
    const { stdout } = await verify(...what, '--junit', junit, '--markdown', markdown);
    const { judgements } = JSON.parse(stdout) as Verification;
    expect(judgements).toMatchObject([{ scenario: 'linear', backend: 'memory', verdict: 'holds' }]);
    expect(readFileSync(junit, 'utf8')).toContain('<testcase classname="memory" name="linear"></testcase>');
    expect(readFileSync(markdown, 'utf8')).toContain('| linear | holds |');
  }, 60_000);

  it('goes on where a journal ends', async () => {
    await verify('--scenarios', 'linear', '--backends', 'memory', '--quick');
    const args = ['--scenarios', 'linear,text', '--backends', 'memory', '--quick', '--resume'];
    const { stderr, stdout } = await verify(...args);
    expect(stderr).toContain('[2/2] text');
    expect(stderr).not.toContain('linear: memory');
    expect(stdout).toMatch(/^linear +holds$/m);
  }, 60_000);

  it('refuses files for a self-test, which writes none', async () => {
    const { exitCode, stderr } = await verify('--self-test');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--self-test writes no file; leave --output out.');
  }, 60_000);

  it('refuses to go on in the journal of another machine, and names no option that it does not have', async () => {
    await verify('--scenarios', 'linear', '--backends', 'memory', '--quick');
    const lines = readFileSync(folder.journal, 'utf8');
    writeFileSync(folder.journal, lines.replaceAll(/"fingerprint":"[0-9a-f]+"/g, '"fingerprint":"other"'));
    const { exitCode, stderr } = await verify(
      '--scenarios',
      'linear,text',
      '--backends',
      'memory',
      '--resume',
    );
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/was measured elsewhere: .*Write to a new file\.\n/);
  }, 60_000);

  it('tells which of the chosen scenarios do not run, and refuses a choice of which none does', async () => {
    const some = await verify('--scenarios', 'linear,long-chain', '--backends', 'memory', '--quick');
    expect(some.exitCode).toBe(0);
    expect(some.stderr).toContain('warning: Left out by --quick or the backends: long-chain.\n');
    const none = await verify('--scenarios', 'killed-anywhere', '--backends', 'memory', '--overwrite');
    expect(none.exitCode).toBe(2);
    expect(none.stderr).toContain('None of these scenarios runs on memory.');
  }, 60_000);

  it('says in its reports what an interruption has cut off', async () => {
    const junit = join(folder.path, 'verify.xml');
    const child = verify('--scenarios', 'linear,text,values', '--jobs', '1', '--junit', junit);
    child.stderr.on('data', (chunk: Buffer) => {
      if (chunk.toString().includes('[1/3] ')) child.kill('SIGINT');
    });
    const { exitCode, stdout } = await child;
    expect(exitCode).toBe(130);
    expect(stdout).toContain('values was skipped: The run was interrupted.');
    expect(readFileSync(junit, 'utf8')).toContain(
      '<testcase classname="skipped" name="values"><skipped message="The run was interrupted."/></testcase>',
    );
  }, 60_000);

  it('refuses what no scenario is called, and says where they are listed', async () => {
    const { exitCode, stderr } = await verify('--scenarios', 'lineer');
    expect(exitCode).toBe(2);
    expect(stderr).toContain("--scenarios does not accept 'lineer'");
    expect(stderr).toContain('deltaproof list');
    expect(existsSync(folder.journal)).toBe(false);
  }, 60_000);
});

it('list prints scenarios, backends and known defects, and as one document with --json', async () => {
  const { stdout } = await start(folder.path, ['list']);
  expect(stdout).toContain('fan-out (state): ');
  expect(stdout).toContain('  L1: ');
  const { stdout: json } = await start(folder.path, ['list', '--json']);
  expect(Object.keys(JSON.parse(json))).toEqual([
    'workloads',
    'agent_workloads',
    'backends',
    'scenarios',
    'known_defects',
    'liars',
    'wrappers',
  ]);
}, 60_000);
