// `deltaproof channels`: the storage-layer benchmark. Options to plan; the run and its report are those of every experiment.

import { buildPlan } from '../channels/matrix.js';
import type { ExitCode } from '../../harness/record/verdict.js';
import { declareChannelsOptions, readChannelsOptions } from './channels-options.js';
import type { Arguments, Command, Streams } from './command.js';
import { describeModules } from './own-modules.js';
import { checkRunOptions, runExperiment } from './run-plan.js';

const WORKER = new URL('../channels/worker.js', import.meta.url);

export const channelsCommand: Command = {
  usage: 'channels',
  describe: 'Measure full and delta checkpoint storage, paired, case by case in fresh processes',
  options: declareChannelsOptions,
  run: channels,
};

async function channels(args: Arguments, streams: Streams): Promise<ExitCode> {
  const options = readChannelsOptions(args);
  checkRunOptions(options, args, streams);
  const { sha256: ownModules, ...own } = await describeModules(options.modules, options.packagesDir);
  const matrix = { ...options.matrix, ...own };
  const experiment = {
    name: 'channels',
    worker: WORKER,
    plan: buildPlan(matrix),
    matrix,
    packages: [],
    ownModules,
  } as const;
  return runExperiment(experiment, options, streams);
}
