// `deltaproof list`: what can be run and what is known: scenarios, workloads, what backends can do, defects.

import { AGENT_WORKLOADS, BACKENDS, BACKEND_CAPABILITIES, WORKLOADS } from '../../harness/record/names.js';
import { KNOWN_DEFECTS } from '../../harness/record/known-defects.js';
import { LIARS, LIAR_NAMES } from '../../harness/record/liars.js';
import { isOwnScenario, SCENARIOS } from '../../harness/record/scenarios.js';
import { WRAPPERS, WRAPPER_NAMES } from '../../harness/record/wrappers.js';
import { EXIT } from '../../harness/record/verdict.js';
import type { Command } from './command.js';

export const listCommand: Command = {
  usage: 'list',
  describe: 'Print the scenarios, workloads, what backends can do, and known defects',
  options: (yargs) =>
    yargs
      .option('json', { type: 'boolean', describe: 'Print one JSON document' })
      .example('$0 list', 'everything by name')
      .example('$0 list --json', 'the same for a program'),
  run(args, { stdout }) {
    stdout.write(args['json'] === true ? `${JSON.stringify(everything(), null, 2)}\n` : text());
    return Promise.resolve(EXIT.fine);
  },
};

function everything() {
  return {
    workloads: WORKLOADS,
    agent_workloads: AGENT_WORKLOADS,
    backends: Object.fromEntries(BACKENDS.map((backend) => [backend, BACKEND_CAPABILITIES[backend]])),
    scenarios: SCENARIOS,
    known_defects: KNOWN_DEFECTS.map(({ id, what, packages, upstream, advice, sightings }) => ({
      id,
      what,
      packages,
      upstream,
      advice,
      // Those of a graph of one's own show it only where that does what it takes.
      scenarios: [...new Set(sightings.flatMap(({ scenarios }) => scenarios))].filter(
        (name) => !isOwnScenario(name),
      ),
      backends: [...new Set(sightings.flatMap(({ backends }) => backends))],
    })),
    liars: LIARS,
    wrappers: WRAPPERS,
  };
}

function text(): string {
  const { known_defects } = everything();
  const lines = [
    'Workloads (channels):',
    `  ${WORKLOADS.join(', ')}; custom: a graph of your own (--graph FILE)`,
    '',
    'Workloads (production):',
    `  ${AGENT_WORKLOADS.join(', ')}`,
    '',
    'Backends:',
    ...BACKENDS.map((backend) => {
      const { persistent, valueLayout } = BACKEND_CAPABILITIES[backend];
      return `  ${backend}: ${persistent ? 'outlives its process' : 'lives in its process'}, values ${valueLayout}`;
    }),
    '  custom: a saver of your own (--saver FILE)',
    '',
    'Scenarios (verify):',
    ...SCENARIOS.map(({ name, kind, about }) => `  ${name} (${kind}): ${about}`),
    '',
    'Known defects of released packages:',
    ...known_defects.flatMap(({ id, what, packages, scenarios, backends, upstream, advice }) => [
      `  ${id}: ${what}.`,
      `    ${Object.entries(packages)
        .map(([name, range]) => `${name} ${range}`)
        .join(', ')}; ${upstream ?? 'no upstream report known'}`,
      `    ${advice}`,
      `    deltaproof verify --strict --scenarios ${scenarios.join(',')} --backends ${backends.join(',')}`,
    ]),
    '',
    'Savers that lie (verify --self-test):',
    ...LIAR_NAMES.map((name) => `  ${name}: ${LIARS[name].does}`),
    '',
    'Wrappers (verify --wrapper):',
    ...WRAPPER_NAMES.map((name) => `  ${name}: ${WRAPPERS[name]}`),
  ];
  return `${lines.join('\n')}\n`;
}
