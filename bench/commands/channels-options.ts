// The options of `deltaproof channels`: declared for yargs, read into one typed record.

import type { Argv } from 'yargs';
import type { MatrixOptions } from '../channels/matrix.js';
import {
  ALL_WORKLOADS,
  HISTORY_CACHES,
  MODES,
  PAYLOAD_ENTROPIES,
  WORKLOADS,
} from '../../harness/record/names.js';
import type { Arguments } from './command.js';
import { checkHistoryCaches, chosenOr, text } from './common-options.js';
import { OptionValues } from './option-values.js';
import {
  backendsOption,
  GRAPH_OPTION,
  readBackends,
  readModulePaths,
  requireModule,
  SAVER_OPTION,
} from './own-modules.js';
import {
  declareFiles,
  declareLimits,
  readMaxFullBytes,
  readRunOptions,
  type RunOptions,
} from './run-options.js';

export interface ChannelsOptions extends RunOptions {
  /** Without what the user's own modules say of themselves. */
  readonly matrix: MatrixOptions;
}

const AXES = 'What to run (comma lists)';

/** Declares every option with its default, and the examples of `--help`. */
export function declareChannelsOptions(yargs: Argv): Argv {
  yargs
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
    .option('payload-entropy', text(AXES, `Text: ${PAYLOAD_ENTROPIES.join(', ')}`, 'words'));
  declareLimits(yargs).option('saver', SAVER_OPTION).option('graph', GRAPH_OPTION);
  return declareFiles(yargs)
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
    maxEstimatedFullBytes: readMaxFullBytes(values),
  };
  requireModule('graph', 'workloads', modules.graph, matrix.workloads.includes('custom'));
  checkHistoryCaches(matrix, values);
  const needsRedis = matrix.historyCaches.includes('redis');
  return { matrix, ...readRunOptions(values, { modules, needsRedis }) };
}
