// The command line as a user meets it: the built program, in a process of its own.

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readJournalLines } from '../harness/record/journal-lines.js';
import type { JournalLine, Row } from '../harness/record/row.js';

const CLI = fileURLToPath(new URL('../dist/bench/cli.js', import.meta.url));
const TINY = ['channels', '--updates', '2', '--snapshot-frequencies', '1'];
const SMALL = [...TINY, '--backends', 'memory'];
const ONE_CASE = [...SMALL, '--modes', 'full', '--repetitions', '1'];

let folder = '';
let journal = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deltaproof-test-'));
  journal = join(folder, 'run.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function deltaproof(...args: string[]) {
  return execa(process.execPath, [CLI, ...args], { cwd: folder, reject: false, stdin: 'ignore' });
}

function linesOf(path: string): JournalLine[] {
  return [...readJournalLines(path)].flatMap((line) => (line.kind === 'line' ? [line.value] : []));
}

function rowsOf(path: string): Row[] {
  return linesOf(path).filter((line) => line.kind === 'row');
}

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
    [['--work-dir', 'missing'], 'is not a folder'],
    [['--packages', 'missing'], 'is not a folder'],
    [['--resume'], '--resume needs --output'],
    [['--resume', '--overwrite', '--output', 'run.jsonl'], 'exclude each other'],
    [['--frequencies', '3'], 'Unknown argument: frequencies'],
    [['surplus'], 'Unknown argument: surplus'],
    [['--max-estimated-full-bytes', '10'], 'Every cell is too large'],
  ])('%j', async (args, sentence) => {
    const { exitCode, stderr, stdout } = await deltaproof('channels', ...args);
    expect(stderr).toContain(sentence);
    expect(stderr.split('\n').filter((line) => line.startsWith('deltaproof: '))).toHaveLength(1);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    ['a folder that does not exist', 'missing/run.jsonl', 'does not exist; create it first'],
    ['a folder', 'folder', 'is a folder; name a file in it'],
    ['a file below a file', 'file/run.jsonl', 'is not inside a folder'],
    ['a device', '/dev/null', 'is not a regular file'],
    ['a place that refuses', '/proc/run.jsonl', 'cannot be written'],
    ['an existing file', 'file', 'exists; add --resume to complete it, --overwrite to replace it'],
  ])('when --output is %s', async (_, output, sentence) => {
    mkdirSync(join(folder, 'folder'));
    writeFileSync(join(folder, 'file'), 'precious');
    const { exitCode, stderr, stdout } = await deltaproof(...ONE_CASE, '--output', output);
    expect(stderr).toContain(sentence);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('precious');
    expect(readdirSync(folder).toSorted()).toEqual(['file', 'folder']);
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
  it.each([['channels'], ['summarize']])(
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
    expect(stdout).toContain('slowest: sqlite append N=100 p=128 delta K=100');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is one JSON document with --json, and names cases that will not make the timeout', async () => {
    const { stdout, stderr } = await deltaproof(...SMALL, '--dry-run', '--json', '--timeout-seconds', '1');
    expect(JSON.parse(stdout).cases).toHaveLength(6);
    const long = await deltaproof('channels', '--updates', '900', '--dry-run', '--timeout-seconds', '1');
    expect(stderr).toBe('');
    expect(long.stderr).toContain('longer than --timeout-seconds 1');
  });
});

