// The options of `deltaproof verify`: declared for yargs, read into one typed record.

import { tmpdir } from 'node:os';
import type { Argv } from 'yargs';
import {
  DEFAULT_CADENCES,
  DEFAULT_HISTORIES,
  DEFAULT_KILLS,
  QUICK_CADENCES,
  type VerifyOptions,
} from '../verify/matrix.js';
import { usageError } from '../../harness/record/errors.js';
import type { OpenMode } from '../../harness/record/journal.js';
import type { ModulePaths } from '../../harness/record/own-modules.js';
import { SCENARIO_NAMES, type ScenarioName } from '../../harness/record/scenarios.js';
import { WRAPPER_NAMES } from '../../harness/record/wrappers.js';
import type { Arguments } from './command.js';
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
import { OptionValues } from './option-values.js';
import { backendsOption, GRAPH_OPTION, readBackends, readModulePaths, SAVER_OPTION } from './own-modules.js';

export interface VerifyCommandOptions {
  /** Without what the user's own modules say of themselves. */
  readonly plan: VerifyOptions;
  readonly modules: ModulePaths;
  readonly strict: boolean;
  readonly selfTest: boolean;
  /** Null: a new folder below the current one. */
  readonly outputPath: string | null;
  readonly openMode: OpenMode;
  readonly junitPath: string | null;
  readonly markdownPath: string | null;
  readonly timeoutMs: number;
  readonly workDir: string;
  /** Null: a server of the run's own, where a backend needs one. */
  readonly postgresUri: string | null;
  /** Of the wrapper redis-history-cache; null for others. */
  readonly redisUrl: string | null;
  readonly packagesDir: string | null;
  readonly jobs: number;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly warnings: readonly string[];
}

const WHAT = 'What to run (comma lists)';
const LIMITS = 'Limits';
const FILES = 'Files';
const OUTPUT = 'Output';

export function declareVerifyOptions(yargs: Argv): Argv {
  return yargs
    .option('scenarios', text(WHAT, 'Names, or patterns with *; deltaproof list has them', '*'))
    .option('backends', backendsOption(WHAT))
    .option(
      'snapshot-frequencies',
      text(WHAT, `K of the delta cells [default: ${DEFAULT_CADENCES.join(',')}]`),
    )
    .option('seeds', text(WHAT, 'Everything once with each', '1'))
    .alias('seeds', 'seed')
    .option(
      'quick',
      flag(WHAT, `The main scenarios at K=${QUICK_CADENCES.join(',')}, without a fresh process`),
    )
    .option(
      'generate',
      text(WHAT, 'Histories of the scenario histories, in each cell', String(DEFAULT_HISTORIES)),
    )
    .option('kills', text(WHAT, 'How often the writer of each cell is killed', String(DEFAULT_KILLS)))
    .option('wrapper', text(WHAT, `Put this before the savers: ${WRAPPER_NAMES.join(', ')}`))
    .option('strict', flag(LIMITS, 'A known defect ends with exit code 4 as well'))
    .option('self-test', flag(WHAT, 'Run savers that lie instead, and print which scenario caught each'))
    .option('saver', SAVER_OPTION)
    .option('graph', GRAPH_OPTION)
    .option('jobs', text(LIMITS, 'Scenarios at the same time', '2'))
    .option('timeout-seconds', text(LIMITS, 'Kill a scenario that takes longer', '300'))
    .option('work-dir', text(FILES, 'Where stores live meanwhile [default: TMPDIR]'))
    .option('postgres-uri', POSTGRES_URI_OPTION)
    .option('redis-url', REDIS_URL_OPTION)
    .option('packages', text(FILES, 'Folder whose node_modules holds the packages under test'))
    .option('output', text(FILES, 'Journal to write [default: a new folder in .deltaproof]'))
    .option('resume', flag(FILES, 'Complete the journal: run what it lacks of this plan'))
    .option('overwrite', flag(FILES, 'Replace an existing journal'))
    .option('junit', text(FILES, 'Write a JUnit report here'))
    .option('markdown', text(FILES, 'Write a summary for a CI step here'))
    .option('json', flag(OUTPUT, 'Print one JSON document instead of the table'))
    .option('quiet', flag(OUTPUT, 'No progress'))
    .example('$0 verify', 'every scenario on memory and SQLite')
    .example('$0 verify --backends postgres', 'on Postgres, on a server of its own')
    .example('$0 verify --quick --strict', 'a first look; any defect is an error')
    .example("$0 verify --scenarios 'fork-*'", 'some of them')
    .example('$0 verify --packages ../next', 'the packages of another folder')
    .example('$0 verify --saver ./my-saver.mjs', 'a saver of your own')
    .example('$0 verify --graph ./my-graph.mjs', 'a graph of your own, on memory and SQLite')
    .example('$0 verify --generate 200 --seed 7', 'search for what no scenario shows')
    .example('$0 verify --wrapper ordered', 'the savers, with parallel writes put in order')
    .example('$0 verify --self-test', 'does it catch savers that lie?');
}

