// The options of `deltaproof production`: declared for yargs, read into one typed record.

import type { Argv } from 'yargs';
import type { ServiceMatrixOptions } from '../production/matrix.js';
import {
  AGENT_WORKLOADS,
  BACKENDS,
  DEFAULT_ACCESSOR_GRAPHS,
  HISTORY_CACHES,
  MAX_HISTORY_LIMIT,
  MODES,
  PAYLOAD_ENTROPIES,
  TRANSPORTS,
} from '../../harness/record/names.js';
import { usageError } from '../../harness/record/errors.js';
import { NO_MODULES } from '../../harness/record/own-modules.js';
import { DISCARDED_TURNS } from '../../harness/record/sampling.js';
import type { Arguments } from './command.js';
import { checkHistoryCaches, flag, text } from './common-options.js';
import { OptionValues } from './option-values.js';
import {
  declareFiles,
  declareLimits,
  readMaxFullBytes,
  readRunOptions,
  type RunOptions,
} from './run-options.js';

export interface ProductionOptions extends RunOptions {
  readonly matrix: ServiceMatrixOptions;
}

/** Each is read several times; more is a slip. */
const MAX_ASSISTANTS = 1000;
/** More than one process answers or asks for. */
const MAX_CLIENTS = 1000;
const MAX_RATE = 100_000;

const AXES = 'What to run (comma lists)';
const SERVICE = 'How the service runs and is read';

/** Declares every option with its default, and the examples of `--help`. */
export function declareProductionOptions(yargs: Argv): Argv {
  yargs
    .option('modes', text(AXES, 'full, delta', 'full,delta'))
    .option('backends', text(AXES, BACKENDS.join(', '), 'sqlite'))
    .option('workloads', text(AXES, AGENT_WORKLOADS.join(', '), 'agent'))
    .option(
      'turns',
      text(AXES, `Turns of the thread, the ${DISCARDED_TURNS} first of which are not measured`, '50'),
    )
    .option('payload-bytes', text(AXES, 'UTF-8 bytes of content per message', '128'))
    .option('snapshot-frequencies', text(AXES, 'K: updates from snapshot to snapshot (delta)', '10,50,100'))
    .option('history-cache', text(AXES, `For delta: ${HISTORY_CACHES.join(', ')}`, 'off'))
    .option('repetitions', text(AXES, 'Pairs per cell and setting (one number)', '3'))
    .option('seed', text(AXES, 'Same seed, same bytes and digests (one number)', '1'))
    .option('payload-entropy', text(AXES, `Text: ${PAYLOAD_ENTROPIES.join(', ')}`, 'words'))
    .option(
      'history-limits',
      text(SERVICE, `Entries of the history pages; more than ${MAX_HISTORY_LIMIT} are not given`, '10,100'),
    )
    .option('read-repetitions', text(SERVICE, 'Warm reads of each page (one number)', '25'))
    .option('assistants', text(SERVICE, 'Assistants that read the thread by turns (one number)', '1'))
    .option(
      'accessor-graph-max',
      text(SERVICE, 'Compiled graphs that the service keeps (one number)', String(DEFAULT_ACCESSOR_GRAPHS)),
    )
    .option(
      'clients',
      text(SERVICE, 'Readers over HTTP beside a thread that is written, with --rate [default: none]'),
    )
    .option('rate', text(SERVICE, 'Requests a second of all clients together'))
    .option(
      'transport',
      text(SERVICE, 'How requests reach the routes: in-process, or http over loopback', 'in-process'),
    )
    .option('no-duration-checkpoints', flag(SERVICE, 'Append no checkpoint with its duration to a run'));
  declareLimits(yargs);
  return declareFiles(yargs)
    .example('$0 production', 'an agent on SQLite, three cadences')
    .example('$0 production --turns 200 --backends sqlite,postgres', 'longer, on Postgres too')
    .example('$0 production --history-cache off,memory,direct', 'what remembering histories saves')
    .example('$0 production --workloads coding-session', 'an agent that keeps files')
    .example(
      '$0 production --transport http --clients 8 --rate 50',
      'readers beside a thread that is written',
    )
    .example('$0 production --no-duration-checkpoints', 'without the checkpoint after each run')
    .example('$0 production --turns 200 --dry-run', 'what it would cost')
    .example('$0 production --output run.jsonl --resume', 'go on after an interruption');
}

/** Reads the options. Throws CommandError (usage) for the first bad value. */
export function readProductionOptions(args: Arguments): ProductionOptions {
  const values = new OptionValues(args);
  const matrix: ServiceMatrixOptions = {
    modes: values.names('modes', MODES),
    backends: values.names('backends', BACKENDS),
    workloads: values.names('workloads', AGENT_WORKLOADS),
    turns: values.integers('turns', DISCARDED_TURNS + 1),
    payloadBytes: values.integers('payload-bytes', 1),
    payloadEntropy: values.name('payload-entropy', PAYLOAD_ENTROPIES),
    snapshotFrequencies: values.integers('snapshot-frequencies', 1),
    historyCaches: values.names('history-cache', HISTORY_CACHES),
    repetitions: values.integer('repetitions', 1),
    seed: values.integer('seed', 0),
    durationCheckpoints: !values.flag('no-duration-checkpoints'),
    transport: values.name('transport', TRANSPORTS),
    historyLimits: readHistoryLimits(values),
    readRepetitions: values.integer('read-repetitions', 1),
    assistants: values.integer('assistants', 1, MAX_ASSISTANTS),
    accessorGraphMax: values.integer('accessor-graph-max', 1),
    load: readLoad(values),
    maxEstimatedFullBytes: readMaxFullBytes(values),
  };
  checkHistoryCaches(matrix, values);
  const needsRedis = matrix.historyCaches.includes('redis');
  return { matrix, ...readRunOptions(values, { modules: NO_MODULES, needsRedis }) };
}

/** @throws CommandError (usage) for one without the other, and without HTTP. */
function readLoad(values: OptionValues): ServiceMatrixOptions['load'] {
  const [clients, rate] = [values.optionalText('clients'), values.optionalText('rate')];
  if (clients === null && rate === null) return null;
  if (clients === null || rate === null) throw usageError('--clients and --rate go together.');
  if (values.name('transport', TRANSPORTS) !== 'http')
    throw usageError('--clients come over HTTP: add --transport http.');
  return {
    clients: values.integer('clients', 1, MAX_CLIENTS),
    rate_per_second: values.integer('rate', 1, MAX_RATE),
  };
}

/** As the route gives them: named by what is measured. */
function readHistoryLimits(values: OptionValues): number[] {
  const asked = values.integers('history-limits', 1);
  if (asked.some((limit) => limit > MAX_HISTORY_LIMIT))
    values.warnings.push(
      `--history-limits above ${MAX_HISTORY_LIMIT} are measured and told as ${MAX_HISTORY_LIMIT}, which is what the route gives.`,
    );
  const limits = new Set(asked.map((limit) => Math.min(limit, MAX_HISTORY_LIMIT)));
  return [...limits].toSorted((a, b) => a - b);
}
