import { describe, expect, it } from 'vitest';
import { caseKey, settingName } from '../../harness/record/case.js';
import { buildServicePlan, type ServiceMatrixOptions } from './matrix.js';

const OPTIONS: ServiceMatrixOptions = {
  modes: ['full', 'delta'],
  backends: ['sqlite'],
  workloads: ['agent'],
  turns: [10, 50],
  payloadBytes: [128],
  payloadEntropy: 'words',
  snapshotFrequencies: [10, 50],
  historyCaches: ['off', 'memory'],
  repetitions: 2,
  seed: 1,
  durationCheckpoints: true,
  transport: 'in-process',
  historyLimits: [10, 100],
  readRepetitions: 25,
  assistants: 1,
  accessorGraphMax: 64,
  load: null,
  maxEstimatedFullBytes: null,
};

function orderOf(options: ServiceMatrixOptions): string[] {
  return buildServicePlan(options).cases.map(
    ({ case: c }) => `${c.repetition} turns=${c.updates} ${settingName(c) || 'full'}`,
  );
}

describe('the order', () => {
  it('has repetitions outermost; the mode that is first flips, the settings of delta rotate', () => {
    expect(orderOf(OPTIONS)).toEqual([
      '1 turns=10 full',
      '1 turns=10 K=10',
      '1 turns=10 K=10 memory',
      '1 turns=10 K=50',
      '1 turns=10 K=50 memory',
      '1 turns=50 K=10',
      '1 turns=50 K=10 memory',
      '1 turns=50 K=50',
      '1 turns=50 K=50 memory',
      '1 turns=50 full',
      '2 turns=10 K=10 memory',
      '2 turns=10 K=50',
      '2 turns=10 K=50 memory',
      '2 turns=10 K=10',
      '2 turns=10 full',
      '2 turns=50 full',
      '2 turns=50 K=10 memory',
      '2 turns=50 K=50',
      '2 turns=50 K=50 memory',
      '2 turns=50 K=10',
    ]);
  });

  it('leaves a direct walk out on memory', () => {
    const plan = buildServicePlan({ ...OPTIONS, backends: ['memory'], historyCaches: ['off', 'direct'] });
    expect(plan.cases.some(({ case: c }) => c.history_cache === 'direct')).toBe(false);
  });
});

it('names every case once', () => {
  const keys = buildServicePlan({
    ...OPTIONS,
    backends: ['memory', 'sqlite', 'postgres'],
    workloads: ['agent', 'coding-session'],
    payloadBytes: [80, 128],
    historyCaches: ['off', 'memory', 'redis', 'direct'],
  }).cases.map(({ case: c }) => caseKey(c));
  expect(new Set(keys).size).toBe(keys.length);
});

it('leaves cells out whose full mode would hold too much, and keeps them for delta alone', () => {
  const options = { ...OPTIONS, turns: [10, 500], maxEstimatedFullBytes: 1 << 28 };
  const { cases, skipped } = buildServicePlan(options);
  expect(new Set(cases.map(({ case: c }) => c.updates))).toEqual(new Set([10]));
  expect(skipped).toMatchObject([{ cases: 10 }]);
  expect(buildServicePlan({ ...options, modes: ['delta'] }).skipped).toEqual([]);
});

it('refuses a plan that would run for years', () => {
  expect(() => buildServicePlan({ ...OPTIONS, repetitions: 50_000 })).toThrow(/has 500000 cases/);
});
