// Finds the processes that a test has started, however far down, by a variable they inherit. No tests here.

import { execFileSync } from 'node:child_process';

const VARIABLE = 'DELTAPROOF_TEST_RUN';

/** The environment that marks a process and all that it starts. */
export function marked(mark: string): Record<string, string> {
  return { [VARIABLE]: mark };
}

export interface FoundProcess {
  readonly pid: number;
  /** Its command line, followed by its environment. */
  readonly text: string;
}

/** Those that live; of a zombie ps shows no environment. */
export function markedProcesses(mark: string): FoundProcess[] {
  const listed = execFileSync('ps', ['axeww', '-o', 'pid=,args='], { encoding: 'utf8', maxBuffer: 1 << 28 });
  return listed
    .split('\n')
    .filter((line) => ` ${line} `.includes(` ${VARIABLE}=${mark} `))
    .map((line) => ({ pid: Number.parseInt(line, 10), text: line }));
}