describe('a run', () => {
  it('prints the table on stdout, progress and files on stderr, and keeps a manifest and rows', async () => {
    const { exitCode, stdout, stderr } = await deltaproof(
      ...SMALL,
      '--repetitions',
      '2',
      '--output',
      journal,
    );
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^memory append N=2 p=128 words seed 1\n/);
    expect(stderr).toContain('[4/4] memory append N=2 p=128 full repetition 2: ok');
    expect(stderr).toContain('wrote run.jsonl');
    const lines = linesOf(journal);
    expect(lines.map((line) => line.kind)).toEqual(['manifest', 'row', 'row', 'row', 'row']);
    expect(readdirSync(folder)).toEqual(['run.jsonl']);
    expect(readFileSync(journal, 'utf8')).not.toContain(folder);
  }, 60_000);

  it('makes a folder of its own, with summaries, when no journal is named', async () => {
    const { stdout, stderr } = await deltaproof(...ONE_CASE, '--json', '--quiet');
    expect(JSON.parse(stdout)).toMatchObject({ rows: { total: 1 } });
    const [run] = readdirSync(join(folder, '.deltaproof'));
    expect(run).toMatch(/^channels-\d{8}T\d{6}Z-\d+$/);
    const files = readdirSync(join(folder, '.deltaproof', run as string));
    expect(files.toSorted()).toEqual(['journal.jsonl', 'summary.csv', 'summary.md']);
    expect(stderr).not.toContain('[1/1]');
  }, 60_000);

  it('gives the same digest for the same seed in every repetition, and another for another seed', async () => {
    await deltaproof(...SMALL, '--repetitions', '2', '--output', journal);
    const other = join(folder, 'other.jsonl');
    await deltaproof(...ONE_CASE, '--seed', '2', '--output', other);
    const digests = (path: string) =>
      new Set(rowsOf(path).map((row) => row.measurement?.materialized_sha256.expected?.sha256));
    expect(digests(journal).size).toBe(1);
    const bytes = rowsOf(journal).map((row) => [row.case.mode, row.measurement?.metrics.logical_bytes]);
    expect(new Set(bytes.map((pair) => pair.join())).size).toBe(2);
    expect(digests(other)).not.toEqual(digests(journal));
  }, 60_000);

  it('warns of a value given twice and counts it once', async () => {
    const { stderr, stdout } = await deltaproof('channels', '--updates', '5,5', '--dry-run', '--json');
    expect(stderr).toContain('--updates names a value more than once; it counts once (use --repetitions');
    expect(JSON.parse(stdout).cases).toHaveLength(24);
  });

  it('keeps stores, and refuses to replace kept ones', async () => {
    const one = [...TINY, '--backends', 'sqlite', '--modes', 'full', '--repetitions', '1'];
    await deltaproof(...one, '--keep-stores', 'kept');
    const name = 'channels_append_sqlite_n2_p128_words_s1_full_r1';
    expect(readdirSync(join(folder, 'kept', name))).toEqual(['checkpoints.sqlite']);
    const again = await deltaproof(...one, '--keep-stores', 'kept');
    expect(again).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(`already holds ${name}`) });
  }, 60_000);

  it('refuses when the packages under test are not all there, with exit code 7', async () => {
    mkdirSync(join(folder, 'empty'));
    const { exitCode, stderr } = await deltaproof(...ONE_CASE, '--packages', 'empty');
    expect(exitCode).toBe(7);
    expect(stderr).toContain('Not found from');
    expect(stderr).toContain('@langchain/langgraph');
  });

  it('refuses when the disk is too small for it, with exit code 7', async () => {
    const huge = ['channels', '--backends', 'sqlite', '--updates', '1000000', '--allow-large-cases'];
    const { exitCode, stderr } = await deltaproof(...huge, '--work-dir', '.');
    expect(exitCode).toBe(7);
    expect(stderr).toMatch(/needs about [\d.]+ TB at its peak and \S+ has [\d.]+ [MGT]B free/);
  });

  it.skipIf(!existsSync('/dev/shm'))(
    'warns of a work folder that is memory (skipped: no /dev/shm)',
    async () => {
      const { stderr } = await deltaproof(
        ...TINY,
        '--backends',
        'sqlite',
        '--modes',
        'full',
        '--work-dir',
        '/dev/shm',
      );
      expect(stderr).toContain('/dev/shm is memory, not disk (tmpfs)');
    },
    60_000,
  );

  it('measures the packages of another folder, and names their versions', async () => {
    const scope = join(folder, 'other', 'node_modules', '@langchain');
    const installed = fileURLToPath(new URL('../node_modules/@langchain/', import.meta.url));
    mkdirSync(join(scope, 'langgraph-checkpoint'), { recursive: true });
    for (const name of ['langgraph', 'core']) symlinkSync(join(installed, name), join(scope, name));
    const stand = join(scope, 'langgraph-checkpoint');
    const loaded = JSON.stringify(join(folder, 'loaded'));
    const real = JSON.stringify(pathToFileURL(join(installed, 'langgraph-checkpoint/dist/index.js')).href);
    writeFileSync(join(stand, 'package.json'), '{"version":"9.9.9","type":"module","exports":"./index.js"}');
    writeFileSync(
      join(stand, 'index.js'),
      `import { writeFileSync } from 'node:fs';\nwriteFileSync(${loaded}, '');\nexport * from ${real};\n`,
    );
    const { exitCode } = await deltaproof(...ONE_CASE, '--packages', 'other', '--output', journal);
    expect(exitCode).toBe(0);
    expect(existsSync(join(folder, 'loaded'))).toBe(true);
    expect(rowsOf(journal)[0]?.provenance.packages['@langchain/langgraph-checkpoint']).toBe('9.9.9');
  }, 60_000);

  it('reports a case that times out, with exit code 6, and a summary without a pair', async () => {
    const slow = [
      'channels',
      '--backends',
      'memory',
      '--modes',
      'full',
      '--updates',
      '3000',
      '--repetitions',
      '1',
    ];
    const limits = ['--allow-large-cases', '--timeout-seconds', '2', '--output', journal];
    const { exitCode, stderr } = await deltaproof(...slow, ...limits);
    expect(exitCode).toBe(6);
    expect(stderr).toContain('failed (timed_out)');
    expect(rowsOf(journal)[0]?.failure?.reason).toBe('timed_out');
  }, 60_000);
});

