import { expect, test } from 'vitest';
import { caseKey, channelsCaseSchema, cellKey, describeCase, type ChannelsCase } from './case.js';
import { BACKENDS, PAYLOAD_ENTROPIES, WORKLOADS } from './names.js';

const CASE: ChannelsCase = {
  bench: 'channels',
  workload: 'append',
  pipeline_nodes: null,
  backend: 'sqlite',
  mode: 'full',
  updates: 25,
  payload_bytes: 256,
  payload_entropy: 'words',
  snapshot_frequency: null,
  repetition: 1,
  seed: 42,
};

/** A small matrix in every parameter of a case, with numbers whose digits could run together. */
function matrix(): ChannelsCase[] {
  const workloads = WORKLOADS.flatMap((workload) =>
    (workload === 'pipeline' ? [1, 11] : [null]).map((pipeline_nodes) => ({ workload, pipeline_nodes })),
  );
  const cells = workloads.flatMap((workload) =>
    BACKENDS.flatMap((backend) =>
      [1, 11].flatMap((updates) =>
        [1, 11].flatMap((payload_bytes) =>
          PAYLOAD_ENTROPIES.flatMap((payload_entropy) =>
            [1, 11].map((seed): ChannelsCase => ({
              ...CASE,
              ...workload,
              backend,
              updates,
              payload_bytes,
              payload_entropy,
              seed,
            })),
          ),
        ),
      ),
    ),
  );
  const delta = [1, 11].flatMap((snapshot_frequency) =>
    [{}, { history_cache: 'memory' as const }, { history_cache: 'direct' as const }].map((cache) => ({
      mode: 'delta' as const,
      snapshot_frequency,
      ...cache,
    })),
  );
  const settings = [{ mode: 'full' as const, snapshot_frequency: null }, ...delta].flatMap((setting) =>
    [1, 11].map((repetition) => ({ ...setting, repetition })),
  );
  return cells.flatMap((cell) => settings.map((setting) => ({ ...cell, ...setting })));
}

const CASES = matrix();

test('the matrix is made of valid cases, and varies every parameter that can vary', () => {
  expect(CASES.filter((c) => !channelsCaseSchema.safeParse(c).success)).toEqual([]);
  const parameters = Object.keys(channelsCaseSchema.shape) as (keyof ChannelsCase)[];
  const ofUsers = ['custom_graph', 'custom_saver'];
  const fixed = parameters.filter((name) => new Set(CASES.map((c) => c[name])).size === 1);
  expect(fixed).toEqual(['bench', ...ofUsers]);
  expect(CASES).toHaveLength(7 * 3 * 2 * 2 * 3 * 2 * 14);
});

test('no two cases have the same key', () => {
  expect(new Set(CASES.map(caseKey)).size).toBe(CASES.length);
});

test('no two cases have the same key as a file name', () => {
  const names = CASES.map((c) => caseKey(c).replaceAll('/', '_'));

  expect(new Set(names).size).toBe(CASES.length);
  expect(names.filter((name) => !/^[a-z0-9_-]+$/.test(name))).toEqual([]);
});

test('two cases are in one cell exactly when they differ in nothing but mode, what delta has and repetition', () => {
  const withoutKey = (c: ChannelsCase) =>
    JSON.stringify({ ...c, mode: null, snapshot_frequency: null, history_cache: null, repetition: null });
  const keys = new Set(CASES.map(cellKey));
  const rests = new Set(CASES.map(withoutKey));
  const both = new Set(CASES.map((c) => `${cellKey(c)} ${withoutKey(c)}`));

  // One to one: neither key nor rest has two partners.
  expect([keys.size, rests.size]).toEqual([both.size, both.size]);
});

test('keys read as the parameters they stand for', () => {
  const full: ChannelsCase = { ...CASE, repetition: 2 };
  const delta: ChannelsCase = { ...CASE, mode: 'delta', snapshot_frequency: 10 };

  expect(cellKey(full)).toBe('channels/append/sqlite/n25/p256/words/s42');
  expect(caseKey(full)).toBe('channels/append/sqlite/n25/p256/words/s42/full/r2');
  expect(caseKey(delta)).toBe('channels/append/sqlite/n25/p256/words/s42/delta-k10/r1');
});

test('a case is described in the words of progress lines', () => {
  expect(describeCase(CASE)).toBe('sqlite append N=25 p=256 full repetition 1');
  expect(describeCase({ ...CASE, mode: 'delta', snapshot_frequency: 10, repetition: 3 })).toBe(
    'sqlite append N=25 p=256 delta K=10 repetition 3',
  );
});

test.each([
  ['no update', { updates: 0 }],
  ['no payload', { payload_bytes: 0 }],
  ['a cadence of zero', { mode: 'delta', snapshot_frequency: 0 }],
  ['a repetition of zero', { repetition: 0 }],
  ['a negative seed', { seed: -1 }],
  ['half an update', { updates: 1.5 }],
  ['a cadence in full mode', { snapshot_frequency: 10 }],
  ['no cadence in delta mode', { mode: 'delta' }],
] as const)('a case with %s is refused', (_, change) => {
  expect(channelsCaseSchema.safeParse({ ...CASE, ...change }).success).toBe(false);
});

test('a saver and a graph of the user are in the key, and are there exactly where the names say custom', () => {
  const own: ChannelsCase = {
    ...CASE,
    backend: 'custom',
    custom_saver: { name: 'files', persistent: true },
    workload: 'custom',
    custom_graph: { name: 'my-agent' },
  };
  expect(channelsCaseSchema.safeParse(own).success).toBe(true);
  expect(cellKey(own)).toBe('channels/custom-my-agent/custom-files/n25/p256/words/s42');
  expect(channelsCaseSchema.safeParse({ ...own, backend: 'memory' }).success).toBe(false);
  expect(channelsCaseSchema.safeParse({ ...own, workload: 'append' }).success).toBe(false);
  expect(channelsCaseSchema.safeParse({ ...CASE, backend: 'custom' }).success).toBe(false);
  expect(channelsCaseSchema.safeParse({ ...CASE, workload: 'custom' }).success).toBe(false);
});
