// What a check of `deltaproof doctor` is given, and what it finds.

import type { Backend } from '../../../harness/record/names.js';

/** `warning`: it runs, and something is not as it should be. `missing`: something needed is not there or refuses. */
export type Status = 'fine' | 'warning' | 'missing';

export interface CheckResult {
  /** Name of the check; a check may find several things. */
  readonly check: string;
  readonly status: Status;
  /** Whole sentences, without an absolute path. */
  readonly what: string;
  /** The same for a program; names end in the unit. */
  readonly facts: Readonly<Record<string, string | number | boolean | null>>;
  /** A command line, or what to do; null where nothing is to be mended. */
  readonly fix: string | null;
}

/** What the machine is asked to be able to do. */
export interface Subject {
  readonly backends: readonly Backend[];
  /** Folder whose node_modules holds the packages under test; null for those installed with this project. */
  readonly packagesDir: string | null;
  /** Folder of this project's package.json. */
  readonly projectDir: string;
  /** Where stores live while something runs. */
  readonly workDir: string;
  /** Whether the command line named the work folder. */
  readonly workDirNamed: boolean;
  /** A server that the user has named; null: runs start their own. */
  readonly postgresUri: string | null;
  /** Remove what ended runs have left. */
  readonly clean: boolean;
}

export type Check = (subject: Subject) => CheckResult[] | Promise<CheckResult[]>;

/** Folder from which the packages under test resolve. */
export function packagesFolder({
  packagesDir,
  projectDir,
}: Pick<Subject, 'packagesDir' | 'projectDir'>): string {
  return packagesDir ?? projectDir;
}
