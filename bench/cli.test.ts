// The command line as a user meets it: wrong ones, help, and the plan without a run.

import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ONE_CASE, SMALL, start, useFolder } from './program.support.test.js';

const folder = useFolder();
const deltaproof = (...args: string[]) => start(folder.path, args);

describe('a wrong command line ends with one sentence and exit code 2, before anything runs', () => {
  it.each([
    [['--updates', '0'], "--updates does not accept '0'; it accepts whole numbers of at least 1"],
    [['--updates', '10,,20'], '--updates does not accept an empty value'],
    [['--updates', '1e3'], "--updates does not accept '1e3'"],
    [['--updates', '10', '--updates', '20'], '--updates was given more than once'],
    [['--updates', ''], '--updates needs a value'],
    [['--backends', 'oracle'], "--backends does not accept 'oracle'; it accepts memory, sqlite"],
    [['--modes', 'Delta'], "--modes does not accept 'Delta'; it accepts full, delta"],
    [['--payload-entropy', 'zip'], "--payload-entropy does not accept 'zip'"],
    [['--repetitions', '-1'], "--repetitions does not accept '-1'"],
    [['--timeout-seconds', '3000000'], 'it accepts a whole number from 1 to 2147483'],
    [['--timeout-seconds', '0'], "--timeout-seconds does not accept '0'"],
    [['--dry-run=yes'], '--dry-run takes no value'],
    [['--json=false'], '--json takes no value'],
    [['--jobs', '9007199254740991'], 'it accepts a whole number from 1 to 256'],
    [['--repetitions', '9007199254740991'], 'cases, more than 100000; run it in parts'],
    [['--', 'junk'], 'Nothing is read after --'],
    [['--updates.a=5'], 'There is no option --updates.a; did you mean --updates?'],
    [['--work-dir', 'x'.repeat(300)], 'is not a folder'],
    [['--work-dir', 'missing'], 'is not a folder'],
    [['--packages', 'missing'], 'is not a folder'],
    [['--resume'], '--resume needs --output'],
    [['--resume', '--overwrite', '--output', 'run.jsonl'], 'exclude each other'],
    [
      ['--snapshot-frequency', '3'],
      'There is no option --snapshot-frequency; did you mean --snapshot-frequencies?',
    ],
    [['--updates', '5', '7'], "'7' is not expected here"],
    [['--max-estimated-full-bytes', '10'], 'Every cell is too large'],
  ])('%j', async (args, sentence) => {
    const { exitCode, stderr, stdout } = await deltaproof('channels', ...args);
    expect(stderr).toContain(sentence);
    expect(stderr.split('\n').filter((line) => line.startsWith('deltaproof: '))).toHaveLength(1);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it.each([
    ['a folder that does not exist', 'missing/run.jsonl', 'does not exist; create it first'],
    ['a folder', 'folder', 'is a folder; name a file in it'],
    ['a file below a file', 'file/run.jsonl', 'is not inside a folder'],
    ['a device', '/dev/null', 'is not a regular file'],
    ['a place that refuses', '/proc/run.jsonl', 'cannot be written'],
    ['below a folder of the kernel', '/proc/sys/x/run.jsonl', 'does not exist; create it first'],
    ['an existing file', 'file', 'exists; add --resume to complete it, --overwrite to replace it'],
  ])('when --output is %s', async (_, output, sentence) => {
    mkdirSync(join(folder.path, 'folder'));
    writeFileSync(join(folder.path, 'file'), 'precious');
    const { exitCode, stderr, stdout } = await deltaproof(...ONE_CASE, '--output', output);
    expect(stderr).toContain(sentence);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(readFileSync(join(folder.path, 'file'), 'utf8')).toBe('precious');
    expect(readdirSync(folder.path).toSorted()).toEqual(['file', 'folder']);
  });

  it('names the commands when none is given, and the nearest one for a slip', async () => {
    expect(await deltaproof()).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('Name a command'),
    });
    expect((await deltaproof('chanels')).stderr).toContain('Did you mean channels?');
  });
});

describe('help', () => {
  it.each([['channels'], ['summarize'], ['doctor']])(
    'of %s has examples and the default of every axis',
    async (command) => {
      const { exitCode, stdout } = await deltaproof(command, '--help');
      expect(exitCode).toBe(0);
      expect(stdout).toContain('Examples:');
      expect(stdout.split('\n').filter((line) => line.length > 100)).toEqual([]);
    },
  );

  it('survives readers that close the pipes', async () => {
    const child = deltaproof('channels', '--help');
    child.stdout?.destroy();
    expect(await child).toMatchObject({ exitCode: 0, stderr: '' });
    const wrong = deltaproof('channels', '--updates', '0');
    wrong.stderr?.destroy();
    expect(await wrong).toMatchObject({ exitCode: 2 });
  });
});

describe('a dry run', () => {
  it('prints the plan and runs nothing', async () => {
    const { exitCode, stdout } = await deltaproof('channels', '--updates', '100,2000', '--dry-run');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Skipped for their size: 2 cells, 24 cases');
    expect(stdout).toMatch(/24 cases, about \d+ s, peak disk about [\d.]+ MB/);
    expect(stdout).toContain('slowest: sqlite append N=100 p=128 ');
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('is one JSON document with --json, and names cases that will not make the timeout', async () => {
    const { stdout, stderr } = await deltaproof(...SMALL, '--dry-run', '--json', '--timeout-seconds', '1');
    expect(JSON.parse(stdout).cases).toHaveLength(6);
    const long = await deltaproof('channels', '--updates', '900', '--dry-run', '--timeout-seconds', '1');
    expect(stderr).toBe('');
    expect(long.stderr).toContain('longer than --timeout-seconds 1');
  });
});
