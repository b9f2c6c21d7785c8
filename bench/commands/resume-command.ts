// The command line that completes an interrupted run.

const REPLACED = new Set(['--resume', '--overwrite', '--output']);

/** The same arguments, with the journal named and `--resume`, quoted for a POSIX shell. */
export function resumeCommand(argv: readonly string[], journalPath: string): string {
  const kept: string[] = [];
  for (let index = 0; index < argv.length; index += 1) {
    const argument = argv[index] as string;
    const [name] = argument.split('=', 1) as [string];
    if (!REPLACED.has(name)) kept.push(argument);
    else if (argument === '--output') index += 1; // its value goes too
  }
  return ['deltaproof', ...kept, '--output', journalPath, '--resume'].map(quoted).join(' ');
}

function quoted(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}
