// Journals of `deltaproof channels` as a user meets them again: resumed, replaced, interrupted.

import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { linesOf, ONE_CASE, rowsOf, SMALL, start, useFolder } from './program.support.test.js';

const folder = useFolder();
const deltaproof = (...args: string[]) => start(folder.path, args);

describe('a journal that exists', () => {
  it('is completed by --resume: what is missing or failed runs, what is done does not', async () => {
    await deltaproof(...SMALL, '--repetitions', '1', '--output', folder.journal);
    const before = readFileSync(folder.journal, 'utf8');
    const plan = await deltaproof(
      ...SMALL,
      '--repetitions',
      '2',
      '--output',
      'run.jsonl',
      '--resume',
      '--dry-run',
      '--json',
    );
    expect(JSON.parse(plan.stdout).cases).toHaveLength(2);
    const { stderr } = await deltaproof(
      ...SMALL,
      '--repetitions',
      '2',
      '--output',
      folder.journal,
      '--resume',
    );
    expect(stderr).toContain('2 of 4 cases are done.');
    expect(stderr).toContain('[4/4]');
    expect(readFileSync(folder.journal, 'utf8').startsWith(before)).toBe(true);
    expect(linesOf(folder.journal).map((line) => line.kind)).toEqual([
      'manifest',
      'row',
      'row',
      'manifest',
      'row',
      'row',
    ]);
    expect(rowsOf(folder.journal).map((row) => row.case.repetition)).toEqual([1, 1, 2, 2]);
  }, 60_000);

  it('has its torn tail set aside by --resume, and its case run again', async () => {
    await deltaproof(...SMALL, '--repetitions', '1', '--output', folder.journal);
    const whole = readFileSync(folder.journal);
    const torn = whole.subarray(0, -30);
    writeFileSync(folder.journal, torn);
    const { stderr } = await deltaproof(
      ...SMALL,
      '--repetitions',
      '1',
      '--output',
      folder.journal,
      '--resume',
    );
    expect(stderr).toMatch(
      /ended in a line that was cut off; its \d+ bytes were moved to .*run\.jsonl\.torn/,
    );
    expect(rowsOf(folder.journal)).toHaveLength(2);
    const tail = torn.subarray(torn.lastIndexOf('\n') + 1).toString();
    expect(readFileSync(`${folder.journal}.torn`, 'utf8')).toBe(`${tail}\n`);
  }, 60_000);

  it.each([
    ['machine', (text: string) => text.replaceAll(/"fingerprint":"\w+"/g, '"fingerprint":"0"'), 'machine'],
    [
      'revision',
      (text: string) => text.replaceAll(/"git_revision":[^,]+/g, '"git_revision":"0"'),
      'revision',
    ],
    [
      'package version',
      (text: string) => text.replaceAll(/"@langchain\/core":"[^"]+"/g, '"@langchain/core":"0.0.1"'),
      'version of @langchain/core',
    ],
  ])(
    'of another %s is refused, unless --resume-across',
    async (_, change, sentence) => {
      await deltaproof(...ONE_CASE, '--output', folder.journal);
      writeFileSync(folder.journal, change(readFileSync(folder.journal, 'utf8')));
      const refused = await deltaproof(...ONE_CASE, '--output', folder.journal, '--resume');
      expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(sentence) });
      const across = await deltaproof(...ONE_CASE, '--output', folder.journal, '--resume-across');
      expect(across.stderr).toContain('1 of 1 cases are done.');
    },
    60_000,
  );

  it('is replaced by --overwrite', async () => {
    writeFileSync(folder.journal, 'old\n');
    await deltaproof(...ONE_CASE, '--output', folder.journal, '--overwrite');
    expect(linesOf(folder.journal).map((line) => line.kind)).toEqual(['manifest', 'row']);
  }, 60_000);

  it('has one writer', async () => {
    const first = deltaproof(...SMALL, '--output', folder.journal);
    await expect.poll(() => existsSync(folder.journal), { timeout: 10_000 }).toBe(true);
    const second = await deltaproof(...SMALL, '--output', folder.journal, '--resume');
    expect(second).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('is being written by process'),
    });
    expect((await first).exitCode).toBe(0);
  }, 60_000);
});

describe('an interrupted run', () => {
  const LONG = [...SMALL, '--repetitions', '20'];

  it('finishes its case, prints the command that goes on, and exits with 130', async () => {
    const child = deltaproof(...LONG, '--output', folder.journal);
    await expect
      .poll(() => existsSync(folder.journal) && rowsOf(folder.journal).length, { timeout: 20_000 })
      .toBeGreaterThan(0);
    child.kill('SIGINT');
    const { exitCode, stderr } = await child;
    expect(exitCode).toBe(130);
    const rows = rowsOf(folder.journal);
    expect(stderr).toContain(`${rows.length} of 40 cases are in the journal. To run the rest:\n`);
    expect(stderr).toContain(`cli.js ${LONG.join(' ')} --output run.jsonl --resume`);
    expect(rows.every((row) => row.success)).toBe(true);
    expect(readdirSync(folder.path)).toEqual(['run.jsonl']);
  }, 60_000);

  it('stops at once when asked twice, and leaves no row for the case in flight', async () => {
    const slow = ['channels', '--backends', 'sqlite', '--modes', 'full', '--updates', '1500'];
    const workDir = join(folder.path, 'work');
    mkdirSync(workDir);
    const child = deltaproof(
      ...slow,
      '--output',
      folder.journal,
      '--work-dir',
      workDir,
      '--allow-large-cases',
    );
    await expect.poll(() => readdirSync(workDir).length, { timeout: 20_000 }).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    child.kill('SIGINT');
    await new Promise((resolve) => setTimeout(resolve, 300));
    child.kill('SIGINT');
    expect(await child).toMatchObject({ exitCode: 130 });
    expect(rowsOf(folder.journal)).toEqual([]);
    expect(readdirSync(workDir)).toEqual([]);
  }, 60_000);
});
