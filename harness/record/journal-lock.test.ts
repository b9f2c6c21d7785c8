import { spawn, spawnSync, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CommandError } from './errors.js';
import { openJournal } from './journal.js';
import { ownIdentity, type ProcessIdentity } from './process-identity.js';

const BUILT = new URL('../../dist/harness/record/journal.js', import.meta.url).href;

let folder: string;
let path: string;
const children: ChildProcessByStdio<null, Readable, null>[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'journal-lock-'));
  path = join(folder, 'run.jsonl');
});
afterEach(() => {
  children.splice(0).forEach((child) => child.kill('SIGKILL'));
  rmSync(folder, { recursive: true, force: true });
});

/** A process that opens the journal at `at` once `startAt` has come, says how that went, and keeps it open. */
async function otherProcess(at: string, startAt = 0): Promise<{ said: string; end: () => Promise<unknown> }> {
  const script = `const { openJournal } = await import(${JSON.stringify(BUILT)});
    while (Date.now() < ${startAt});
    try { openJournal(${JSON.stringify(at)}, 'resume'); console.log('opened'); }
    catch (error) { console.log(error.exitCode + ' ' + error.message); }
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const [said] = (await once(createInterface(child.stdout), 'line')) as [string];
  const end = () => {
    child.kill('SIGKILL');
    return once(child, 'exit');
  };
  return { said, end };
}

/** The message of the usage error with which a second opening is refused. */
function refusal(at = path): string {
  try {
    openJournal(at, 'resume').journal.close();
  } catch (error) {
    if (error instanceof CommandError && error.exitCode === 2) return error.message;
    throw error;
  }
  throw new Error('The lock was not refused.');
}

function lockName(owner: ProcessIdentity): string {
  return `run.jsonl.lock-${owner.table}-${owner.pid}-${owner.start}`;
}

function plant(owner: Partial<ProcessIdentity>): string {
  const name = lockName({ ...ownIdentity(), ...owner });
  writeFileSync(join(folder, name), '');
  return name;
}

function endedPid(): number {
  return spawnSync(process.execPath, ['-e', '']).pid;
}

const HELD =
  /run\.jsonl is being written by process (\d+); wait for it or stop it \(if no such run exists, remove run\.jsonl\.lock-/;

test('a lock stands beside the journal while it is held, names its owner, and is gone afterwards', () => {
  const { journal } = openJournal(path, 'resume');
  expect(readdirSync(folder).toSorted()).toEqual(['run.jsonl', lockName(ownIdentity())]);
  journal.close();
  expect(readdirSync(folder)).toEqual(['run.jsonl']);
});

test('a second writer of this process is refused until the first has closed', () => {
  const first = openJournal(path, 'resume');
  expect(HELD.exec(refusal())?.[1]).toBe(String(process.pid));
  first.journal.close();
  openJournal(path, 'resume').journal.close();
});

test('a writer of another process is refused, and refuses', async () => {
  const { journal } = openJournal(path, 'resume');
  expect(HELD.exec((await otherProcess(path)).said)?.[1]).toBe(String(process.pid));
  journal.close();

  expect((await otherProcess(path)).said).toBe('opened');
  expect(HELD.exec(refusal())?.[1]).toBe(String(children.at(-1)?.pid));
});

test('the lock of a process that was killed is taken over, and nothing of it stays', async () => {
  const other = await otherProcess(path);
  await other.end();
  expect(readdirSync(folder)).toHaveLength(2);

  openJournal(path, 'resume').journal.close();
  expect(readdirSync(folder)).toEqual(['run.jsonl']);
});

test('locks of ended processes are taken over, however many', () => {
  plant({ pid: endedPid(), start: '1' });
  plant({ start: '1' }); // the id of this process, when it was another's
  openJournal(path, 'resume').journal.close();
  expect(readdirSync(folder)).toEqual(['run.jsonl']);
});

test('a lock of another process table is refused, and stays, until the user removes it as the message says', () => {
  const name = plant({ pid: 2 ** 22 - 1, table: '1' });
  expect(refusal()).toContain(`remove ${name})`);
  expect(readdirSync(folder)).toEqual([name]);

  rmSync(join(folder, name));
  openJournal(path, 'resume').journal.close();
});

test('files that are no lock of this journal are left alone', () => {
  const others = ['run.jsonl.lock', 'run.jsonl.lock-notes', `x${lockName({ ...ownIdentity(), start: '1' })}`];
  others.forEach((name) => writeFileSync(join(folder, name), ''));
  openJournal(path, 'resume').journal.close();
  expect(readdirSync(folder).toSorted()).toEqual(['run.jsonl', ...others].toSorted());
});

test.runIf(process.platform !== 'win32')('a journal has one lock, whatever link leads to it', async () => {
  const [link, folderLink] = [join(folder, 'link.jsonl'), `${folder}-link`];
  writeFileSync(path, '');
  symlinkSync(path, link);
  symlinkSync(folder, folderLink);
  const throughFolder = join(folderLink, 'run.jsonl');
  const { journal } = openJournal(link, 'resume');
  try {
    expect(refusal(path)).toMatch(HELD);
    expect(refusal(throughFolder)).toMatch(HELD);
    expect((await otherProcess(throughFolder)).said).toMatch(HELD);
  } finally {
    journal.close();
    rmSync(folderLink);
  }
});

test('two journals of one folder have two locks', () => {
  const [one, other] = [openJournal(path, 'new'), openJournal(join(folder, 'other.jsonl'), 'new')];
  expect(readdirSync(folder)).toHaveLength(4);
  one.journal.close();
  other.journal.close();
});

test('a lock that cannot be made is a usage error', () => {
  expect(refusal(join(folder, 'x'.repeat(250)))).toMatch(/^--output .* cannot be written: ENAMETOOLONG.*\.$/);
});

test.each([2, 8])(
  'of %i processes that find one stale lock at the same instant, at most one writes',
  async (takers) => {
    plant({ pid: endedPid(), start: '1' });
    const startAt = Date.now() + 1000;
    const all = await Promise.all(Array.from({ length: takers }, () => otherProcess(path, startAt)));

    const opened = all.filter(({ said }) => said === 'opened');
    expect(opened.length).toBeLessThanOrEqual(1);
    expect(all.filter(({ said }) => HELD.test(said))).toHaveLength(takers - opened.length);
    expect(readdirSync(folder).filter((name) => name.includes('.lock-'))).toHaveLength(opened.length);
  },
);
