import { spawnSync } from 'node:child_process';
import type * as Fs from 'node:fs';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ownIdentity } from '../record/process-identity.js';
import {
  folderBytes,
  isRunFolder,
  listLeftovers,
  makeWorkFolder,
  removeLeftover,
  removeLeftovers,
} from './work-folder.js';

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof Fs>();
  return { ...fs, rmSync: vi.fn(fs.rmSync) };
});

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'deltaproof-test-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** The name a run gives its folder, with the owner's facts replaced. */
function folderName(replaced: Partial<ReturnType<typeof ownIdentity>>): string {
  const { table, pid, start } = { ...ownIdentity(), ...replaced };
  return `deltaproof-run-${table}-${pid}-${start}-abcDEF`;
}

/** The id of a process that has ended. */
function endedPid(): number {
  return spawnSync(process.execPath, ['-e', '']).pid;
}

it('gives every case a fresh folder and removes all of them with the run', () => {
  const work = makeWorkFolder(root);
  const [first, second] = [work.makeCaseFolder(), work.makeCaseFolder()];
  writeFileSync(join(first, 'store'), 'x');
  expect(first).not.toBe(second);
  work.removeCaseFolder(first);
  expect([existsSync(first), existsSync(second)]).toEqual([false, true]);
  work.remove();
  expect(readdirSync(root)).toEqual([]);
});

it('removes what ended runs have left, with everything in it', () => {
  for (const leftover of [folderName({ pid: endedPid(), start: '1' }), folderName({ start: '1' })]) {
    mkdirSync(join(root, leftover, '1'), { recursive: true });
    writeFileSync(join(root, leftover, '1', 'checkpoints.sqlite'), 'x');
  }
  expect(listLeftovers(root)).toHaveLength(2);
  expect(readdirSync(root)).toHaveLength(2);
  expect(removeLeftovers(root)).toBe(2);
  expect(readdirSync(root)).toEqual([]);
});

it('leaves alone what runs, what runs elsewhere, and everything that is not its own', () => {
  const work = makeWorkFolder(root);
  const running = basename(dirname(work.makeCaseFolder()));
  const elsewhere = folderName({ table: '1', pid: endedPid() });
  const file = folderName({ pid: 99_999_999 }).replace('abcDEF', 'aFile1');
  mkdirSync(join(root, elsewhere));
  mkdirSync(join(root, 'deltaproof-run-notes'));
  writeFileSync(join(root, file), '');
  const target = join(root, 'target');
  mkdirSync(target);
  const link = folderName({ pid: endedPid(), start: '1' });
  symlinkSync(target, join(root, link));
  const before = readdirSync(root);
  expect(before).toHaveLength(6);
  expect(listLeftovers(root)).toEqual([]);
  expect(removeLeftovers(root)).toBe(0);
  expect(readdirSync(root)).toEqual(before);
  expect(before).toContain(running);
  work.remove();
});

it('tells the guard of the folder before it makes it, by its absolute path', () => {
  const told: [string, boolean][] = [];
  const work = makeWorkFolder(relative('.', root), (path) => told.push([path, existsSync(path)]));
  const [name] = readdirSync(root);
  expect(told).toEqual([[join(root, name ?? ''), false]]);
  expect(isRunFolder(told[0]?.[0] ?? '')).toBe(true);
  work.remove();
});

it('makes no error of a removal that fails', () => {
  const place = join(root, 'place');
  mkdirSync(place);
  const work = makeWorkFolder(place);
  const folder = work.makeCaseFolder();
  rmSync(place, { recursive: true });
  writeFileSync(place, '');
  expect(() => rmSync(folder, { recursive: true, force: true })).toThrow('ENOTDIR');
  work.removeCaseFolder(folder);
  work.remove();
  expect(removeLeftover(folder)).toBe(false);
});

it('passes over a leftover that cannot be removed, after retries, and removes the others', () => {
  const leftovers = ['1', '2'].map((start) => folderName({ pid: endedPid(), start }));
  leftovers.forEach((leftover) => mkdirSync(join(root, leftover)));
  vi.mocked(rmSync).mockImplementationOnce(() => {
    throw new Error('EBUSY: resource busy or locked');
  });
  expect(removeLeftovers(root)).toBe(1);
  expect(vi.mocked(rmSync).mock.lastCall?.[1]?.maxRetries).toBeGreaterThan(0);
  expect(readdirSync(root)).toHaveLength(1);
});

it('says in one sentence that a folder cannot be made', () => {
  expect(() => makeWorkFolder(join(root, 'missing'))).toThrow(
    /^The work folder .* cannot be written: ENOENT/,
  );
});

it('counts the bytes of all files in a folder, of a link only its own, and of no folder none', () => {
  mkdirSync(join(root, 'case', 'inner'), { recursive: true });
  writeFileSync(join(root, 'outside'), 'x'.repeat(1000));
  writeFileSync(join(root, 'case', 'store'), 'xyz');
  writeFileSync(join(root, 'case', 'inner', 'log'), 'xy');
  symlinkSync('../outside', join(root, 'case', 'link'));
  expect(folderBytes(join(root, 'case'))).toBe(3 + 2 + '../outside'.length);
  expect(folderBytes(join(root, 'missing'))).toBe(0);
});
