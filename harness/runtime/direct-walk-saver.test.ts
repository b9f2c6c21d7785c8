import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemorySaver } from '@langchain/langgraph-checkpoint';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  checkpointId,
  checkpointOf,
  configOf,
  metadataOf,
  taskId,
} from '../../fixtures/scenarios/rows-by-hand.js';
import { SCENARIO_SCRIPTS } from '../../fixtures/scenarios/registry.js';
import { NO_MODULES } from '../record/own-modules.js';
import type { StateScenarioName } from '../record/scenarios.js';
import { OrderedSaver } from '../savers/ordered.js';
import { openStore, type OpenStore } from '../savers/saver.js';
import { databaseOf } from '../savers/saver-database.js';
import { BACKENDS_HERE, placeOf } from '../savers/store-places.support.test.js';
import { playCell } from '../verify/play.js';
import type { StateScenario } from '../verify/scenario.js';
import { DirectWalkSaver } from './direct-walk-saver.js';
import {
  CheckpointAncestorMissingError,
  CheckpointLineageIntegrityError,
  CheckpointNotFoundError,
} from './errors.js';
import { DELTA, inThread, notesGraph } from './runtime.support.test.js';

const DATABASES = BACKENDS_HERE.filter((backend) => backend !== 'memory');

it('is for savers on a database that it knows', () => {
  expect(() => new DirectWalkSaver(new MemorySaver())).toThrow(RangeError);
});

