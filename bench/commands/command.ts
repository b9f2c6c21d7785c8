// What a subcommand is: its options for yargs, and one function from parsed options to an exit code.

import type { Argv } from 'yargs';
import type { ExitCode } from '../../harness/record/verdict.js';

/** Where a command writes: the answer to stdout, everything else to stderr. */
export interface Streams {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
}

/** Parsed options as yargs gives them; each command reads its own by name. */
export type Arguments = Readonly<Record<string, unknown>>;

export interface Command {
  /** yargs usage, for example `summarize <journal..>`. */
  readonly usage: string;
  readonly describe: string;
  /** Declares options and examples. */
  readonly options: (yargs: Argv) => Argv;
  /** Runs the command; throws CommandError to end with one sentence. */
  readonly run: (args: Arguments, streams: Streams) => Promise<ExitCode>;
}

/** Columns of a terminal; one whose size nobody has set says 0. */
export function widthOf({ columns = 0 }: { readonly columns?: number }): number {
  return columns > 0 ? columns : 80;
}