describe('a journal that exists', () => {
  it('is completed by --resume: what is missing or failed runs, what is done does not', async () => {
    await deltaproof(...SMALL, '--repetitions', '1', '--output', journal);
    const before = readFileSync(journal, 'utf8');
    const { stderr } = await deltaproof(...SMALL, '--repetitions', '2', '--output', journal, '--resume');
    expect(stderr).toContain('2 of 4 cases are done.');
    expect(readFileSync(journal, 'utf8').startsWith(before)).toBe(true);
    expect(linesOf(journal).map((line) => line.kind)).toEqual([
      'manifest',
      'row',
      'row',
      'manifest',
      'row',
      'row',
    ]);
    expect(rowsOf(journal).map((row) => row.case.repetition)).toEqual([1, 1, 2, 2]);
  }, 60_000);

  it('has its torn tail set aside by --resume, and its case run again', async () => {
    await deltaproof(...SMALL, '--repetitions', '1', '--output', journal);
    const whole = readFileSync(journal);
    const torn = whole.subarray(0, -30);
    writeFileSync(journal, torn);
    const { stderr } = await deltaproof(...SMALL, '--repetitions', '1', '--output', journal, '--resume');
    expect(stderr).toMatch(
      /ended in a line that was cut off; its \d+ bytes were moved to .*run\.jsonl\.torn/,
    );
    expect(rowsOf(journal)).toHaveLength(2);
    const tail = torn.subarray(torn.lastIndexOf('\n') + 1).toString();
    expect(readFileSync(`${journal}.torn`, 'utf8')).toBe(`${tail}\n`);
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
      await deltaproof(...ONE_CASE, '--output', journal);
      writeFileSync(journal, change(readFileSync(journal, 'utf8')));
      const refused = await deltaproof(...ONE_CASE, '--output', journal, '--resume');
      expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(sentence) });
      const across = await deltaproof(...ONE_CASE, '--output', journal, '--resume-across');
      expect(across.stderr).toContain('1 of 1 cases are done.');
    },
    60_000,
  );

  it('is replaced by --overwrite', async () => {
    writeFileSync(journal, 'old\n');
    await deltaproof(...ONE_CASE, '--output', journal, '--overwrite');
    expect(linesOf(journal).map((line) => line.kind)).toEqual(['manifest', 'row']);
  }, 60_000);

  it('has one writer', async () => {
    const first = deltaproof(...SMALL, '--output', journal);
    await expect.poll(() => existsSync(journal), { timeout: 10_000 }).toBe(true);
    const second = await deltaproof(...SMALL, '--output', journal, '--resume');
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
    const child = deltaproof(...LONG, '--output', journal);
    await expect
      .poll(() => existsSync(journal) && rowsOf(journal).length, { timeout: 20_000 })
      .toBeGreaterThan(0);
    child.kill('SIGINT');
    const { exitCode, stderr } = await child;
    expect(exitCode).toBe(130);
    const rows = rowsOf(journal);
    expect(stderr).toContain(`${rows.length} of 40 cases are in the journal.`);
    expect(stderr).toContain(`  deltaproof ${LONG.join(' ')} --output run.jsonl --resume\n`);
    expect(rows.every((row) => row.success)).toBe(true);
    expect(readdirSync(folder)).toEqual(['run.jsonl']);
  }, 60_000);

  it('stops at once when asked twice, and leaves no row for the case in flight', async () => {
    const slow = ['channels', '--backends', 'sqlite', '--modes', 'full', '--updates', '1500'];
    const workDir = join(folder, 'work');
    mkdirSync(workDir);
    const child = deltaproof(...slow, '--output', journal, '--work-dir', workDir, '--allow-large-cases');
    await expect.poll(() => readdirSync(workDir).length, { timeout: 20_000 }).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    child.kill('SIGINT');
    await new Promise((resolve) => setTimeout(resolve, 300));
    child.kill('SIGINT');
    expect(await child).toMatchObject({ exitCode: 130 });
    expect(rowsOf(journal)).toEqual([]);
    expect(readdirSync(workDir)).toEqual([]);
  }, 60_000);
});
