import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import yargs from 'yargs';
import { chosenMetrics, METRIC_NAMES } from '../../harness/record/metrics.js';
import { summarizeCommand } from './summarize.js';

const GOOD = fileURLToPath(new URL('../../fixtures/journals/good.jsonl', import.meta.url));
const BROKEN = fileURLToPath(new URL('../../fixtures/journals/broken.jsonl', import.meta.url));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'summarize-command-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Outcome {
  stdout: string;
  stderr: string;
  exitCode: number | null;
  error: { message: string; exitCode: number } | null;
}

/** Runs `deltaproof summarize` with that command line, through yargs as the real one is. */
async function summarize(...argv: string[]): Promise<Outcome> {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const outcome: Outcome = { stdout: '', stderr: '', exitCode: null, error: null };
  const { usage, describe, options, run } = summarizeCommand;
  await yargs(['summarize', ...argv])
    .strict()
    .exitProcess(false)
    .command(usage, describe, options, async (args) => {
      try {
        outcome.exitCode = await run(args, { stdout, stderr });
      } catch (error) {
        outcome.error = error as Outcome['error'];
      }
    })
    .parseAsync();
  return { ...outcome, stdout: text(stdout), stderr: text(stderr) };
}

function text(stream: PassThrough): string {
  return String(stream.read() ?? '');
}

test('the table with the headline metrics goes to stdout, and nothing else', async () => {
  const { stdout, stderr, exitCode } = await summarize(GOOD);

  expect(stdout).toMatch(/^sqlite append N=25 p=256 words seed 42\n {2}K=10: 3 pairs, 0 failed rows\n/);
  const names = stdout
    .split('\n')
    .flatMap((line) => METRIC_NAMES.filter((name) => line.startsWith(`  ${name} `)));
  expect(names).toEqual(chosenMetrics('headline', 'channels', []));
  expect(stderr).toBe('');
  expect(exitCode).toBe(0);
});

test('CSV and Markdown go to their files beside the table', async () => {
  const csv = join(folder, 'run.csv');
  const markdown = join(folder, 'run.md');

  const { stdout } = await summarize(GOOD, '--csv', csv, '--markdown', markdown);

  expect(stdout).toMatch(/^sqlite append N=25/);
  expect(readFileSync(csv, 'utf8')).toMatch(/^workload,backend,/);
  expect(readFileSync(markdown, 'utf8')).toMatch(/^## sqlite append N=25/);
});

test('a dash sends CSV or Markdown to stdout in place of the table', async () => {
  expect((await summarize(GOOD, '--csv', '-')).stdout).toMatch(/^workload,backend,.*\nappend,sqlite,/);
  expect((await summarize(GOOD, '--markdown=-')).stdout).toMatch(/^## sqlite append/);
});

test('--json prints exactly one document, warnings to stderr, also beside a CSV file', async () => {
  const csv = join(folder, 'run.csv');

  const { stdout, stderr, exitCode } = await summarize(BROKEN, '--skip-bad-lines', '--json', '--csv', csv);

  expect(JSON.parse(stdout)).toMatchObject({
    journals: ['broken.jsonl'],
    rows: { failed: 1, skipped_lines: 2 },
  });
  expect(stderr.split('\n').map((line) => line.slice(0, 8))).toEqual([
    'warning:',
    'warning:',
    'warning:',
    '',
  ]);
  expect(existsSync(csv)).toBe(true);
  expect(exitCode).toBe(6);
});

test('--metrics takes names, or all', async () => {
  const metricsOf = async (metrics: string) => {
    const { stdout } = await summarize(GOOD, '--json', '--metrics', metrics);
    return Object.keys(JSON.parse(stdout).groups[0].metrics);
  };

  expect(await metricsOf('write_p50_ms,logical_bytes')).toEqual(['write_p50_ms', 'logical_bytes']);
  expect(await metricsOf('all')).toEqual(chosenMetrics('all', 'channels', []));
  expect(await metricsOf('all,write_p50_ms')).toEqual(chosenMetrics('all', 'channels', []));
});

test('an unknown metric is refused with what is accepted', async () => {
  const { error, stdout } = await summarize(GOOD, '--metrics', 'speed');

  expect(error).toMatchObject({
    exitCode: 2,
    message: `--metrics does not accept 'speed'; it accepts all, ${METRIC_NAMES.join(', ')}; several are separated by commas.`,
  });
  expect(stdout).toBe('');
});

test.each([
  [['--csv', '-', '--json'], '--csv - and --json both take stdout; give one of them a file.'],
  [['--csv', '-', '--markdown', '-'], '--csv - and --markdown - both take stdout; give one of them a file.'],
  [['--csv', 'a', '--csv', 'b'], '--csv was given more than once; give it one value.'],
  [['--csv', ''], '--csv needs a value.'],
])('%j is a usage error', async (options, message) => {
  expect((await summarize(GOOD, ...options)).error).toMatchObject({ exitCode: 2, message });
});

test('a path that cannot be a file is refused before the table', async () => {
  const { error, stdout } = await summarize(GOOD, '--csv', join(folder, 'absent', 'run.csv'));

  expect(error).toMatchObject({
    exitCode: 2,
    message: expect.stringMatching(/^The folder of --csv .* does not exist/),
  });
  expect(stdout).toBe('');
});

test('a report file that fails at the last moment does not take the table away', async () => {
  // Long enough that the temporary file beside it cannot be named.
  const { error, stdout } = await summarize(GOOD, '--csv', join(folder, 'x'.repeat(255)));

  expect(error).toMatchObject({
    exitCode: 2,
    message: expect.stringMatching(/^--csv .* cannot be written: /),
  });
  expect(stdout).toMatch(/^sqlite append N=25/);
});

test('a journal is not replaced by its own report', async () => {
  const { error } = await summarize(GOOD, '--csv', GOOD);

  expect(error).toMatchObject({
    exitCode: 2,
    message: `--csv ${GOOD} is the journal ${GOOD}; name another file.`,
  });
});

test('malformed lines stop it, and files whose names are numbers are still files', async () => {
  expect((await summarize(BROKEN)).error).toMatchObject({
    exitCode: 2,
    message: expect.stringMatching(
      /broken\.jsonl:2 is not a journal line: it is not UTF-8; repair the line, or add/,
    ),
  });
  expect((await summarize('0042')).error).toMatchObject({ message: 'The journal 0042 does not exist.' });
});

test('nothing to compare is said on stderr, with the table on stdout and exit code 5', async () => {
  const empty = join(folder, 'empty.jsonl');
  writeFileSync(empty, '');

  const { stdout, stderr, exitCode } = await summarize(empty);

  expect(stdout).toMatch(/^0 rows, /);
  expect(stderr).toBe(
    `warning: ${empty} holds no rows.\n` +
      'warning: There is no pair of a full and a delta row to compare: no journal holds a row.\n',
  );
  expect(exitCode).toBe(5);
});

test('every option is described, and the help has examples', async () => {
  const help = await new Promise<string>((resolve) => {
    void yargs()
      .scriptName('deltaproof')
      .command(summarizeCommand.usage, summarizeCommand.describe, summarizeCommand.options)
      .parse(['summarize', '--help'], {}, (_error, _args, output) => resolve(output));
  });

  for (const option of ['metrics', 'csv', 'markdown', 'json', 'pool', 'skip-bad-lines']) {
    expect(help).toMatch(new RegExp(`--${option} +[A-Z]`));
  }
  expect(help).toContain('deltaproof summarize run.jsonl');
});
