// Runs of `deltaproof channels` as a user meets them: the built program, real children, rows on disk.

import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { linesOf, ONE_CASE, rowsOf, SMALL, start, TINY, useFolder } from './program.support.test.js';

const folder = useFolder();
const deltaproof = (...args: string[]) => start(folder.path, args);

describe('a run', () => {
  it('prints the table on stdout, progress and files on stderr, and keeps a manifest and rows', async () => {
    const { exitCode, stdout, stderr } = await deltaproof(
      ...SMALL,
      '--repetitions',
      '2',
      '--output',
      folder.journal,
    );
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^memory append N=2 p=128 words seed 1\n/);
    expect(stderr).toContain('[4/4] memory append N=2 p=128 full repetition 2: ok');
    expect(stderr).toContain('wrote run.jsonl');
    const lines = linesOf(folder.journal);
    expect(lines.map((line) => line.kind)).toEqual(['manifest', 'row', 'row', 'row', 'row']);
    expect(readdirSync(folder.path)).toEqual(['run.jsonl']);
    expect(readFileSync(folder.journal, 'utf8')).not.toContain(folder.path);
  }, 60_000);

  it('makes a folder of its own, with summaries, when no journal is named', async () => {
    const { stdout, stderr } = await deltaproof(...ONE_CASE, '--json', '--quiet');
    expect(JSON.parse(stdout)).toMatchObject({ rows: { total: 1 } });
    const [run] = readdirSync(join(folder.path, '.deltaproof'));
    expect(run).toMatch(/^channels-\d{8}T\d{6}Z-\d+$/);
    const files = readdirSync(join(folder.path, '.deltaproof', run as string));
    expect(files.toSorted()).toEqual(['journal.jsonl', 'summary.csv', 'summary.md']);
    expect(stderr).not.toContain('[1/1]');
  }, 60_000);

  it('gives the same digest for the same seed in every repetition, and another for another seed', async () => {
    await deltaproof(...SMALL, '--repetitions', '2', '--output', folder.journal);
    const other = join(folder.path, 'other.jsonl');
    await deltaproof(...ONE_CASE, '--seed', '2', '--output', other);
    const digests = (path: string) =>
      new Set(rowsOf(path).map((row) => row.measurement?.materialized_sha256.expected?.sha256));
    expect(digests(folder.journal).size).toBe(1);
    const bytes = rowsOf(folder.journal).map((row) => [
      row.case.mode,
      row.measurement?.metrics.logical_bytes,
    ]);
    expect(new Set(bytes.map((pair) => pair.join())).size).toBe(2);
    expect(digests(other)).not.toEqual(digests(folder.journal));
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
    expect(readdirSync(join(folder.path, 'kept', name))).toEqual(['checkpoints.sqlite']);
    const again = await deltaproof(...one, '--keep-stores', 'kept');
    expect(again).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(`already holds ${name}`) });
  }, 60_000);

  it('writes a profile of every case where asked, and its rows reach no ratio', async () => {
    const one = [...SMALL, '--repetitions', '1', '--output', folder.journal];
    const { exitCode, stdout } = await deltaproof(...one, '--profile-dir', 'profiles');
    const name = 'channels_append_memory_n2_p128_words_s1_full_r1.cpuprofile';
    expect(readdirSync(join(folder.path, 'profiles'))).toContain(name);
    const profile = JSON.parse(readFileSync(join(folder.path, 'profiles', name), 'utf8'));
    expect(profile.nodes.length).toBeGreaterThan(10);
    expect(rowsOf(folder.journal).map((row) => row.profiled)).toEqual([true, true]);
    expect(exitCode).toBe(5);
    expect(stdout).toContain('2 profiled');
    await deltaproof(...one, '--resume');
    expect(rowsOf(folder.journal).map((row) => row.profiled)).toEqual([true, true, false, false]);
  }, 60_000);

  it('refuses when the packages under test are not all there, with exit code 7', async () => {
    mkdirSync(join(folder.path, 'empty'));
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
      expect(stderr).toContain('/dev/shm is memory, not disk: ');
    },
    60_000,
  );

  it('measures the packages of another folder, and names their versions', async () => {
    const scope = join(folder.path, 'other', 'node_modules', '@langchain');
    const installed = fileURLToPath(new URL('../node_modules/@langchain/', import.meta.url));
    for (const name of ['langgraph', 'langgraph-checkpoint', 'core']) {
      const stand = join(scope, name);
      mkdirSync(stand, { recursive: true });
      writeFileSync(
        join(stand, 'package.json'),
        '{"version":"9.9.9","type":"module","exports":{".":"./index.js","./messages":"./messages.js"}}',
      );
      for (const entry of ['index.js', 'messages.js']) {
        const path = name === 'core' && entry === 'messages.js' ? 'dist/messages/index.js' : 'dist/index.js';
        const real = JSON.stringify(pathToFileURL(join(installed, name, path)).href);
        const loaded = JSON.stringify(join(folder.path, `loaded-${name}`));
        writeFileSync(
          join(stand, entry),
          `import { writeFileSync } from 'node:fs';\nwriteFileSync(${loaded}, '');\nexport * from ${real};\n`,
        );
      }
    }
    const { exitCode } = await deltaproof(...ONE_CASE, '--packages', 'other', '--output', folder.journal);
    expect(exitCode).toBe(0);
    for (const name of ['langgraph', 'langgraph-checkpoint', 'core']) {
      expect([name, existsSync(join(folder.path, `loaded-${name}`))]).toEqual([name, true]);
    }
    expect(rowsOf(folder.journal)[0]?.provenance.packages['@langchain/langgraph-checkpoint']).toBe('9.9.9');
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
    const limits = ['--allow-large-cases', '--timeout-seconds', '2', '--output', folder.journal];
    const { exitCode, stderr } = await deltaproof(...slow, ...limits);
    expect(exitCode).toBe(6);
    expect(stderr).toContain('failed (timed_out)');
    const failure = rowsOf(folder.journal)[0]?.failure;
    expect(failure?.reason).toBe('timed_out');
    expect(failure?.last_usage?.rss_bytes).toBeGreaterThan(50 << 20);
  }, 60_000);

  it('stops a case that holds more memory than --max-rss-bytes, with exit code 6', async () => {
    const limits = ['--max-rss-bytes', '60000000', '--output', folder.journal];
    const { exitCode, stderr } = await deltaproof(...SMALL, '--modes', 'full', ...limits);
    expect(exitCode).toBe(6);
    expect(stderr).toMatch(
      /failed \(over_memory\): The writer held \d+ bytes of memory, more than --max-rss-bytes/,
    );
  }, 60_000);
});
