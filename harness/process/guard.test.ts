// A controller that is killed leaves nothing behind: the built guard beside real controllers and children.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exampleProvenance, fullRow } from '../../fixtures/journals/rows.js';
import { folderTold, groupEnded, groupStarted } from './guard-lines.js';
import { marked, markedProcesses } from './marked-processes.support.test.js';

const CHILDREN = new URL('../../fixtures/children/', import.meta.url);
const CONTROLLER = fileURLToPath(new URL('controls-a-run.mjs', CHILDREN));
const GUARD = fileURLToPath(new URL('../../dist/harness/process/guard.js', import.meta.url));
const RUN_FOLDER = 'deltaproof-run-1-2-3-abcDEF';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'deltaproof-test-'));
  mkdirSync(join(root, 'work'));
});
afterEach(() => {
  markedProcesses(mark()).forEach(({ pid }) => process.kill(pid, 'SIGKILL'));
  rmSync(root, { recursive: true, force: true });
});

const mark = (): string => basename(root);
const work = (): string[] => readdirSync(join(root, 'work'));
const alive = (text = ''): number[] =>
  markedProcesses(mark())
    .filter((found) => found.text.includes(text))
    .map(({ pid }) => pid);

/** A controller of a run whose children are of that kind, two at a time. */
function control(child: string, cases: number) {
  const args = [join(root, 'run.jsonl'), join(root, 'work'), JSON.stringify(exampleProvenance()), child];
  return execa(process.execPath, [CONTROLLER, ...args, String(cases)], {
    reject: false,
    stdin: 'ignore',
    env: marked(mark()),
  });
}

/** The guard by itself. */
function guard() {
  return execa(process.execPath, [GUARD], { reject: false, detached: true, env: marked(mark()) });
}

/** Whether that process catches SIGHUP by now: the first bit of SigCgt in /proc/PID/status (proc(5)). */
function catchesSignals(pid = 0): boolean {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const [, caught = '0'] = /^SigCgt:\s+([0-9a-f]+)$/m.exec(status) ?? [];
  return (BigInt(`0x${caught}`) & 1n) !== 0n;
}

/** A process that leads a group of its own and never ends. */
function leader() {
  const waits = ['-e', 'setInterval(() => {}, 1000)'];
  return execa(process.execPath, waits, {
    reject: false,
    detached: true,
    stdio: 'ignore',
    env: marked(mark()),
  });
}

describe('a controller that is killed', () => {
  it.each(['spins-with-a-grandchild', 'stops-with-a-grandchild'])(
    'leaves neither a child that %s nor the grandchild nor its work folder',
    async (child) => {
      const controller = control(child, 2);
      await expect.poll(() => alive('a grandchild').length, { timeout: 10_000 }).toBe(2);
      expect(alive(`${child}.mjs`).length).toBeGreaterThanOrEqual(2);
      expect(work()).toHaveLength(1);
      controller.kill('SIGKILL');
      expect((await controller).signal).toBe('SIGKILL');
      await expect.poll(() => [...alive(), ...work()], { timeout: 3000 }).toEqual([]);
    },
  );
});

describe('a controller that ends well', () => {
  it('is not kept waiting by its guard, which ends with it', async () => {
    const { exitCode, stdout, stderr } = await control('reports', 2);
    expect({ exitCode, stderr, rows: stdout.split('\n') }).toMatchObject({ exitCode: 0, stderr: '' });
    expect(stdout.split('\n')).toHaveLength(2);
    await expect.poll(() => [...alive(), ...work()], { timeout: 3000 }).toEqual([]);
  });

  it('goes on without a guard when that was killed', async () => {
    const controller = control('reports', 10);
    await expect.poll(() => alive('process/guard.js').length, { timeout: 10_000 }).toBe(1);
    alive('process/guard.js').forEach((pid) => process.kill(pid, 'SIGKILL'));
    const { exitCode, stdout, stderr } = await controller;
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout.split('\n')).toHaveLength(10);
  });
});

describe('the guard', () => {
  it('kills the groups that are listed at the end of its stdin and no other', async () => {
    const [listed, ended] = [leader(), leader()];
    const guarding = guard();
    guarding.stdin.write(groupStarted(listed.pid ?? 0) + groupStarted(ended.pid ?? 0));
    guarding.stdin.end(groupEnded(ended.pid ?? 0));
    expect((await listed).signal).toBe('SIGKILL');
    expect((await guarding).exitCode).toBe(0);
    expect([ended.exitCode, ended.signalCode]).toEqual([null, null]);
    ended.kill('SIGKILL');
    expect((await ended).signal).toBe('SIGKILL');
  });

  it('removes a folder that a run has made, with everything in it, and none of another name', async () => {
    const [run, other] = [join(root, RUN_FOLDER), join(root, 'deltaproof-run-notes')];
    [run, other].forEach((folder) => mkdirSync(join(folder, '1'), { recursive: true }));
    const guarding = guard();
    guarding.stdin.end(folderTold(run) + folderTold(other) + folderTold(join(root, 'work')));
    expect((await guarding).exitCode).toBe(0);
    expect([existsSync(run), existsSync(other), existsSync(join(root, 'work'))]).toEqual([false, true, true]);
  });

  it('is not ended by the signals that stop its controller', async () => {
    const listed = leader();
    const guarding = guard();
    guarding.stdin.write(groupStarted(listed.pid ?? 0));
    await expect.poll(() => catchesSignals(guarding.pid), { timeout: 5000 }).toBe(true);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) guarding.kill(signal);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect([guarding.exitCode, guarding.signalCode]).toEqual([null, null]);
    guarding.stdin.end();
    expect((await listed).signal).toBe('SIGKILL');
    expect((await guarding).exitCode).toBe(0);
  });
});

describe('a child whose stdin ends', () => {
  const request = `${JSON.stringify({ case: fullRow(1).case, role: 'write', store_dir: '/tmp' })}\n`;

  it.each([
    ['takes its whole group with it, without any guard', true],
    ['ends itself alone when it leads no group', false],
  ])('%s', async (_title, detached) => {
    const file = fileURLToPath(new URL('waits-with-a-grandchild.mjs', CHILDREN));
    const child = execa(process.execPath, [file], { reject: false, detached, env: marked(mark()) });
    child.stdin.write(request);
    await expect.poll(() => alive('a grandchild').length, { timeout: 10_000 }).toBe(1);
    child.stdin.end();
    expect((await child).signal).toBe('SIGKILL');
    await expect.poll(() => alive('a grandchild').length, { timeout: 3000 }).toBe(detached ? 0 : 1);
  });
});
