#!/usr/bin/env node
// Table of contents of the command line: parse, dispatch, print the error, set the exit code.

import yargs, { type Argv } from 'yargs';
import { hideBin } from 'yargs/helpers';
import { CommandError, usageError } from '../harness/record/errors.js';
import { hideSecretsOf, visible, withoutHidden } from '../harness/record/scrub.js';
import { EXIT, exitCodeOf, type ExitCode } from '../harness/record/verdict.js';
import { channelsCommand } from './commands/channels.js';
import { productionCommand } from './commands/production.js';
import { widthOf, type Command, type Streams } from './commands/command.js';
import { doctorCommand } from './commands/doctor.js';
import { listCommand } from './commands/list.js';
import { summarizeCommand } from './commands/summarize.js';
import { refuseFlagValues, usageMessage } from './commands/usage-message.js';
import { verifyCommand } from './commands/verify.js';

const COMMANDS: readonly Command[] = [
  channelsCommand,
  productionCommand,
  verifyCommand,
  summarizeCommand,
  doctorCommand,
  listCommand,
];

const streams: Streams = { stdout: process.stdout, stderr: process.stderr };
// A reader that closes the pipe has read enough; an answer that cannot be written is a fault; notes may get lost.
let answerLost: string | null = null;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') answerLost ??= error.message;
});
process.stderr.on('error', () => {});
// A limit on file size then fails the write (EFBIG), which the journal undoes, instead of ending the process.
process.on('SIGXFSZ', () => {});

// A URI is named in a message where it is taken for something else.
for (const argument of process.argv) hideSecretsOf(argument.replace(/^--[^=]*=/, ''));

process.exitCode = await main(hideBin(process.argv));
process.stdout.write('', () => {
  if (answerLost === null) return;
  streams.stderr.write(`deltaproof: The answer could not be written to stdout: ${answerLost}.\n`);
  process.exitCode = exitCodeOf([EXIT.fault, process.exitCode as ExitCode]);
});

async function main(argv: readonly string[]): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.fine;
  /** Of the command that was named, once yargs has asked for them. */
  let options: readonly string[] = [];
  const parser = yargs([...argv])
    .scriptName('deltaproof')
    .usage('Measures and proves full and delta checkpoint storage of LangGraph.js threads.')
    .strict()
    .demandCommand(1, 1, 'Name a command.', 'Name one command.')
    .recommendCommands()
    .parserConfiguration({
      'parse-numbers': false,
      'parse-positional-numbers': false,
      'boolean-negation': false,
      'camel-case-expansion': false,
      'dot-notation': false,
    })
    .wrap(Math.min(100, widthOf(process.stdout)))
    .exitProcess(false)
    .locale('en')
    .fail((message: string | null, error: Error | null | undefined) => {
      if (error != null && error.name !== 'YError') throw error;
      const complaint = message ?? error?.message ?? 'The command line is not understood';
      throw usageError(usageMessage(complaint, argv, options));
    });
  for (const command of COMMANDS) {
    const declare = (ofCommand: Argv): Argv => {
      const declared = command.options(ofCommand);
      const { key, boolean } = parserOptions(declared);
      options = Object.keys(key);
      refuseFlagValues(argv, boolean);
      return declared;
    };
    parser.command(command.usage, command.describe, declare, async (args) => {
      exitCode = await command.run(args, streams);
    });
  }
  try {
    await parser.parseAsync();
    return exitCode;
  } catch (error) {
    return explain(error, argv);
  }
}

/** What a command has declared; yargs knows it, its types do not say so. */
function parserOptions(declared: Argv): { readonly key: object; readonly boolean: readonly string[] } {
  return (declared as unknown as { getOptions(): ReturnType<typeof parserOptions> }).getOptions();
}

function explain(error: unknown, argv: readonly string[]): ExitCode {
  if (error instanceof CommandError) {
    streams.stderr.write(`deltaproof: ${visible(withoutHidden(error.message))}\n`);
    const command = COMMANDS.map(({ usage }) => usage.split(' ')[0]).find((name) => name === argv[0]);
    const help = ['deltaproof', ...(command === undefined ? [] : [command]), '--help'].join(' ');
    if (error.exitCode === EXIT.usage) streams.stderr.write(`See ${help}.\n`);
    return error.exitCode;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  streams.stderr.write(`deltaproof: this is a fault of deltaproof itself.\n${text}\n`);
  return EXIT.fault;
}
