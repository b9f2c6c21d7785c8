import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemorySaver, type BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqlite } from '../../savers/sqlite.js';
import { SCENARIO_SCRIPTS } from '../../../fixtures/scenarios/registry.js';
import { NO_MODULES } from '../../record/own-modules.js';
import type { OpenStore } from '../../savers/saver.js';
import { playCell } from '../../verify/play.js';
import type { StateScenario } from '../../verify/scenario.js';
import { DirectWalkSaver } from '../direct-walk-saver.js';
import {
  CheckpointAncestorMissingError,
  CheckpointLineageIntegrityError,
  CheckpointNotFoundError,
} from '../errors.js';
import { DELTA, inThread, notesGraph } from '../runtime.support.test.js';
import { CachedHistorySaver, type CachedHistoryOptions } from './cached-history-saver.js';
import { MemoryHistoryCache, type MemoryCacheOptions } from './memory-history-cache.js';

let folder: string;
let store: OpenStore;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'deltaproof-test-'));
  store = await openSqlite({ dir: folder, server: null });
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

function cachedOn(
  saver: BaseCheckpointSaver,
  limits: MemoryCacheOptions = {},
  more: Partial<CachedHistoryOptions> = {},
) {
  return new CachedHistorySaver(saver, { cache: new MemoryHistoryCache(limits), ...more });
}

async function turns(saver: BaseCheckpointSaver, count: number, thread = 't', mode = DELTA): Promise<void> {
  const graph = notesGraph({ ...mode, saver });
  for (let turn = 0; turn < count; turn += 1)
    await graph.invoke({ items: [`turn ${turn}`] }, inThread(thread));
}

/** The history of every checkpoint, as the saver gives it. */
async function histories(saver: BaseCheckpointSaver, thread = 't'): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const { config } of store.saver.list(inThread(thread))) {
    all.push(await saver.getDeltaChannelHistory({ config, channels: ['items', 'files'] }));
  }
  return all;
}

it.each([{ maxEntries: 0 }, { maxEntries: 1 }, {}, { maxBytes: 500 }])(
  'answers as the raw saver does with a cache of $maxEntries entries and $maxBytes bytes',
  async (limits) => {
    const cached = cachedOn(store.saver, limits);
    await turns(cached, 7, 't', { mode: 'delta', snapshotFrequency: 3 });
    const raw = await histories(store.saver);
    expect(await histories(cached)).toEqual(raw);
    expect(await histories(cached)).toEqual(raw);
    expect(await histories(cachedOn(store.saver, limits))).toEqual(raw);
    if (limits.maxEntries === 0) {
      expect(cached.stats()).toEqual({
        hits: 0,
        misses: 0,
        failures: 0,
        evictions: 0,
        entries: 0,
        bytes: 0,
        composeHits: 0,
        fullWalks: 0,
      });
    }
    if (limits.maxEntries === 1) expect(cached.stats().evictions).toBeGreaterThan(10);
    if (limits.maxBytes === 500) expect(cached.stats().bytes).toBeLessThanOrEqual(500);
  },
);

it('composes: over 500 updates the chain is never walked to its end again', async () => {
  const cached = cachedOn(store.saver);
  await turns(cached, 20);
  const warm = cached.stats();
  await turns(cached, 480);
  const { composeHits, fullWalks, entries } = cached.stats();
  expect(warm.fullWalks).toBeLessThanOrEqual(2);
  expect(fullWalks).toBe(warm.fullWalks);
  expect(composeHits - warm.composeHits).toBeGreaterThanOrEqual(480);
  expect(entries).toBe(128);
}, 120_000);

it.each([-1, 1.5, Number.NaN])('refuses a depth of %s', (maxDepth) => {
  expect(() => cachedOn(store.saver, {}, { maxDepth })).toThrow(RangeError);
});

it('walks to the end once where nothing near is remembered, and is then warm', async () => {
  await turns(store.saver, 30);
  const cached = cachedOn(store.saver, {}, { maxDepth: 8 });
  const read = () => cached.getDeltaChannelHistory({ config: inThread(), channels: ['items'] });
  const first = await read();
  expect(cached.stats()).toMatchObject({ fullWalks: 1, composeHits: 0, hits: 0, entries: 1 });
  expect(await read()).toEqual(first);
  expect(cached.stats()).toMatchObject({ fullWalks: 1, composeHits: 0, hits: 1, entries: 1 });
});

