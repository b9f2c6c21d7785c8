import { expect, it } from 'vitest';
import { BACKENDS } from '../../harness/record/names.js';
import { isOwnScenario, SCENARIOS, SCENARIO_NAMES } from '../../harness/record/scenarios.js';
import { cellName } from '../../harness/record/scenario-cell.js';
import { buildVerifyPlan, type VerifyOptions } from './matrix.js';

function plan(options: Partial<VerifyOptions>) {
  return buildVerifyPlan({
    scenarios: SCENARIO_NAMES,
    backends: ['memory', 'sqlite'],
    snapshotFrequencies: [3],
    seeds: [1],
    quick: false,
    liar: null,
    wrapper: null,
    ownSaver: null,
    ownGraph: null,
    histories: 1,
    kills: 1,
    ...options,
  });
}

function cellsOf(options: Partial<VerifyOptions>) {
  return plan(options).map(({ scenario, backends }) => [
    scenario,
    ...(backends[0]?.cells ?? []).map(cellName),
  ]);
}

it('runs a list in full once and in delta at every cadence', () => {
  expect(cellsOf({ scenarios: ['linear'], snapshotFrequencies: [1, 3] })).toEqual([
    ['linear', 'full', 'delta K=1', 'delta K=3'],
  ]);
});

it('runs messages in delta with the reducer of full mode and with that of delta mode', () => {
  expect(cellsOf({ scenarios: ['regenerate'] })).toEqual([
    ['regenerate', 'full messages_state', 'delta K=3 messages_state', 'delta K=3 messages_delta'],
  ]);
});

it('keeps the own cadences of a scenario', () => {
  expect(cellsOf({ scenarios: ['long-chain'] })).toEqual([
    ['long-chain', 'full', 'delta K=10', 'delta K=5000'],
  ]);
});

it('leaves scenarios and the fresh process out when quick', () => {
  expect(plan({ scenarios: ['linear', 'long-chain'], quick: true })).toMatchObject([
    { scenario: 'linear', freshProcess: false },
  ]);
  expect(plan({ scenarios: ['linear'] })).toMatchObject([{ freshProcess: true }]);
});

it('gives a check scenario no cells', () => {
  expect(cellsOf({ scenarios: ['write-order'] })).toEqual([['write-order']]);
});

it('leaves out what says nothing on these backends', () => {
  expect(plan({ scenarios: ['reducers'], backends: ['sqlite'] })).toEqual([]);
  expect(plan({ scenarios: ['reducers'] })[0]?.backends).toEqual([{ backend: 'memory', cells: [] }]);
});

it('runs everything once with each seed, in the order of the table', () => {
  const backends = [...BACKENDS];
  const scenarios = plan({ seeds: [1, 2], backends }).map(({ seed, scenario }) => [seed, scenario]);
  const names = SCENARIOS.map(({ name }) => name).filter((name) => !isOwnScenario(name));
  expect(scenarios).toEqual([1, 2].flatMap((seed) => names.map((name) => [seed, name])));
});

it("runs the scenarios of a graph of one's own where there is one, and no others", () => {
  const ownGraph = { name: 'mine' };
  expect(plan({ ownGraph }).map(({ scenario, custom_graph: graph }) => [scenario, graph])).toEqual([
    ['own-graph', ownGraph],
    ['own-reducers', ownGraph],
  ]);
});

it("changes no rows behind a saver of one's own", () => {
  const ownSaver = { name: 'mine', persistent: true };
  const names = plan({ backends: ['custom'], ownSaver }).map(({ scenario }) => scenario);
  for (const name of ['keep-latest', 'copy-delete-reuse', 'missing-ancestor', 'killed-anywhere'] as const)
    expect(names).not.toContain(name);
  expect(names).toContain('histories');
});
