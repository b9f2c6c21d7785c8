import { NO_MODULES } from '../record/own-modules.js';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemorySaver, type BaseCheckpointSaver, type CheckpointTuple } from '@langchain/langgraph-checkpoint';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SCENARIO_SCRIPTS } from '../../fixtures/scenarios/registry.js';
import type { Backend } from '../record/names.js';
import type { Cell } from '../record/scenario-cell.js';
import type { StateScenarioName } from '../record/scenarios.js';
import { playCell } from '../verify/play.js';
import type { StateScenario } from '../verify/scenario.js';
import { walkAncestors } from './delegating.js';
import { OrderedSaver, type NotProvableOrder } from './ordered.js';
import { openStore } from './saver.js';
import { openSqlite } from './sqlite.js';
import { BACKENDS_HERE, placeOf } from './store-places.support.test.js';

const CELL: Cell = { mode: 'delta', snapshot_frequency: 1000, reducer: 'plain' };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ordered-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Wrap = (saver: BaseCheckpointSaver) => BaseCheckpointSaver;

async function played(name: StateScenarioName, wrap: Wrap, backend: Backend = 'sqlite') {
  const scenario = (await SCENARIO_SCRIPTS[name]({ modules: NO_MODULES, seed: 1 })) as StateScenario;
  const [reducer = 'plain'] = name === 'agent-tools' ? (['messages_state'] as const) : [];
  const store = await openStore(backend, placeOf(backend, folder));
  try {
    const saver = wrap(store.saver);
    const { findings } = await playCell(scenario, { ...CELL, reducer }, { ...store, saver }, 1);
    return [...new Set(findings.map(({ step, signature }) => `${step}: ${signature}`))];
  } finally {
    await store.close();
  }
}

const ORDERED: Wrap = (saver) => new OrderedSaver(saver);
const RAW: Wrap = (saver) => saver;

it.each(['error-retry', 'bulk-update'] as const)(
  'gives %s back in the order in which it was applied',
  async (name) => {
    expect(await played(name, ORDERED)).toEqual([]);
  },
);

const DATABASES = BACKENDS_HERE.filter((backend) => backend !== 'memory');
const FAN_OUTS = (['fan-out-join', 'send', 'agent-tools'] as const).flatMap((name) =>
  DATABASES.map((backend) => [name, backend] as const),
);

// So many parallel tasks that the order of their ids is hardly ever the right one.
it.each(FAN_OUTS)(
  'gives %s on %s back in the order in which it was applied, where the saver alone does not',
  async (name, backend) => {
    expect(await played(name, RAW, backend)).not.toEqual([]);
    rmSync(folder, { recursive: true });
    folder = mkdtempSync(join(tmpdir(), 'ordered-'));
    expect(await played(name, ORDERED, backend)).toEqual([]);
  },
);

it('says where a run that was stored at its end has lost the order', async () => {
  const lost: NotProvableOrder[] = [];
  const found = await played('fan-out', (saver) => new OrderedSaver(saver, (order) => lost.push(order)));
  expect(found.every((finding) => finding.startsWith('exit, '))).toBe(true);
  expect(found).not.toEqual([]);
  expect(new Set(lost.map(({ threadId }) => threadId))).toEqual(new Set(['exit']));
  expect(lost[0]?.channels.get('items')).toHaveLength(6);
});

it('leaves what is stored as it was', async () => {
  await played('fan-out', ORDERED);
  const store = await openSqlite({ dir: folder, server: null });
  const saver = new OrderedSaver(store.saver);
  const config = { configurable: { thread_id: 'async', checkpoint_ns: '' } };
  const before = [...(await store.records('async'))];
  const listed: CheckpointTuple[] = [];
  for await (const tuple of saver.list(config)) listed.push(tuple);
  for (const tuple of listed) expect(await saver.getTuple(tuple.config)).toEqual(tuple);
  expect([...(await store.records('async'))]).toEqual(before);
  expect(listed.length).toBeGreaterThan(6);
  await store.close();
});

it('passes a checkpoint on that could not be serialized', async () => {
  const store = await openSqlite({ dir: folder, server: null });
  const config = { configurable: { thread_id: 't', checkpoint_ns: '', checkpoint_id: 'c' } };
  const broken = { checkpoint: '[unable to serialize]', config, pendingWrites: [['a'], ['b']] };
  Object.assign(store.saver, { getTuple: async () => broken });
  expect(await new OrderedSaver(store.saver).getTuple(config)).toBe(broken);
  await store.close();
});

it('knows an inherited walk also where the saver comes with another copy of the package', () => {
  class OtherBase {
    getDeltaChannelHistory(): Promise<object> {
      return Promise.resolve({});
    }
  }
  class Inherits extends OtherBase {}
  class HasItsOwn extends OtherBase {
    override getDeltaChannelHistory(): Promise<object> {
      return Promise.resolve({ items: { writes: [] } });
    }
  }
  const walkBefore = (saver: OtherBase): unknown =>
    Reflect.get(new OrderedSaver(saver as unknown as BaseCheckpointSaver), 'getDeltaChannelHistory');
  expect(walkBefore(new Inherits())).toBe(walkAncestors);
  expect(walkBefore(new HasItsOwn())).not.toBe(walkAncestors);
});

it('walks as the saver does: inherited where it inherits, by its own where it has one', async () => {
  const store = await openSqlite({ dir: folder, server: null });
  const walkOf = (saver: BaseCheckpointSaver): unknown => Reflect.get(saver, 'getDeltaChannelHistory');
  const ordered = new OrderedSaver(store.saver);
  expect(walkOf(ordered)).toBe(walkAncestors);
  expect(walkOf(new OrderedSaver(ordered))).toBe(walkAncestors);
  expect(walkOf(new OrderedSaver(new MemorySaver()))).not.toBe(walkAncestors);
  await store.close();
});
