import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { ownIdentity, processState, type ProcessIdentity } from './process-identity.js';

const BUILT = new URL('../../dist/harness/record/process-identity.js', import.meta.url).href;
const hasProc = existsSync('/proc/self/stat');

const children: ChildProcess[] = [];
afterEach(() => {
  children.splice(0).forEach((child) => child.kill('SIGKILL'));
});

/** A process that prints one line and then waits to be killed. */
async function started(
  file: string,
  args: readonly string[],
): Promise<{ child: ChildProcess; line: string }> {
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, line: line.toString('utf8').trim() };
}

/** A process that has told who it is, under the given name in the process table. */
async function identified(title = 'node'): Promise<{ child: ChildProcess; identity: ProcessIdentity }> {
  const script = `process.title = ${JSON.stringify(title)};
    const { ownIdentity } = await import(${JSON.stringify(BUILT)});
    console.log(JSON.stringify(ownIdentity()));
    setInterval(() => {}, 1000);`;
  const { child, line } = await started(process.execPath, ['--input-type=module', '-e', script]);
  return { child, identity: JSON.parse(line) as ProcessIdentity };
}

test('this process is running, and says the same of itself every time', () => {
  expect(processState(ownIdentity())).toBe('running');
  expect(ownIdentity()).toEqual(ownIdentity());
  expect(ownIdentity().pid).toBe(process.pid);
});

test('another process is running until it is killed', async () => {
  const { child, identity } = await identified();
  expect(identity.pid).toBe(child.pid);
  expect(processState(identity)).toBe('running');

  child.kill('SIGKILL');
  await once(child, 'exit');

  expect(processState(identity)).toBe('ended');
});

test('the id of a process that has ended is not running, whatever its start', () => {
  const { pid } = spawnSync(process.execPath, ['-e', '']);

  expect(processState({ ...ownIdentity(), pid })).toBe('ended');
  expect(processState({ ...ownIdentity(), pid, start: '-' })).toBe('ended');
});

test.runIf(hasProc)('an id that was given to another process since belongs to one that has ended', () => {
  const mine = ownIdentity();

  expect(processState({ ...mine, start: String(Number(mine.start) - 1) })).toBe('ended');
});

test.runIf(hasProc)('this process and a younger one have different starts, both in clock ticks', async () => {
  const { identity } = await identified();

  expect(ownIdentity().start).toMatch(/^\d+$/);
  expect(Number(identity.start)).toBeGreaterThan(Number(ownIdentity().start));
  expect(identity.table).toBe(ownIdentity().table);
});

test.runIf(hasProc).each(['a b', 'x) Z 1 (y', ') R 1 1 1'])(
  'a process whose name is %j is recognized all the same',
  async (title) => {
    const { identity } = await identified(title);

    expect(identity.start).toMatch(/^\d+$/);
    expect(processState(identity)).toBe('running');
    expect(processState({ ...identity, start: '1' })).toBe('ended');
  },
);

test.runIf(hasProc)('a zombie, which nobody has waited for, has ended', async () => {
  // The shell becomes a program that never waits for the child it had as a shell.
  const { line } = await started('sh', ['-c', 'sleep 0.2 & echo $!; exec sleep 60']);
  const pid = Number(line);
  const [start] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ').slice(21);
  const identity = { ...ownIdentity(), pid, start: start ?? '' };
  expect(processState(identity)).toBe('running');
  await new Promise((resolve) => setTimeout(resolve, 600));

  expect(() => process.kill(pid, 0)).not.toThrow();
  expect(readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[21]).toBe(start);
  expect(processState(identity)).toBe('ended');
});

test('a process of another process table is not looked up, even where its id is in use here', () => {
  expect(processState({ ...ownIdentity(), table: '1' })).toBe('elsewhere');
  expect(processState({ ...ownIdentity(), table: '1', pid: 2 ** 22 - 1 })).toBe('elsewhere');
});

test('where the start of a process is not known, a living id counts as running', () => {
  expect(processState({ ...ownIdentity(), start: '-' })).toBe('running');
});