it('hands out copies: whoever changes an answer changes no other', async () => {
  await turns(store.saver, 4, 't', { mode: 'delta', snapshotFrequency: 3 });
  const cached = cachedOn(store.saver);
  const read = () => cached.getDeltaChannelHistory({ config: inThread(), channels: ['items'] });
  const raw = await store.saver.getDeltaChannelHistory({ config: inThread(), channels: ['items'] });
  for (let time = 0; time < 3; time += 1) {
    const { items } = await read();
    expect(items).toEqual(raw['items']);
    const seed = items?.seed as { value: unknown[] };
    seed.value.push('changed');
    items?.writes.forEach((write) => (write[2] as unknown[]).push('changed'));
    items?.writes.pop();
  }
});

it('forgets a thread that is deleted or purged, and no other', async () => {
  const cached = cachedOn(store.saver);
  // Ids that look like parts of keys and like patterns.
  for (const thread of ['a', 'a:b', 'a*', '*', 'a%']) await turns(cached, 2, thread);
  const entries = () => cached.stats().entries ?? 0;
  const each = entries() / 5;
  await cached.purge('*');
  expect(entries()).toBe(each * 4);
  await cached.deleteThread('a');
  expect(entries()).toBe(each * 3);
  expect(await store.saver.getTuple(inThread('a'))).toBeUndefined();
  const { hits } = cached.stats();
  await cached.getDeltaChannelHistory({ config: inThread('a:b'), channels: ['items'] });
  await cached.getDeltaChannelHistory({ config: inThread('a:b'), channels: ['items'] });
  expect(cached.stats().hits).toBeGreaterThan(hits);
});

it('keeps nothing of a thread that is deleted while it is walked', async () => {
  await turns(store.saver, 3);
  let deleted = false;
  const cached: CachedHistorySaver = new CachedHistorySaver(store.saver, { cache: new MemoryHistoryCache() });
  const getTuple = store.saver.getTuple.bind(store.saver);
  const { config } = (await getTuple(inThread())) ?? { config: {} };
  Object.assign(store.saver, {
    getTuple: async (...given: Parameters<typeof getTuple>) => {
      const tuple = await getTuple(...given);
      if (!deleted) {
        deleted = true;
        await cached.purge('t');
      }
      return tuple;
    },
  });
  await cached.getDeltaChannelHistory({ config, channels: ['items'] });
  expect(cached.stats().entries).toBe(0);
});

it('keeps nothing of a thread that another saver on the cache deletes meanwhile', async () => {
  await turns(store.saver, 3);
  const cache = new MemoryHistoryCache();
  const [reading, deleting] = [
    new CachedHistorySaver(store.saver, { cache }),
    new CachedHistorySaver(store.saver, { cache }),
  ];
  const read = reading.getDeltaChannelHistory({ config: inThread(), channels: ['items'] });
  await deleting.purge('t');
  await read;
  expect(cache.stats().entries).toBe(0);
});

it('gives the writes of parallel tasks in the order of the walk behind it, cold and warm', async () => {
  const scenario = (await SCENARIO_SCRIPTS['fan-out']({ modules: NO_MODULES, seed: 1 })) as StateScenario;
  const cached = cachedOn(new DirectWalkSaver(store.saver));
  const cell = { mode: 'delta', snapshot_frequency: 1000, reducer: 'plain' } as const;
  const { findings } = await playCell(scenario, cell, { ...store, saver: cached }, 1);
  // The ids of a run that is stored at its end do not tell the order.
  expect(findings.map(({ step }) => step).filter((step) => !step.startsWith('exit, '))).toEqual([]);
  expect(cached.stats().composeHits).toBeGreaterThan(0);
});

it('does not share what two databases have under one id', async () => {
  const cache = new MemoryHistoryCache();
  const other = await openSqlite({ dir: mkdtempSync(join(folder, 'other-')), server: null });
  await turns(store.saver, 2);
  for (const [index, saver] of [store.saver, other.saver, new MemorySaver(), new MemorySaver()].entries()) {
    if (index > 0) await turns(saver, index + 2);
    const { config } = (await saver.getTuple(inThread())) ?? { config: {} };
    await new CachedHistorySaver(saver, { cache }).getDeltaChannelHistory({ config, channels: ['items'] });
  }
  expect(cache.stats()).toMatchObject({ hits: 0 });
  const again = new CachedHistorySaver((await openSqlite({ dir: folder, server: null })).saver, { cache });
  await again.getDeltaChannelHistory({ config: inThread(), channels: ['items'] });
  expect(cache.stats()).toMatchObject({ hits: 1 });
  await other.close();
});