describe.each(DATABASES)('on %s', (backend) => {
  let folder: string;
  let store: OpenStore;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'deltaproof-test-'));
    store = await openStore(backend, placeOf(backend, folder));
  });
  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });

  async function turns(count: number, snapshotFrequency = 1000): Promise<void> {
    const graph = notesGraph({ mode: 'delta', snapshotFrequency, saver: store.saver });
    for (let turn = 0; turn < count; turn += 1) {
      await graph.invoke(
        { items: [`turn ${turn}`], ...(turn % 2 === 0 ? { files: { [turn]: 1 } } : {}) },
        inThread(),
      );
    }
  }

  const CHANNELS = ['items', 'files', 'nobody'];

  /** Compares the histories of all checkpoints with those of the ordered saver, which loads each ancestor. */
  async function expectSameHistories(thread: string): Promise<number> {
    const direct = new DirectWalkSaver(store.saver);
    let compared = 0;
    for await (const { config } of store.saver.list({ configurable: { thread_id: thread } })) {
      const asked = { config, channels: CHANNELS };
      expect(await direct.getDeltaChannelHistory(asked)).toEqual(
        await new OrderedSaver(store.saver).getDeltaChannelHistory(asked),
      );
      compared += 1;
    }
    return compared;
  }

  it.each([1, 3, 1000])(
    'reads what a walk over the ancestors reads, with a snapshot every %i updates',
    async (k) => {
      await turns(5, k);
      expect(await expectSameHistories('t')).toBe(15);
    },
  );

  it.each([
    'fan-out-join',
    'send',
    'subgraph',
    'overwrite',
    'fork-update',
    'durability',
    'migrate-to-delta',
  ] as const)(
    'reads the threads of %s as a walk over the ancestors does',
    async (name: StateScenarioName) => {
      const scenario = (await SCENARIO_SCRIPTS[name]({ modules: NO_MODULES, seed: 1 })) as StateScenario;
      const cell = { mode: 'delta', snapshot_frequency: 3, reducer: 'plain' } as const;
      const { steps } = await playCell(scenario, cell, store, 1);
      let compared = 0;
      for (const thread of new Set(steps.map(({ threadId }) => threadId)))
        compared += await expectSameHistories(thread);
      expect(compared).toBeGreaterThan(3);
    },
  );

  it('asks at most three statements, however long the chain is', async () => {
    await turns(6);
    const statements: string[] = [];
    const database = databaseOf(store.saver);
    if (database === null) throw new Error('There is no database.');
    if (database.kind === 'sqlite') {
      const prepare = database.db.prepare.bind(database.db);
      Object.assign(database.db, { prepare: (sql: string) => (statements.push(sql), prepare(sql)) });
    } else {
      const query = database.pool.query.bind(database.pool) as (...all: unknown[]) => unknown;
      Object.assign(database.pool, {
        query: (...all: unknown[]) => (statements.push(String(all[0])), query(...all)),
      });
    }
    const config = (await store.saver.getTuple(inThread()))?.config ?? {};
    statements.length = 0;
    const direct = new DirectWalkSaver(store.saver);
    const { items } = await direct.getDeltaChannelHistory({ config, channels: ['items', 'files'] });
    expect(items?.writes).toHaveLength(12);
    // No snapshot and no fan-out: nothing is left to ask.
    expect(statements).toHaveLength(2);
    await turns(3, 3);
    const later = (await store.saver.getTuple(inThread()))?.config ?? {};
    statements.length = 0;
    await direct.getDeltaChannelHistory({ config: later, channels: ['items', 'files'] });
    expect(statements).toHaveLength(3);
  });

  it('reads more channels than one question has room for', async () => {
    await turns(2);
    const channels = [...Array.from({ length: 130 }, (_, index) => `channel ${index}`), 'items'];
    const histories = await new DirectWalkSaver(store.saver).getDeltaChannelHistory({
      config: inThread(),
      channels,
    });
    expect(Object.keys(histories)).toEqual(channels);
    expect(histories['items']?.writes).toHaveLength(4);
    expect(
      await new DirectWalkSaver(store.saver).getDeltaChannelHistory({ config: inThread(), channels: [] }),
    ).toEqual({});
  });

  it('makes a missing ancestor an error, and one behind the snapshot none', async () => {
    await turns(4, 3);
    const ids: string[] = [];
    for await (const { checkpoint } of store.saver.list(inThread())) ids.push(checkpoint.id);
    const direct = new DirectWalkSaver(store.saver);
    const read = () => direct.getDeltaChannelHistory({ config: inThread(), channels: ['items'] });
    const whole = await read();
    await store.rows.deleteCheckpoints('t', ids.slice(-2));
    expect(await read()).toEqual(whole);
    await store.rows.deleteCheckpoints('t', ids.slice(1, 2));
    await expect(read()).rejects.toThrow(CheckpointAncestorMissingError);
    await expect(read()).rejects.toMatchObject({ missing: ids[1] });
    const state = notesGraph({ ...DELTA, saver: direct }).getState(inThread());
    await expect(state).rejects.toThrow(CheckpointAncestorMissingError);
  });

  it('says so where there is no such checkpoint', async () => {
    const direct = new DirectWalkSaver(store.saver);
    const read = (id?: string) =>
      direct.getDeltaChannelHistory({ config: inThread('t', id), channels: ['items'] });
    await expect(read()).rejects.toThrow(CheckpointNotFoundError);
    await expect(read('nobody')).rejects.toThrow(CheckpointNotFoundError);
  });

  it('ends at a circle', async () => {
    const put = (ordinal: number, parent: number) =>
      store.saver.put(
        configOf(checkpointId(parent)),
        checkpointOf(checkpointId(ordinal)),
        metadataOf(ordinal),
        {},
      );
    await put(1, 3);
    await put(2, 1);
    await put(3, 2);
    await store.saver.putWrites(configOf(checkpointId(2)), [['items', ['x']]], taskId(1));
    const read = new DirectWalkSaver(store.saver).getDeltaChannelHistory({
      config: configOf(null),
      channels: ['items'],
    });
    await expect(read).rejects.toThrow(CheckpointLineageIntegrityError);
    await expect(read).rejects.toMatchObject({ fault: 'cycle' });
  });

  it('reads channels and threads of whatever name', async () => {
    const names = ['a"b', "a'b", '$.x', 'ü"\\', '*'];
    for (const [index, thread] of names.entries()) {
      const at = (ordinal: number | null) =>
        configOf(ordinal === null ? null : checkpointId(ordinal), { thread });
      const values = { [names[index] ?? '']: ['seed'] };
      await store.saver.put(at(null), checkpointOf(checkpointId(1), values), metadataOf(0), {
        [names[index] ?? '']: 1,
      });
      await store.saver.putWrites(at(1), [[thread, ['more']]], taskId(1));
      await store.saver.put(at(1), checkpointOf(checkpointId(2)), metadataOf(1), {});
      const direct = new DirectWalkSaver(store.saver);
      expect(await direct.getDeltaChannelHistory({ config: at(2), channels: names })).toMatchObject({
        [thread]: { seed: ['seed'], writes: [[taskId(1), thread, ['more']]] },
      });
    }
  });
});
