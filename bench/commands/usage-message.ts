// Turns the parser's complaints about a command line into sentences that show the way out.

import { usageError } from '../../harness/record/errors.js';

/** Options of the program itself; never what somebody meant by a slip. */
const COMMON = ['help', 'version'];

/**
 * The parser's message in this program's words.
 *
 * @param argv the arguments as given, to tell an option from a stray word.
 * @param options names of the options that the command has, without dashes.
 */
export function usageMessage(message: string, argv: readonly string[], options: readonly string[]): string {
  const [, unknown] = /^Unknown arguments?: (.*)$/.exec(message) ?? [];
  if (unknown !== undefined) {
    return unknown
      .split(', ')
      .map((name) => unknownMessage(name, argv, options))
      .join(' ');
  }
  if (message.startsWith('Not enough non-option arguments')) return 'A file is missing: name at least one.';
  if (message.startsWith('Not enough arguments following: ')) {
    return `--${message.slice('Not enough arguments following: '.length)} needs a value.`;
  }
  return /[.?!]$/.test(message) ? message : `${message}.`;
}

/**
 * A flag takes no value: the parser would take any as false.
 *
 * @throws CommandError (usage) for `--flag=value`, and for words after `--`, which nothing would read.
 */
export function refuseFlagValues(argv: readonly string[], flags: readonly string[]): void {
  for (const argument of argv) {
    const [, name] = /^--([^=]+)=/.exec(argument) ?? [];
    if (name !== undefined && flags.includes(name)) {
      throw usageError(`--${name} takes no value; it is on when it is there.`);
    }
    if (argument === '--') throw usageError('Nothing is read after --; give options by their names.');
  }
}

function unknownMessage(name: string, argv: readonly string[], options: readonly string[]): string {
  const isOption = argv.some((argument) => argument === `--${name}` || argument.startsWith(`--${name}=`));
  if (!isOption)
    return `'${name}' is not expected here; a list is one value, with commas and without spaces.`;
  const meant = nearest(name, options);
  return `There is no option --${name}${meant === null ? '' : `; did you mean --${meant}?`}${meant === null ? '.' : ''}`;
}

/** The option with the longest common beginning, if it is at least four letters. */
function nearest(name: string, options: readonly string[]): string | null {
  const [best] = options
    .filter((option) => !COMMON.includes(option))
    .map((option) => ({ option, common: commonPrefix(option, name) }))
    .toSorted((a, b) => b.common - a.common);
  return best !== undefined && best.common >= 4 ? best.option : null;
}

function commonPrefix(a: string, b: string): number {
  let length = 0;
  while (length < Math.min(a.length, b.length) && a[length] === b[length]) length += 1;
  return length;
}
