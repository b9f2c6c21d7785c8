import { describe, expect, it } from 'vitest';
import { caseKey, cellKey, type ChannelsCase } from '../../harness/record/case.js';
import { buildPlan, type MatrixOptions } from './matrix.js';

const OPTIONS: MatrixOptions = {
  modes: ['full', 'delta'],
  backends: ['memory', 'sqlite'],
  workloads: ['append'],
  pipelineNodes: [4],
  updates: [10, 20],
  payloadBytes: [128],
  payloadEntropy: 'words',
  snapshotFrequencies: [5, 10, 50],
  historyCaches: ['off'],
  repetitions: 4,
  ownSaver: null,
  ownGraph: null,
  seed: 7,
  maxEstimatedFullBytes: 1 << 30,
};

function casesOf(options: Partial<MatrixOptions>): ChannelsCase[] {
  return buildPlan({ ...OPTIONS, ...options }).cases.map((planned) => planned.case);
}

/** The cases of each cell in each repetition, in the order they run. */
function groupsOf(cases: readonly ChannelsCase[]): Map<string, ChannelsCase[][]> {
  const groups = new Map<string, ChannelsCase[][]>();
  for (const c of cases) {
    const repetitions = groups.get(cellKey(c)) ?? [];
    repetitions[c.repetition - 1] = [...(repetitions[c.repetition - 1] ?? []), c];
    groups.set(cellKey(c), repetitions);
  }
  return groups;
}

describe('the plan', () => {
  it('runs full once per cell and repetition, and every cadence beside it', () => {
    const cases = casesOf({});
    expect(cases).toHaveLength(2 * 2 * 4 * (1 + 3));
    expect(new Set(cases.map(caseKey)).size).toBe(cases.length);
    for (const repetitions of groupsOf(cases).values()) {
      for (const group of repetitions) {
        expect(group.filter((c) => c.mode === 'full')).toHaveLength(1);
        expect(group.map((c) => c.snapshot_frequency).toSorted((a, b) => (a ?? 0) - (b ?? 0))).toEqual([
          null,
          5,
          10,
          50,
        ]);
      }
    }
  });

  it('runs every cadence with every history cache beside one full case', () => {
    const cases = casesOf({
      backends: ['sqlite'],
      updates: [10],
      historyCaches: ['off', 'memory', 'direct'],
    });
    expect(cases).toHaveLength(4 * (1 + 3 * 3));
    expect(new Set(cases.map(caseKey)).size).toBe(cases.length);
    expect(new Set(cases.map(cellKey)).size).toBe(1);
    const settings = cases.slice(0, 10).map((c) => [c.mode, c.snapshot_frequency, c.history_cache ?? 'off']);
    expect(settings).toEqual([
      ['full', null, 'off'],
      ...[5, 10, 50].flatMap((k) => ['off', 'memory', 'direct'].map((cache) => ['delta', k, cache])),
    ]);
  });

  it('walks directly only where there are tables', () => {
    const cases = casesOf({ historyCaches: ['direct'] });
    expect(cases.filter((c) => c.mode === 'delta').map((c) => c.backend)).toEqual(
      Array.from({ length: 2 * 4 * 3 }, () => 'sqlite'),
    );
  });

  it('expects a remembered history to save most of the walk', () => {
    const plan = buildPlan({ ...OPTIONS, updates: [500], historyCaches: ['off', 'memory'] }).cases;
    const [off, memory] = ['off', 'memory'].map((cache) =>
      plan.find(({ case: c }) => c.snapshot_frequency === 50 && (c.history_cache ?? 'off') === cache),
    );
    expect(memory?.expectedMs).toBeLessThan(off?.expectedMs ?? 0);
  });

  it.each([
    ['an odd number of groups', { updates: [10], backends: ['memory'] }],
    ['an even number of groups', {}],
  ] as [string, Partial<MatrixOptions>][])(
    'flips the mode that runs first from repetition to repetition, with %s',
    (_, options) => {
      for (const repetitions of groupsOf(casesOf(options)).values()) {
        const first = repetitions.map((group) => group[0]?.mode);
        expect(first).toEqual(
          first[0] === 'full' ? ['full', 'delta', 'full', 'delta'] : ['delta', 'full', 'delta', 'full'],
        );
      }
    },
  );

  it('keeps the full case first or last in its group, never between cadences', () => {
    for (const repetitions of groupsOf(casesOf({})).values()) {
      for (const group of repetitions) {
        expect([0, group.length - 1]).toContain(group.findIndex((c) => c.mode === 'full'));
      }
    }
  });

  it('rotates the cadences, so that each takes every position', () => {
    for (const repetitions of groupsOf(casesOf({})).values()) {
      const orders = repetitions.map((group) =>
        group.filter((c) => c.mode === 'delta').map((c) => c.snapshot_frequency),
      );
      expect(orders).toEqual([
        [5, 10, 50],
        [10, 50, 5],
        [50, 5, 10],
        [5, 10, 50],
      ]);
    }
  });

  it('finishes one repetition of every cell before the next', () => {
    const repetitions = casesOf({}).map((c) => c.repetition);
    expect(repetitions).toEqual(repetitions.toSorted((a, b) => a - b));
  });

  it('gives every repetition the same seed', () => {
    expect(new Set(casesOf({}).map((c) => c.seed))).toEqual(new Set([7]));
  });

  it('runs one mode alone', () => {
    expect(new Set(casesOf({ modes: ['full'] }).map((c) => c.mode))).toEqual(new Set(['full']));
    expect(casesOf({ modes: ['delta'] })).toHaveLength(2 * 2 * 4 * 3);
  });
});

