// The options that every command has which runs a plan of cases: limits, files and output. Declared for yargs, read into one
// typed record.

import { tmpdir } from 'node:os';
import type { Argv } from 'yargs';
import type { OpenMode } from '../../harness/record/journal.js';
import type { ModulePaths } from '../../harness/record/own-modules.js';
import {
  flag,
  MAX_JOBS,
  MAX_TIMER_SECONDS,
  POSTGRES_URI_OPTION,
  readOpenMode,
  readPostgresUri,
  readRedisUrl,
  REDIS_URL_OPTION,
  text,
} from './common-options.js';
import type { OptionValues } from './option-values.js';

export interface RunOptions {
  readonly modules: ModulePaths;
  /** Null: a new folder below the current one. */
  readonly outputPath: string | null;
  readonly openMode: OpenMode;
  readonly resumeAcross: boolean;
  readonly timeoutMs: number;
  /** Null: no limit. */
  readonly maxRssBytes: number | null;
  readonly workDir: string;
  /** Null: a server of the run's own, where a backend needs one. */
  readonly postgresUri: string | null;
  /** Of the history cache redis; null where it is not asked for. */
  readonly redisUrl: string | null;
  /** Null: the packages installed with this project. */
  readonly packagesDir: string | null;
  readonly keepStoresDir: string | null;
  /** Null: no profiles. */
  readonly profileDir: string | null;
  readonly jobs: number;
  readonly dryRun: boolean;
  readonly json: boolean;
  readonly quiet: boolean;
  /** Whole sentences about the options themselves. */
  readonly warnings: readonly string[];
}

const LIMITS = 'Limits';
const FILES = 'Files';
const OUTPUT = 'Output';

/** Declares limits; those of files follow with {@link declareFiles}, so that a command can put its own between. */
export function declareLimits(yargs: Argv): Argv {
  return yargs
    .option(
      'max-estimated-full-bytes',
      text(LIMITS, 'Skip cells whose full mode would hold more bytes', '1073741824'),
    )
    .option('allow-large-cases', flag(LIMITS, 'Skip nothing for its size'))
    .option('timeout-seconds', text(LIMITS, 'Kill a case that takes longer', '900'))
    .option('max-rss-bytes', text(LIMITS, 'Stop a case whose child holds more memory [default: no limit]'))
    .option('jobs', text(LIMITS, 'Cases at the same time; more than 1 disturbs timing', '1'));
}

export function declareFiles(yargs: Argv): Argv {
  return yargs
    .option('work-dir', text(FILES, 'Where stores live while they are measured [default: TMPDIR]'))
    .option('postgres-uri', POSTGRES_URI_OPTION)
    .option('redis-url', REDIS_URL_OPTION)
    .option('packages', text(FILES, 'Folder whose node_modules holds the packages under test'))
    .option('keep-stores', text(FILES, 'Copy the store of every case into this folder'))
    .option('profile-dir', text(FILES, 'Write a CPU profile of every case here; its row joins no ratio'))
    .option('output', text(FILES, 'Journal to write [default: a new folder in .deltaproof]'))
    .option('resume', flag(FILES, 'Complete the journal: run what it lacks of this plan'))
    .option('resume-across', flag(FILES, 'Resume one of another machine, revision or version'))
    .option('overwrite', flag(FILES, 'Replace an existing journal'))
    .option('dry-run', flag(OUTPUT, 'Print the plan with its expected cost and run nothing'))
    .option('json', flag(OUTPUT, 'Print one JSON document instead of the table'))
    .option('quiet', flag(OUTPUT, 'No progress'));
}

/** Null with --allow-large-cases. Throws CommandError (usage) for a bad value, as {@link readRunOptions} does. */
export function readMaxFullBytes(values: OptionValues): number | null {
  return values.flag('allow-large-cases') ? null : values.integer('max-estimated-full-bytes', 1);
}

/** @param needsRedis whether something in the plan needs a Redis server. */
export function readRunOptions(
  values: OptionValues,
  { modules, needsRedis }: { readonly modules: ModulePaths; readonly needsRedis: boolean },
): RunOptions {
  const jobs = values.integer('jobs', 1, MAX_JOBS);
  if (jobs > 1)
    values.warnings.push(`--jobs ${jobs} runs cases beside each other, which disturbs their timing.`);
  return {
    modules,
    outputPath: values.optionalPath('output'),
    openMode: readOpenMode(values),
    resumeAcross: values.flag('resume-across'),
    timeoutMs: values.integer('timeout-seconds', 1, MAX_TIMER_SECONDS) * 1000,
    maxRssBytes: values.optionalText('max-rss-bytes') === null ? null : values.integer('max-rss-bytes', 1),
    workDir: values.optionalPath('work-dir') ?? tmpdir(),
    postgresUri: readPostgresUri(values),
    redisUrl: readRedisUrl(values, needsRedis),
    packagesDir: values.optionalPath('packages'),
    keepStoresDir: values.optionalPath('keep-stores'),
    profileDir: values.optionalPath('profile-dir'),
    jobs,
    dryRun: values.flag('dry-run'),
    json: values.flag('json'),
    quiet: values.flag('quiet'),
    warnings: values.warnings,
  };
}
