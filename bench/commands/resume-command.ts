// The command line that completes an interrupted run.

import { basename, relative } from 'node:path';

/** With their values, where they take one. */
const REPLACED = new Set(['--resume', '--overwrite', '--output', '--postgres-uri']);
const WITH_VALUE = new Set(['--output', '--postgres-uri']);

/**
 * The command as it was given (`process.argv` without Node), with the journal named and `--resume`, quoted for a
 * POSIX shell. The URI of a server may hold a password, so the shell is told to take it from where else it may be told.
 */
export function resumeCommand([program = '', ...argv]: readonly string[], journalPath: string): string {
  const called = basename(program) === 'deltaproof' ? ['deltaproof'] : ['node', relative('.', program)];
  const kept: string[] = [];
  for (let index = 0; index < argv.length; index += 1) {
    const argument = argv[index] as string;
    const [name] = argument.split('=', 1) as [string];
    if (!REPLACED.has(name)) kept.push(argument);
    else if (WITH_VALUE.has(argument) || isFlagValue(argv[index + 1])) index += 1; // its value goes too
  }
  const output = journalPath.startsWith('-') ? [`--output=${journalPath}`] : ['--output', journalPath];
  const server = argv.some((argument) => argument.split('=', 1)[0] === '--postgres-uri')
    ? ' --postgres-uri "$TEST_POSTGRES_URI"'
    : '';
  return `${[...called, ...kept, ...output, '--resume'].map(quoted).join(' ')}${server}`;
}

/** The parser takes these words after a flag as its value. */
function isFlagValue(word: string | undefined): boolean {
  return word === 'true' || word === 'false';
}

/** A word as a POSIX shell reads it back. */
export function quoted(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}
