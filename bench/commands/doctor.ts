// `deltaproof doctor`: what this machine lacks for what was asked, each with the line that mends it.

import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { BACKENDS } from '../../harness/record/names.js';
import { visible } from '../../harness/record/scrub.js';
import { EXIT, exitCodeOf, type ExitCode } from '../../harness/record/verdict.js';
import type { Arguments, Command, Streams } from './command.js';
import { flag, POSTGRES_URI_OPTION, readPostgresUri, text } from './common-options.js';
import { examine } from './doctor/checks.js';
import { renderChecks } from './doctor/table.js';
import { OptionValues } from './option-values.js';
import { requireFolder } from './preflight.js';

/** dist/bench/commands is three levels below the project. */
const PROJECT_DIR = fileURLToPath(new URL('../../../', import.meta.url));

const WHAT = 'What is needed';
const OUTPUT = 'Output';

export const doctorCommand: Command = {
  usage: 'doctor',
  describe: 'Tell what this machine lacks to run the rest, and the line that mends each',
  options: (yargs) =>
    yargs
      .option('backends', text(WHAT, 'Comma list; each of them must start', BACKENDS.join(',')))
      .option('packages', text(WHAT, 'Folder whose node_modules holds the packages under test'))
      .option('work-dir', text(WHAT, 'Where stores live meanwhile [default: TMPDIR]'))
      .option('postgres-uri', { ...POSTGRES_URI_OPTION, group: WHAT })
      .option('clean', flag(WHAT, 'Remove work folders and schemas that ended runs of deltaproof have left'))
      .option('json', flag(OUTPUT, 'Print one JSON document'))
      .example('$0 doctor', 'everything that channels and verify need')
      .example('$0 doctor --backends memory', 'what is needed without a database')
      .example('$0 doctor --packages ../candidate', 'do the packages of another folder start?')
      .example('$0 doctor --work-dir /data/tmp', 'another disk')
      .example('$0 doctor --clean', 'remove what killed runs have left')
      .example('$0 doctor --json', 'the same for a program')
      .epilogue('Exit code 7 when something that is needed is missing or refuses; a warning is none.'),
  run: doctor,
};

async function doctor(args: Arguments, { stdout, stderr }: Streams): Promise<ExitCode> {
  const values = new OptionValues(args);
  const subject = {
    backends: values.names('backends', BACKENDS),
    packagesDir: values.optionalPath('packages'),
    projectDir: PROJECT_DIR,
    workDir: values.optionalPath('work-dir') ?? tmpdir(),
    workDirNamed: values.optionalText('work-dir') !== null,
    postgresUri: readPostgresUri(values),
    clean: values.flag('clean'),
  };
  values.warnings.forEach((warning) => stderr.write(`warning: ${visible(warning)}\n`));
  requireFolder('--packages', subject.packagesDir);
  requireFolder(subject.workDirNamed ? '--work-dir' : 'TMPDIR', subject.workDir);
  const checks = await examine(subject);
  const exitCode = exitCodeOf(checks.some(({ status }) => status === 'missing') ? [EXIT.missing] : []);
  stdout.write(
    values.flag('json')
      ? `${JSON.stringify({ checks, exit_code: exitCode }, null, 2)}\n`
      : renderChecks(checks),
  );
  return exitCode;
}
