// `deltaproof production`: what a user of an agent service feels. Options to plan; the run and its report are those of every
// experiment.

import { buildServicePlan } from '../production/matrix.js';
import type { ExitCode } from '../../harness/record/verdict.js';
import type { Arguments, Command, Streams } from './command.js';
import { declareProductionOptions, readProductionOptions } from './production-options.js';
import { checkRunOptions, runExperiment } from './run-plan.js';

const WORKER = new URL('../production/worker.js', import.meta.url);

export const productionCommand: Command = {
  usage: 'production',
  describe: 'Measure turns of an agent, and opening threads and histories through the routes of a service',
  options: declareProductionOptions,
  run: production,
};

async function production(args: Arguments, streams: Streams): Promise<ExitCode> {
  const options = readProductionOptions(args);
  checkRunOptions(options, args, streams);
  const { matrix } = options;
  const plan = buildServicePlan(matrix);
  const packages = ['langchain'];
  const experiment = { name: 'production', worker: WORKER, plan, matrix, packages, ownModules: {} } as const;
  return runExperiment(experiment, options, streams);
}
