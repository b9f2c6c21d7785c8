// The options of `deltaproof channels`: declared for yargs, read into one typed record.

import { tmpdir } from 'node:os';
import type { Argv } from 'yargs';
import type { MatrixOptions } from '../channels/matrix.js';
import type { OpenMode } from '../../harness/record/journal.js';
import { usageError } from '../../harness/record/errors.js';
import {
  ALL_WORKLOADS,
  BACKEND_CAPABILITIES,
  HISTORY_CACHES,
  MODES,
  PAYLOAD_ENTROPIES,
  WORKLOADS,
} from '../../harness/record/names.js';
import type { ModulePaths } from '../../harness/record/own-modules.js';
import type { Arguments } from './command.js';
import {
  chosenOr,
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
import {
  backendsOption,
  GRAPH_OPTION,
  readBackends,
  readModulePaths,
  requireModule,
  SAVER_OPTION,
} from './own-modules.js';

export interface ChannelsOptions {
  /** Without what the user's own modules say of themselves. */
  readonly matrix: MatrixOptions;
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

const AXES = 'What to run (comma lists)';
const LIMITS = 'Limits';
const FILES = 'Files';
const OUTPUT = 'Output';

/** Declares every option with its default, and the examples of `--help`. */
export function declareChannelsOptions(yargs: Argv): Argv {
  return yargs
    .option('modes', text(AXES, 'full, delta', 'full,delta'))
    .option('backends', backendsOption(AXES))
    .option('workloads', text(AXES, `${WORKLOADS.join(', ')}, custom [default: append]`))
    .option('pipeline-nodes', text(AXES, 'Nodes of the pipeline workload; R is two more', '4'))
    .option('updates', text(AXES, 'N: updates of the thread, one invoke each', '95'))
    .option('payload-bytes', text(AXES, 'UTF-8 bytes of content per message', '128'))
    .option('snapshot-frequencies', text(AXES, 'K: updates from snapshot to snapshot (delta)', '10,50,100'))
    .option(
      'history-cache',
      text(
        AXES,
        `For delta: ${HISTORY_CACHES.join(', ')} (a walk in three statements, not on memory)`,
        'off',
      ),
    )
    .option('repetitions', text(AXES, 'Pairs per cell and cadence (one number)', '3'))
    .option('seed', text(AXES, 'Same seed, same bytes and digests (one number)', '1'))
    .option('payload-entropy', text(AXES, `Text: ${PAYLOAD_ENTROPIES.join(', ')}`, 'words'))
    .option(
      'max-estimated-full-bytes',
      text(LIMITS, 'Skip cells whose full mode would hold more bytes', '1073741824'),
    )
    .option('allow-large-cases', flag(LIMITS, 'Skip nothing for its size'))
    .option('timeout-seconds', text(LIMITS, 'Kill a case that takes longer', '900'))
    .option('max-rss-bytes', text(LIMITS, 'Stop a case whose child holds more memory [default: no limit]'))
    .option('jobs', text(LIMITS, 'Cases at the same time; more than 1 disturbs timing', '1'))
    .option('saver', SAVER_OPTION)
    .option('graph', GRAPH_OPTION)
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
    .option('quiet', flag(OUTPUT, 'No progress'))
    .example('$0 channels', 'both modes, memory and SQLite, three cadences')
    .example('$0 channels --backends memory,sqlite,postgres', 'Postgres too, on a server of its own')
    .example('$0 channels --dry-run', 'what it would cost')
    .example('$0 channels --history-cache off,memory,direct', 'what remembering histories saves')
    .example('$0 channels --saver ./my-saver.mjs', 'a saver of your own')
    .example('$0 channels --graph ./my-graph.mjs', 'a graph of your own')
    .example('$0 channels --output run.jsonl', 'the journal where you want it')
    .example('$0 channels --output run.jsonl --resume', 'go on after an interruption');
}

/** Reads the options. Throws CommandError (usage) for the first bad value. */
export function readChannelsOptions(args: Arguments): ChannelsOptions {
  const values = new OptionValues(args);
  const modules = readModulePaths(values);
  const largeCases = values.flag('allow-large-cases');
  const matrix: MatrixOptions = {
    modes: values.names('modes', MODES),
    backends: readBackends(values, modules),
    workloads: chosenOr(values, 'workloads', ALL_WORKLOADS, [modules.graph === null ? 'append' : 'custom']),
    pipelineNodes: values.integers('pipeline-nodes', 1),
    updates: values.integers('updates', 1),
    payloadBytes: values.integers('payload-bytes', 1),
    payloadEntropy: values.name('payload-entropy', PAYLOAD_ENTROPIES),
    snapshotFrequencies: values.integers('snapshot-frequencies', 1),
    historyCaches: values.names('history-cache', HISTORY_CACHES),
    repetitions: values.integer('repetitions', 1),
    seed: values.integer('seed', 0),
    ownSaver: null,
    ownGraph: null,
    maxEstimatedFullBytes: largeCases ? null : values.integer('max-estimated-full-bytes', 1),
  };
  requireModule('graph', 'workloads', modules.graph, matrix.workloads.includes('custom'));
  requireDirectWalk(matrix);
  if (!matrix.modes.includes('delta') && matrix.historyCaches.some((cache) => cache !== 'off'))
    values.warnings.push('--history-cache is for delta, which is not among --modes.');
  const jobs = values.integer('jobs', 1, MAX_JOBS);
  if (jobs > 1)
    values.warnings.push(`--jobs ${jobs} runs cases beside each other, which disturbs their timing.`);
  return {
    matrix,
    modules,
    outputPath: values.optionalPath('output'),
    openMode: readOpenMode(values),
    resumeAcross: values.flag('resume-across'),
    timeoutMs: values.integer('timeout-seconds', 1, MAX_TIMER_SECONDS) * 1000,
    maxRssBytes: values.optionalText('max-rss-bytes') === null ? null : values.integer('max-rss-bytes', 1),
    workDir: values.optionalPath('work-dir') ?? tmpdir(),
    postgresUri: readPostgresUri(values),
    redisUrl: readRedisUrl(values, matrix.historyCaches.includes('redis')),
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

function requireDirectWalk({ historyCaches, backends }: MatrixOptions): void {
  if (!historyCaches.includes('direct')) return;
  if (backends.some((backend) => BACKEND_CAPABILITIES[backend].directWalk)) return;
  throw usageError('--history-cache direct reads tables: it needs --backends sqlite or postgres.');
}