describe('a chain that is broken', () => {
  const CHANNELS = { config: inThread(), channels: ['items'] };

  /** The newest checkpoint's ancestors, nearest first. */
  async function chain(): Promise<string[]> {
    const ids: string[] = [];
    for await (const { checkpoint } of store.saver.list(inThread())) ids.push(checkpoint.id);
    return ids;
  }

  it('is an error and no shorter history, and whole again when the parent is back', async () => {
    await turns(store.saver, 5);
    const cached = cachedOn(store.saver);
    const [, , , lost = ''] = await chain();
    const tuple = await store.saver.getTuple(inThread('t', lost));
    if (tuple?.parentConfig === undefined) throw new Error('It has no parent.');
    await store.rows.deleteCheckpoints('t', [lost]);
    await expect(cached.getDeltaChannelHistory(CHANNELS)).rejects.toThrow(CheckpointAncestorMissingError);
    await expect(cached.getDeltaChannelHistory(CHANNELS)).rejects.toMatchObject({ missing: lost });
    expect(cached.stats().entries).toBe(0);
    const config = await store.saver.put(
      tuple.parentConfig,
      tuple.checkpoint,
      tuple.metadata ?? ({} as never),
      {},
    );
    for (const [taskId, channel, value] of tuple.pendingWrites ?? []) {
      await store.saver.putWrites(config, [[channel, value]], `${taskId}-${channel}`);
    }
    expect((await cached.getDeltaChannelHistory(CHANNELS))['items']?.writes).toHaveLength(10);
  });

  it('stays what it was where it is remembered and its ancestors go', async () => {
    await turns(store.saver, 5);
    const cached = cachedOn(store.saver);
    const before = await cached.getDeltaChannelHistory(CHANNELS);
    await store.rows.deleteCheckpoints('t', (await chain()).slice(1));
    expect(await cached.getDeltaChannelHistory(CHANNELS)).toEqual(before);
    await expect(cachedOn(store.saver).getDeltaChannelHistory(CHANNELS)).rejects.toThrow(
      CheckpointAncestorMissingError,
    );
  });

  it('is an error on a saver with a walk of its own', async () => {
    const memory = new MemorySaver();
    await turns(memory, 5);
    const ids: string[] = [];
    for await (const { checkpoint } of memory.list(inThread())) ids.push(checkpoint.id);
    delete memory.storage['t']?.['']?.[ids[3] ?? ''];
    expect((await memory.getDeltaChannelHistory(CHANNELS))['items']?.writes.length).toBeLessThan(10);
    await expect(cachedOn(memory).getDeltaChannelHistory(CHANNELS)).rejects.toThrow(
      CheckpointAncestorMissingError,
    );
  });

  it('ends at a circle', async () => {
    await turns(store.saver, 3);
    const ids = await chain();
    const oldest = await store.saver.getTuple(inThread('t', ids.at(-1)));
    if (oldest === undefined) throw new Error('There is no root.');
    const parent = { configurable: { thread_id: 't', checkpoint_ns: '', checkpoint_id: ids[1] } };
    await store.saver.put(parent, oldest.checkpoint, oldest.metadata ?? ({} as never), {});
    await expect(cachedOn(store.saver).getDeltaChannelHistory(CHANNELS)).rejects.toThrow(
      CheckpointLineageIntegrityError,
    );
  });

  it('has no history of a checkpoint that is not there', async () => {
    await expect(cachedOn(store.saver).getDeltaChannelHistory(CHANNELS)).rejects.toThrow(
      CheckpointNotFoundError,
    );
  });
});

it('answers for the ancestors alone, in a branch as well', async () => {
  const cached = cachedOn(store.saver);
  const graph = notesGraph({ ...DELTA, saver: cached });
  await turns(cached, 2);
  const at = (await store.saver.getTuple(inThread()))?.checkpoint.id;
  await turns(cached, 2);
  await graph.invoke({ items: ['branch'] }, inThread('t', at));
  const raw = await histories(store.saver);
  expect(await histories(cached)).toEqual(raw);
  expect((await graph.getState(inThread())).values).toMatchObject({
    items: ['turn 0', 'seen turn 0', 'turn 1', 'seen turn 1', 'branch', 'seen branch'],
  });
});
