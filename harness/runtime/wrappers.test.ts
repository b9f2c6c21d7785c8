import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { SCENARIO_SCRIPTS } from '../../fixtures/scenarios/registry.js';
import type { Backend } from '../record/names.js';
import { NO_MODULES } from '../record/own-modules.js';
import type { Cell } from '../record/scenario-cell.js';
import type { StateScenarioName } from '../record/scenarios.js';
import { WRAPPER_NAMES, wrapsBackend, type WrapperName } from '../record/wrappers.js';
import { openStore } from '../savers/saver.js';
import { BACKENDS_HERE, placeOf } from '../savers/store-places.support.test.js';
import { playCell } from '../verify/play.js';
import type { StateScenario } from '../verify/scenario.js';
import { NO_REDIS, RedisServer } from './redis.support.test.js';
import { WRAPPER_OPENERS, type Wrap } from './wrappers.js';

let folder: string;
let redis: RedisServer | null = null;
beforeAll(async () => {
  if (NO_REDIS === null) redis = await RedisServer.start();
});
afterAll(() => redis?.kill());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deltaproof-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const opened = (name: WrapperName): Promise<Wrap> => WRAPPER_OPENERS[name]({ redisUrl: redis?.url ?? null });
const HERE = WRAPPER_NAMES.filter((name) => name !== 'redis-history-cache' || NO_REDIS === null);
if (NO_REDIS !== null) it.skip(NO_REDIS, () => {});

it('has every wrapper by name', async () => {
  expect(Object.keys(WRAPPER_OPENERS)).toEqual([...WRAPPER_NAMES]);
  const store = await openStore('sqlite', placeOf('sqlite', folder));
  const classes: Record<WrapperName, string> = {
    ordered: 'OrderedSaver',
    'unique-versions': 'UniqueVersionsSaver',
    'history-cache': 'CachedHistorySaver',
    'redis-history-cache': 'CachedHistorySaver',
    'direct-walk': 'DirectWalkSaver',
    'cached-direct-walk': 'CachedHistorySaver',
  };
  for (const name of HERE) expect((await opened(name))(store.saver).constructor.name).toBe(classes[name]);
  await store.close();
});

it('stands on every backend, but for the walk that needs tables', () => {
  const left = WRAPPER_NAMES.flatMap((name) =>
    (['memory', 'sqlite', 'postgres', 'custom'] as const)
      .filter((backend) => !wrapsBackend(name, backend))
      .map((backend) => `${name} ${backend}`),
  );
  expect(left).toEqual([
    'direct-walk memory',
    'direct-walk custom',
    'cached-direct-walk memory',
    'cached-direct-walk custom',
  ]);
});

it.each([
  [null, 'No Redis server is named'],
  ['redis://127.0.0.1:1', 'does not answer'],
])('proves nothing with a server that is %s', async (redisUrl, problem) => {
  await expect(WRAPPER_OPENERS['redis-history-cache']({ redisUrl })).rejects.toThrow(problem);
});

async function played(name: StateScenarioName, wrap: Wrap, backend: Backend, cell: Partial<Cell> = {}) {
  const scenario = (await SCENARIO_SCRIPTS[name]({ modules: NO_MODULES, seed: 1 })) as StateScenario;
  const store = await openStore(backend, placeOf(backend, folder));
  const between = (saver: BaseCheckpointSaver) => wrap(saver);
  try {
    const stage = {
      ...store,
      saver: between(store.saver),
      second: () => ({ saver: between(store.second().saver) }),
    };
    const all: Cell = { mode: 'delta', snapshot_frequency: 1000, reducer: 'plain', ...cell };
    const { findings } = await playCell(scenario, all, stage, 1);
    return [...new Set(findings.map(({ step, signature }) => `${step}: ${signature}`))];
  } finally {
    await store.close();
  }
}

const CURING = HERE.filter((name) => /cache|walk/.test(name));
const PRUNED = CURING.flatMap((name) =>
  BACKENDS_HERE.filter((backend) => wrapsBackend(name, backend)).map((backend) => [name, backend] as const),
);

it.each(PRUNED)('makes a chain that retention has cut an error, with %s on %s', async (name, backend) => {
  const wrap = await opened(name);
  expect(await played('keep-newest', wrap, backend)).toEqual([]);
  expect(await played('keep-newest', (saver) => saver, backend)).not.toEqual([]);
});
