import { NO_MODULES } from '../record/own-modules.js';
import { Command, END, START, StateGraph, StateSchema, interrupt, task } from '@langchain/langgraph';
import type { MemorySaver } from '@langchain/langgraph-checkpoint';
import { describe, expect, it } from 'vitest';
import { itemsGraph, parallelEdges } from '../../fixtures/scenarios/graph.js';
import { SCENARIO_SCRIPTS } from '../../fixtures/scenarios/registry.js';
import { listChannel } from '../../fixtures/workloads/channels.js';
import type { Cell } from '../record/scenario-cell.js';
import { isOwnScenario, SCENARIOS } from '../record/scenarios.js';
import { openMemory } from '../savers/memory.js';
import { playCell } from '../verify/play.js';
import type { StateScenario } from '../verify/scenario.js';
import { appliedOrder } from './applied-order.js';
import { recoverTaskPaths, type Superstep } from './task-path.js';

const DELTA: Cell = { mode: 'delta', snapshot_frequency: 1000, reducer: 'plain' };
const THREAD = { configurable: { thread_id: 'main' } };
/** A checkpoint that the serializer could not store is no superstep to recover. */
const UNREADABLE = ['values'];

/** A write as SQLite and Postgres keep it, and the path that memory keeps beside it. */
interface Write {
  readonly taskId: string;
  readonly idx: number;
  readonly channel: string;
  readonly path: string;
}

interface StoredSuperstep {
  readonly superstep: Superstep;
  /** By task id and idx, as databases give them. */
  readonly writes: readonly Write[];
}

/** Every checkpoint of all threads that has writes. */
function storedSupersteps({ storage, writes }: MemorySaver): StoredSuperstep[] {
  return Object.entries(writes).flatMap(([key, records]): StoredSuperstep[] => {
    const [thread, namespace, checkpointId] = JSON.parse(key) as [string, string, string];
    const row = storage[thread]?.[namespace]?.[checkpointId];
    if (row === undefined) return [];
    const checkpoint = decoded(row[0]) as Record<string, Record<string, unknown>>;
    const sends = (checkpoint['channel_values']?.['__pregel_tasks'] ?? []) as { node: string }[];
    const children = Object.values(storage[thread]?.[namespace] ?? {}).filter(
      ([, , parent]) => parent === checkpointId,
    );
    const superstep: Superstep = {
      namespace,
      checkpointId,
      parentId: row[2] ?? null,
      step: (decoded(row[1]) as { step: number }).step,
      channels: Object.keys(checkpoint['channel_versions'] ?? {}),
      nodes: [checkpoint, ...children.map(([payload]) => decoded(payload) as typeof checkpoint)].flatMap(
        (one) => Object.keys(one['versions_seen'] ?? {}),
      ),
      sends: sends.map(({ node }) => node),
      source: (decoded(row[1]) as { source: string }).source,
      childSource:
        (children.map(([, metadata]) => decoded(metadata) as { source: string })[0] ?? null)?.source ?? null,
    };
    const all = Object.entries(records).map(([inner, [taskId, channel, , path = '']]): Write => {
      return { taskId, idx: Number(inner.slice(inner.lastIndexOf(',') + 1)), channel, path };
    });
    return [{ superstep, writes: all.toSorted((a, b) => compare(a.taskId, b.taskId) || a.idx - b.idx) }];
  });
}

function decoded(payload: Uint8Array): unknown {
  return JSON.parse(Buffer.from(payload).toString());
}

