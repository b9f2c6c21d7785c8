// From a request to its report: each kind of scenario is worked on in its own way, backend by backend.

import { SCENARIO_SCRIPTS } from '../../fixtures/scenarios/registry.js';
import {
  scenarioKey,
  scenarioRequestSchema,
  type ScenarioReport,
} from '../../harness/process/verify-messages.js';
import type { Cell } from '../../harness/record/scenario-cell.js';
import { askSaver } from '../../harness/verify/ask.js';
import type { CheckScenario, Scenario } from '../../harness/verify/scenario.js';
import { Bench, reportOf, type BackendReport } from './bench.js';
import { lookAtCrashes, startWriters } from './crashes.js';
import { generateHistories } from './histories.js';
import { playStates, rereadStates } from './states.js';

/** @throws ZodError when the request is not one. */
export async function answer(received: unknown): Promise<ScenarioReport> {
  const request = scenarioRequestSchema.parse(received);
  const scenario = await SCENARIO_SCRIPTS[request.scenario](request);
  const backends: BackendReport[] = [];
  for (const { backend, cells } of request.backends) {
    backends.push(await report(scenario, cells, await Bench.of(request, backend)));
  }
  return { kind: 'report', case_key: scenarioKey(request), role: request.role, backends };
}

function report(scenario: Scenario, cells: readonly Cell[], bench: Bench): Promise<BackendReport> {
  const isWriter = bench.request.role === 'write';
  switch (scenario.kind) {
    case 'state':
      return isWriter ? playStates(scenario, cells, bench) : rereadStates(scenario, cells, bench);
    case 'generated':
      return generateHistories(scenario, cells, bench);
    case 'crash':
      return isWriter ? startWriters(scenario, cells, bench) : lookAtCrashes(scenario, cells, bench);
    case 'contract':
    case 'cost':
      return ask(scenario, bench);
  }
}

async function ask(scenario: CheckScenario, bench: Bench): Promise<BackendReport> {
  const store = await bench.open('check');
  try {
    const asked = await askSaver(scenario, store, {
      backend: bench.backend,
      ...bench.request,
      saverModule: bench.request.modules.saver,
      wrapper: { name: bench.request.wrapper, redisUrl: bench.request.redis_url },
    });
    return reportOf(bench, [{ cell: null, outcomes: [asked] }]);
  } finally {
    await store.close();
  }
}
