// All scenarios of `deltaproof verify` as data: what each shows, and in which cells. A test pins the tables to the files in
// `fixtures/scenarios`.

import { CHECK_SCENARIOS } from './check-scenarios.js';
import { CRASH_SCENARIOS } from './crash-scenarios.js';
import { GENERATED_SCENARIOS } from './generated-scenarios.js';
import { ALL_BACKENDS } from './names.js';
import type { ScenarioFacts } from './scenario-facts.js';
import { OWN_SCENARIOS } from './own-scenarios.js';
import { STATE_SCENARIOS } from './state-scenarios.js';

export type StateScenarioName = keyof typeof STATE_SCENARIOS;
export type GeneratedScenarioName = keyof typeof GENERATED_SCENARIOS;
export type CrashScenarioName = keyof typeof CRASH_SCENARIOS;
export type CheckScenarioName = keyof typeof CHECK_SCENARIOS;
export type OwnScenarioName = keyof typeof OWN_SCENARIOS;
export type ScenarioName =
  | StateScenarioName
  | GeneratedScenarioName
  | CrashScenarioName
  | CheckScenarioName
  | OwnScenarioName;

export interface ScenarioEntry extends Required<Omit<ScenarioFacts, 'cadences'>> {
  readonly name: ScenarioName;
  /** Null: those of the run. */
  readonly cadences: readonly number[] | null;
}

const FACTS: Readonly<Record<ScenarioName, ScenarioFacts>> = {
  ...STATE_SCENARIOS,
  ...GENERATED_SCENARIOS,
  ...CRASH_SCENARIOS,
  ...CHECK_SCENARIOS,
  ...OWN_SCENARIOS,
};

/** Whether it needs a graph of the user's own. */
export function isOwnScenario(name: ScenarioName): boolean {
  return Object.hasOwn(OWN_SCENARIOS, name);
}

export const SCENARIO_NAMES = Object.keys(FACTS) as [ScenarioName, ...ScenarioName[]];
export const SCENARIOS: readonly ScenarioEntry[] = SCENARIO_NAMES.map((name) => {
  const {
    reducers = ['plain'],
    cadences,
    quick = true,
    packages = [],
    backends = ALL_BACKENDS,
    ...facts
  } = FACTS[name];
  return { name, reducers, cadences: cadences ?? null, quick, packages, backends, ...facts };
});
