// The built program on Postgres in a work folder of its own, and what it leaves running or on disk. No tests here.

import { chmodSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterEach, beforeEach } from 'vitest';
import { marked, markedProcesses } from '../harness/process/marked-processes.support.test.js';
import type { ProcessIdentity } from '../harness/record/process-identity.js';
import { useFolder } from './program.support.test.js';

const CLI = fileURLToPath(new URL('../dist/bench/cli.js', import.meta.url));

/** The smallest cases; one a backend and repetition. */
export const TINY_FULL = ['channels', '--updates', '2', '--snapshot-frequencies', '1', '--modes', 'full'];

export interface PostgresRuns {
  readonly path: string;
  readonly journal: string;
  readonly workDir: string;
  /** Starts the program, with what it starts marked. */
  run(args: readonly string[], env?: Readonly<Record<string, string>>): ReturnType<typeof started>;
  /** Command lines of marked processes, and what is in the work folder. */
  left(): string[];
  /** The server of a run's own, once it has started. */
  server(): ProcessIdentity | null;
}

/** Before each test of the file; what lives after it is ended. */
export function usePostgresRuns(): PostgresRuns {
  const folder = useFolder();
  const mark = () => basename(folder.path);
  const workDir = () => join(folder.path, 'work');
  beforeEach(() => {
    // Where root runs this, the server is another user's process.
    chmodSync(folder.path, 0o755);
    mkdirSync(workDir());
  });
  afterEach(() => {
    for (const { pid } of markedProcesses(mark())) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended meanwhile.
      }
    }
  });
  return {
    get path() {
      return folder.path;
    },
    get journal() {
      return folder.journal;
    },
    get workDir() {
      return workDir();
    },
    run: (args, env = {}) => started(folder.path, [...args], { ...marked(mark()), ...env }),
    left: () => [...markedProcesses(mark()).map(({ text }) => text.slice(0, 120)), ...readdirSync(workDir())],
    server: () => {
      for (const run of readdirSync(workDir())) {
        try {
          const path = join(workDir(), run, 'postgres', 'server.json');
          return JSON.parse(readFileSync(path, 'utf8')) as ProcessIdentity;
        } catch {
          // It is not there yet.
        }
      }
      return null;
    },
  };
}

function started(cwd: string, args: string[], env: Readonly<Record<string, string>>) {
  return execa(process.execPath, [CLI, ...args], {
    cwd,
    env: { TEST_POSTGRES_URI: '', ...env },
    reject: false,
    stdin: 'ignore',
  });
}