function compare(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** The order that checkpoint 1.2.2 asks of a saver. */
function inStoredOrder(writes: readonly Write[]): Write[] {
  return writes.toSorted((a, b) => compare(a.path, b.path) || compare(a.taskId, b.taskId) || a.idx - b.idx);
}

async function playedSupersteps(scenario: StateScenario, cell: Cell): Promise<StoredSuperstep[]> {
  const store = await openMemory();
  await playCell(scenario, cell, store, 1);
  return storedSupersteps(store.saver as MemorySaver);
}

/** All are recovered, and in the order of their stored paths. */
function expectRecovered(supersteps: readonly StoredSuperstep[]): void {
  for (const { superstep, writes } of supersteps) {
    const paths = recoverTaskPaths(superstep, new Set(writes.map(({ taskId }) => taskId)));
    expect(Object.fromEntries(paths)).toEqual(
      Object.fromEntries(writes.map(({ taskId, path }) => [taskId, path])),
    );
    const { writes: ordered, notProvable } = appliedOrder(superstep, writes);
    // Where a task stands that wrote no channel is of no matter.
    const ofChannels = (all: readonly Write[]) => all.filter(({ channel }) => !WITHOUT_CHANNEL.has(channel));
    expect(ofChannels(ordered)).toEqual(ofChannels(inStoredOrder(writes)));
    expect(notProvable.size).toBe(0);
  }
}

const WITHOUT_CHANNEL = new Set([
  '__error__',
  '__error_source_node__',
  '__interrupt__',
  '__resume__',
  '__return__',
]);

const PLAYED = SCENARIOS.filter(
  ({ kind, name }) => kind === 'state' && !UNREADABLE.includes(name) && !isOwnScenario(name),
);

describe.each(PLAYED)('the writes of $name', ({ name, reducers: [reducer = 'plain'] }) => {
  it('have the path and the order of their tasks', { timeout: 60_000 }, async () => {
    const scenario = (await SCENARIO_SCRIPTS[name]({ modules: NO_MODULES, seed: 1 })) as StateScenario;
    for (const cell of [
      { ...DELTA, reducer },
      { mode: 'full', snapshot_frequency: null, reducer } as const,
    ]) {
      const supersteps = await playedSupersteps(scenario, cell);
      // Runs that are stored at their end have placeholders for ids; they are looked at below.
      const stored = supersteps.filter(({ writes }) => !writes.some(({ path }) => path.startsWith('~~')));
      expect(stored.length).toBeGreaterThan(0);
      expectRecovered(stored);
    }
  });
});

describe('a run that is stored at its end', () => {
  it('keeps the order of its supersteps, and says where that of parallel tasks is lost', async () => {
    const scenario = (await SCENARIO_SCRIPTS['fan-out']({ modules: NO_MODULES, seed: 1 })) as StateScenario;
    const supersteps = await playedSupersteps(scenario, DELTA);
    const atEnd = supersteps.filter(({ writes }) => writes.some(({ path }) => path.startsWith('~~')));
    expect(atEnd.length).toBe(3);
    for (const { superstep, writes } of atEnd) {
      const { writes: ordered, notProvable } = appliedOrder(superstep, writes);
      const parallel = writes.filter(({ path }) => path.startsWith('~~')).map(({ taskId }) => taskId);
      expect(notProvable).toEqual(new Map([['items', parallel]]));
      expect(ordered.map(({ path }) => path.startsWith('~~'))).toEqual([false, ...parallel.map(() => true)]);
    }
  });

  it('is in order where each superstep is one task', async () => {
    const scenario = (await SCENARIO_SCRIPTS.durability({ modules: NO_MODULES, seed: 1 })) as StateScenario;
    const supersteps = await playedSupersteps(scenario, DELTA);
    const atEnd = supersteps.filter(({ writes }) => writes.some(({ path }) => path.startsWith('~~')));
    expect(atEnd.length).toBeGreaterThan(1);
    for (const { superstep, writes } of atEnd) {
      const { writes: ordered, notProvable } = appliedOrder(superstep, writes);
      expect(ordered).toEqual(inStoredOrder(writes));
      expect(notProvable.size).toBe(0);
    }
  });

  it('is in order where it resumes, since its first superstep ran on a stored checkpoint', async () => {
    const store = await openMemory();
    const ask = (name: string) => () => {
      interrupt(name);
      return { items: [name] };
    };
    const graph = itemsGraph({
      nodes: Object.fromEntries(['d', 'a', 'c', 'b'].map((name) => [name, ask(name)])),
      edges: parallelEdges('d', 'a', 'c', 'b'),
    })({ saver: store.saver, mode: 'delta', snapshotFrequency: 1000, reducer: 'plain' });
    await graph.invoke({ items: ['in'] }, { ...THREAD, durability: 'exit' });
    const asked = (await graph.getState(THREAD)).tasks as readonly { interrupts: { id: string }[] }[];
    const resume = Object.fromEntries(asked.map(({ interrupts }) => [interrupts[0]?.id, 'yes']));
    await graph.invoke(new Command({ resume }), { ...THREAD, durability: 'exit' });
    const last = storedSupersteps(store.saver as MemorySaver).find(({ writes }) =>
      writes.some(({ path, channel }) => channel === 'items' && path.endsWith(', a')),
    );
    // Beside what they have written stands what they had asked, under their own ids.
    const { superstep, writes } = last as StoredSuperstep;
    expect(new Set(writes.map(({ channel }) => channel))).toEqual(new Set(['__interrupt__', 'items']));
    const { writes: ordered, notProvable } = appliedOrder(superstep, writes);
    expect(ordered.filter(({ channel }) => channel === 'items').map(({ path }) => path.at(-1))).toEqual([
      'a',
      'b',
      'c',
      'd',
    ]);
    expect(notProvable.size).toBe(0);
  });
});

describe('updateState that copies a checkpoint with updates', () => {
  it('applies them as listed, under the ids of tasks: that order is said to be lost', async () => {
    const store = await openMemory();
    const names = ['a', 'b', 'c'];
    const graph = itemsGraph({
      nodes: Object.fromEntries(names.map((name) => [name, () => ({ items: [name] })])),
      edges: parallelEdges(...names),
    })({ saver: store.saver, mode: 'delta', snapshotFrequency: 1000, reducer: 'plain' });
    await graph.invoke({ items: ['in'] }, THREAD);
    let config = {};
    for await (const state of graph.getStateHistory(THREAD))
      if (state.next.length === 3) config = state.config;
    const values = names.toReversed().map((name) => [{ items: [`updated ${name}`] }, name]);
    await graph.bulkUpdateState(config as typeof THREAD, [{ updates: [{ values, asNode: '__copy__' }] }]);
    const copied = storedSupersteps(store.saver as MemorySaver).filter(
      ({ superstep }) => superstep.childSource === 'update',
    );
    expect(copied).toHaveLength(1);
    const { superstep, writes } = copied[0] as StoredSuperstep;
    expect([...appliedOrder(superstep, writes).notProvable.keys()]).toContain('items');
  });

  it('tries as many numbers as there are updates', async () => {
    const store = await openMemory();
    const graph = itemsGraph({ nodes: { noop: () => ({}) }, edges: parallelEdges('noop') })({
      saver: store.saver,
      mode: 'delta',
      snapshotFrequency: 1000,
      reducer: 'plain',
    });
    await graph.invoke({ items: ['in'] }, THREAD);
    const updates = Array.from({ length: 130 }, (_, index) => ({
      values: { items: [`u${index}`] },
      asNode: 'noop',
    }));
    await graph.bulkUpdateState(THREAD, [{ updates }]);
    expectRecovered(storedSupersteps(store.saver as MemorySaver));
  });
});

describe('tasks that no node of the graph is', () => {
  async function compiled(build: (graph: UntypedGraph) => void) {
    const store = await openMemory();
    const fields = { items: listChannel({ mode: 'delta', snapshotFrequency: 1000 }) };
    const graph = new StateGraph(new StateSchema(fields)) as unknown as UntypedGraph;
    build(graph);
    return { graph: graph.compile({ checkpointer: store.saver }), saver: store.saver as MemorySaver };
  }

  interface UntypedGraph {
    addNode(name: string, run: () => unknown, options?: object): void;
    addEdge(from: string, to: string): void;
    compile(options: object): { invoke(input: unknown, config: object): Promise<unknown> };
  }

  it('are recovered: functions that a node calls', async () => {
    const inner = task('inner', async (name: string) => name);
    const outer = task('outer', async (name: string) => inner(`${name}!`));
    const { graph, saver } = await compiled((g) => {
      g.addNode('caller', async () => ({ items: await Promise.all([outer('x'), inner('y'), outer('z')]) }));
      g.addEdge(START, 'caller');
      g.addEdge('caller', END);
    });
    await graph.invoke({ items: ['in'] }, THREAD);
    const supersteps = storedSupersteps(saver);
    expect(
      supersteps.flatMap(({ writes }) => writes).filter(({ path }) => path.includes('0001')),
    ).toHaveLength(5);
    expectRecovered(supersteps);
  });

  it('are recovered: handlers of errors', async () => {
    const { graph, saver } = await compiled((g) => {
      const fails = () => {
        throw new Error('on purpose');
      };
      g.addNode('shaky', fails, { errorHandler: () => ({ items: ['handled'] }) });
      g.addNode('steady', () => ({ items: ['steady'] }));
      for (const node of ['shaky', 'steady']) {
        g.addEdge(START, node);
        g.addEdge(node, END);
      }
    });
    await graph.invoke({ items: ['in'] }, THREAD);
    const supersteps = storedSupersteps(saver);
    expect(
      supersteps.flatMap(({ writes }) => writes).filter(({ path }) => path.includes('node_error_handler')),
    ).not.toHaveLength(0);
    expectRecovered(supersteps);
  });
});

describe('an order that the stored rows do not hold', () => {
  const SUPERSTEP: Superstep = {
    namespace: '',
    checkpointId: '1f0b7ad0-0000-6000-8000-000000000000',
    parentId: null,
    step: 4,
    channels: ['items'],
    nodes: ['a'],
    sends: [],
    source: 'loop',
    childSource: null,
  };
  const write = (taskId: string, channel = 'items') => ({ taskId, channel });

  it('is not made up for ids that no place explains', () => {
    const writes = [write('made by hand, b'), write('made by hand, a'), write('other', 'notes')];
    const { writes: ordered, notProvable } = appliedOrder(SUPERSTEP, writes);
    expect(ordered).toEqual([writes[1], writes[0], writes[2]]);
    expect(notProvable).toEqual(new Map([['items', ['made by hand, b', 'made by hand, a']]]));
  });

  it('matters only where several tasks wrote a channel', () => {
    const writes = [write('one'), write('one'), write('two', 'notes')];
    expect(appliedOrder(SUPERSTEP, writes).notProvable.size).toBe(0);
  });

  it('is not made up for a checkpoint without an id to hash under', () => {
    const odd = { ...SUPERSTEP, checkpointId: 'not a UUID' };
    expect(recoverTaskPaths(odd, ['x']).size).toBe(0);
  });
});