/** Reads the options. Throws CommandError (usage) for the first bad value. */
export function readVerifyOptions(args: Arguments): VerifyCommandOptions {
  const values = new OptionValues(args);
  refuseWithSelfTest(values);
  const quick = values.flag('quick');
  const given = values.optionalText('snapshot-frequencies') !== null;
  const modules = readModulePaths(values);
  const byDefault = quick ? QUICK_CADENCES : DEFAULT_CADENCES;
  const wrapper = values.optionalText('wrapper') === null ? null : values.name('wrapper', WRAPPER_NAMES);
  return {
    plan: {
      scenarios: scenariosOf(values.text('scenarios')),
      backends: readBackends(values, modules),
      snapshotFrequencies: given ? values.integers('snapshot-frequencies', 1) : byDefault,
      seeds: values.integers('seeds', 0),
      quick,
      liar: null,
      ownSaver: null,
      ownGraph: null,
      histories: values.integer('generate', 1),
      kills: values.integer('kills', 1),
      wrapper,
    },
    modules,
    strict: values.flag('strict'),
    selfTest: values.flag('self-test'),
    outputPath: values.optionalPath('output'),
    openMode: readOpenMode(values),
    junitPath: values.optionalPath('junit'),
    markdownPath: values.optionalPath('markdown'),
    timeoutMs: values.integer('timeout-seconds', 1, MAX_TIMER_SECONDS) * 1000,
    workDir: values.optionalPath('work-dir') ?? tmpdir(),
    postgresUri: readPostgresUri(values),
    redisUrl: readRedisUrl(values, wrapper === 'redis-history-cache'),
    packagesDir: values.optionalPath('packages'),
    jobs: values.integer('jobs', 1, MAX_JOBS),
    json: values.flag('json'),
    quiet: values.flag('quiet'),
    warnings: values.warnings,
  };
}

/** Names of scenarios that one of the patterns matches; each must match one at least. */
function scenariosOf(patterns: string): ScenarioName[] {
  const chosen = new Set<ScenarioName>();
  for (const pattern of patterns.split(',').map((item) => item.trim())) {
    const parts = pattern.split('*').map((part) => part.replaceAll(/[^a-z0-9-]/gi, String.raw`\$&`));
    const matching = new RegExp(`^${parts.join('.*')}$`);
    const names = SCENARIO_NAMES.filter((name) => matching.test(name));
    if (names.length === 0) {
      throw usageError(
        `--scenarios does not accept '${pattern}': no scenario is named so; deltaproof list prints them.`,
      );
    }
    names.forEach((name) => chosen.add(name));
  }
  return [...chosen];
}

/** A self-test prints its score and writes nothing. */
function refuseWithSelfTest(values: OptionValues): void {
  if (!values.flag('self-test')) return;
  const given = ['output', 'resume', 'overwrite', 'junit', 'markdown'].find(
    (option) => values.flag(option) || values.optionalText(option) !== null,
  );
  if (given !== undefined) throw usageError(`--self-test writes no file; leave --${given} out.`);
}
