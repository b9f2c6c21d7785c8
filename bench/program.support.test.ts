// The built program in a process of its own, in a fresh folder, and what it left in its journal. No tests here.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterEach, beforeEach } from 'vitest';
import { readJournalLines } from '../harness/record/journal-lines.js';
import type { JournalLine } from '../harness/record/journal-line.js';
import type { ChannelsRow } from '../harness/record/row.js';

const CLI = fileURLToPath(new URL('../dist/bench/cli.js', import.meta.url));

/** A sweep of the smallest cases. */
export const TINY = ['channels', '--updates', '2', '--snapshot-frequencies', '1'];
export const SMALL = [...TINY, '--backends', 'memory'];
export const ONE_CASE = [...SMALL, '--modes', 'full', '--repetitions', '1'];

/** Makes a folder before each test of the file and removes it afterwards. */
export function useFolder(): { readonly path: string; readonly journal: string } {
  const folder = { path: '', journal: '' };
  beforeEach(() => {
    folder.path = mkdtempSync(join(tmpdir(), 'deltaproof-test-'));
    folder.journal = join(folder.path, 'run.jsonl');
  });
  afterEach(() => rmSync(folder.path, { recursive: true, force: true }));
  return folder;
}

/** Starts `deltaproof` with these arguments in `cwd`. */
export function start(cwd: string, args: readonly string[]) {
  return execa(process.execPath, [CLI, ...args], { cwd, reject: false, stdin: 'ignore' });
}

export function linesOf(journal: string): JournalLine[] {
  return [...readJournalLines(journal)].flatMap((line) => (line.kind === 'line' ? [line.value] : []));
}

export function rowsOf(journal: string): ChannelsRow[] {
  return linesOf(journal).filter((line) => line.kind === 'row');
}
