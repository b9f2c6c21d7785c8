// Reads option values that yargs has split from the command line: lists, whole numbers, names. A bad value ends the
// command with one sentence that names the option and what it accepts.

import { resolve } from 'node:path';
import { usageError } from '../../harness/record/errors.js';
import type { Arguments } from './command.js';

/** Reads the values of one command line and collects warnings about them. */
export class OptionValues {
  readonly warnings: string[] = [];
  readonly #args: Arguments;

  constructor(args: Arguments) {
    this.#args = args;
  }

  /** A comma list of whole numbers from `min` on, duplicates dropped with a warning. */
  integers(option: string, min: number): number[] {
    const accepts = `whole numbers of at least ${min}, separated by commas, for example --${option} ${min},${min + 9}`;
    return this.#list(option, accepts, (item) => wholeNumber(item, min));
  }

  /** A comma list of names out of `known`, duplicates dropped with a warning. */
  names<T extends string>(option: string, known: readonly T[]): T[] {
    const accepts = `${known.join(', ')}; several are separated by commas`;
    return this.#list(option, accepts, (item) => known.find((name) => name === item) ?? null);
  }

  /** One whole number of at least `min`, and of at most `max` where there is one. */
  integer(option: string, min: number, max = Number.MAX_SAFE_INTEGER): number {
    const text = this.text(option);
    const value = wholeNumber(text, min);
    if (value !== null && value <= max) return value;
    const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
    throw badValue(option, text, `a whole number ${range}`);
  }

  /** One name out of `known`. */
  name<T extends string>(option: string, known: readonly T[]): T {
    const text = this.text(option);
    const value = known.find((name) => name === text);
    if (value === undefined) throw badValue(option, text, `one of ${known.join(', ')}`);
    return value;
  }

  /** The option's text; an option given twice or without a value is refused. */
  text(option: string): string {
    const value = this.#args[option];
    if (Array.isArray(value)) throw usageError(`--${option} was given more than once; give it one value.`);
    if (typeof value !== 'string' || value === '') throw usageError(`--${option} needs a value.`);
    return value;
  }

  /** The option's text, or null when it was not given. */
  optionalText(option: string): string | null {
    return this.#args[option] === undefined ? null : this.text(option);
  }

  /** The option's text as an absolute path, or null when it was not given. */
  optionalPath(option: string): string | null {
    const text = this.optionalText(option);
    return text === null ? null : resolve(text);
  }

  flag(option: string): boolean {
    return this.#args[option] === true;
  }

  #list<T>(option: string, accepts: string, parse: (item: string) => T | null): T[] {
    const items = this.text(option).split(',');
    const values = items.map((item) => {
      const value = parse(item.trim());
      if (value === null) throw badValue(option, item, accepts);
      return value;
    });
    const unique = [...new Set(values)];
    if (unique.length < values.length) {
      const hint = 'repetitions' in this.#args ? ' (use --repetitions for repeated samples)' : '';
      this.warnings.push(`--${option} names a value more than once; it counts once${hint}.`);
    }
    return unique;
  }
}

function wholeNumber(text: string, min: number): number | null {
  if (!/^\d+$/.test(text)) return null;
  const value = Number(text);
  return Number.isSafeInteger(value) && value >= min ? value : null;
}

function badValue(option: string, value: string, accepts: string): Error {
  const shown = value.trim() === '' ? 'an empty value' : `'${value}'`;
  return usageError(`--${option} does not accept ${shown}; it accepts ${accepts}.`);
}