describe('the size guard', () => {
  const LARGE = { updates: [10, 3000], payloadBytes: [128] };

  it('skips a cell whole, with every cadence and repetition, and says what it would hold', () => {
    const plan = buildPlan({ ...OPTIONS, ...LARGE });
    expect(new Set(plan.cases.map((planned) => planned.case.updates))).toEqual(new Set([10]));
    expect(plan.skipped.map(({ cell, cases }) => [cell, cases])).toEqual([
      ['channels/append/memory/n3000/p128/words/s7', 16],
      ['channels/append/sqlite/n3000/p128/words/s7', 16],
    ]);
    // (m+1)(3 N^2 + N)/2 alone, with m = 325.5 and N = 3000
    expect(plan.skipped[0]?.estimatedFullBytes).toBeGreaterThan((326.5 * (3 * 9e6 + 3000)) / 2);
  });

  it('is lifted by a limit that is absent, and passes a run of delta alone', () => {
    expect(buildPlan({ ...OPTIONS, ...LARGE, maxEstimatedFullBytes: null }).skipped).toEqual([]);
    expect(buildPlan({ ...OPTIONS, ...LARGE, modes: ['delta'] }).skipped).toEqual([]);
    expect(buildPlan({ ...OPTIONS, ...LARGE, modes: ['full'] }).skipped).toHaveLength(2);
  });

  it('takes the limit as the largest size that still runs', () => {
    const size = buildPlan({ ...OPTIONS, maxEstimatedFullBytes: 1 }).skipped[0]?.estimatedFullBytes ?? 0;
    const cell = { ...OPTIONS, updates: [10], backends: ['memory'] as const };
    expect(buildPlan({ ...cell, maxEstimatedFullBytes: size + 1 }).skipped).toEqual([]);
    expect(buildPlan({ ...cell, maxEstimatedFullBytes: size - 1 }).skipped).toHaveLength(1);
  });
});

describe('the forecast', () => {
  it('counts disk for SQLite only, and more of it for full than for delta', () => {
    const plan = buildPlan({ ...OPTIONS, updates: [500], snapshotFrequencies: [100], repetitions: 1 });
    const disk = (backend: string, mode: string) =>
      plan.cases.find((planned) => planned.case.backend === backend && planned.case.mode === mode)
        ?.expectedDiskBytes;
    expect(disk('memory', 'full')).toBe(0);
    expect(disk('sqlite', 'full')).toBeGreaterThan(50 * ((disk('sqlite', 'delta') ?? 0) - 2 * (4 << 20)));
  });
});
