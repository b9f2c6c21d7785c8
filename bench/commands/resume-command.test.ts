import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { resumeCommand } from './resume-command.js';

it('repeats the arguments, names the journal and adds --resume', () => {
  expect(resumeCommand(['/usr/bin/deltaproof', 'channels', '--updates', '10,20'], 'run.jsonl')).toBe(
    'deltaproof channels --updates 10,20 --output run.jsonl --resume',
  );
});

it('replaces what would contradict it, in either spelling', () => {
  const argv = [
    'deltaproof',
    'channels',
    '--overwrite',
    '--output',
    'old.jsonl',
    '--output=older.jsonl',
    '--resume',
    '--quiet',
  ];
  expect(resumeCommand(argv, 'run.jsonl')).toBe('deltaproof channels --quiet --output run.jsonl --resume');
});

it('drops a word that was the value of a flag, and keeps a journal whose name looks like an option', () => {
  expect(resumeCommand(['deltaproof', 'channels', '--overwrite', 'true', '--quiet'], '-x.jsonl')).toBe(
    'deltaproof channels --quiet --output=-x.jsonl --resume',
  );
});

it('quotes for a POSIX shell', () => {
  expect(resumeCommand(['/usr/bin/deltaproof', 'channels'], "it's here/run 1.jsonl")).toBe(
    "deltaproof channels --output 'it'\\''s here/run 1.jsonl' --resume",
  );
});

it('names the file where the program was not called by its name', () => {
  expect(resumeCommand([resolve('dist/bench/cli.js'), 'channels'], 'run.jsonl')).toBe(
    'node dist/bench/cli.js channels --output run.jsonl --resume',
  );
});

it.each([
  [['--postgres-uri', 'postgresql://ada:s3cret@host/db', '--quiet']],
  [['--quiet', '--postgres-uri=postgresql://ada:s3cret@host/db']],
])('names no server, whose URI may hold a password, but where the shell has it from (case %#)', (given) => {
  expect(resumeCommand(['deltaproof', 'channels', ...given], 'run.jsonl')).toBe(
    'deltaproof channels --quiet --output run.jsonl --resume --postgres-uri "$TEST_POSTGRES_URI"',
  );
});
