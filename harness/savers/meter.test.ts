import { BaseCheckpointSaver, MemorySaver, emptyCheckpoint } from '@langchain/langgraph-checkpoint';
import { messagesDeltaReducer } from '@langchain/langgraph';
import { describe, expect, it } from 'vitest';
import { exampleCase } from '../../fixtures/journals/rows.js';
import { workloadSubject } from '../../fixtures/workloads/registry.js';
import type { ChannelsCase } from '../record/case.js';
import { digestState } from '../record/digest.js';
import { WORKLOADS } from '../record/names.js';
import { mergedMs } from '../record/spans.js';
import { Meter } from './meter.js';
import { ReferenceSaver } from './reference.js';

const THREAD = { configurable: { thread_id: 't' }, recursionLimit: 10_000 };

/** A memory saver that walks as released database savers do: by the inherited walk over getTuple. */
class InheritsWalk extends MemorySaver {
  override getDeltaChannelHistory: BaseCheckpointSaver['getDeltaChannelHistory'] = Reflect.get(
    BaseCheckpointSaver.prototype,
    'getDeltaChannelHistory',
  );
}

function caseOf(overrides: Partial<ChannelsCase> = {}): ChannelsCase {
  return exampleCase({ backend: 'memory', payload_bytes: 16, updates: 12, ...overrides });
}

async function run(c: ChannelsCase, saver: BaseCheckpointSaver, meter: Meter) {
  const workload = workloadSubject(c.workload);
  const metered = meter.meterSaver(saver);
  const graph = workload.buildGraph(c, {
    saver: metered,
    mode: c.mode,
    snapshotFrequency: c.snapshot_frequency,
    meter,
  });
  let live: unknown;
  for (let update = 0; update < c.updates; update += 1) {
    live = await graph.invoke(workload.input(c, update), THREAD);
  }
  return { graph, live: workload.state(live), head: workload.state((await graph.getState(THREAD)).values) };
}

describe.each(WORKLOADS)('%s', (name) => {
  it.each([null, 1, 3, 50])(
    'holds the right state on a metered saver and on the reference, K=%s',
    async (k) => {
      const c = caseOf({
        workload: name,
        pipeline_nodes: name === 'pipeline' ? 2 : null,
        mode: k === null ? 'full' : 'delta',
        snapshot_frequency: k,
        updates: 30,
      });
      const expected = digestState(workloadSubject(name).model(c));
      for (const saver of [new MemorySaver(), new InheritsWalk(), new ReferenceSaver()]) {
        const { live, head } = await run(c, saver, new Meter());
        expect(digestState(live)).toEqual(expected);
        expect(digestState(head)).toEqual(expected);
      }
    },
  );
});

describe('the metered saver', () => {
  it('counts every call of a thread, and keeps a walk apart from other reads', async () => {
    const meter = new Meter();
    const { graph } = await run(
      caseOf({ mode: 'delta', snapshot_frequency: 50, updates: 3 }),
      new InheritsWalk(),
      meter,
    );
    const { spans, walks, replays, checkpointIds } = meter.take();
    const calls = Object.fromEntries(Object.entries(spans).map(([method, list]) => [method, list.length]));
    // Three updates and one read of the head; START -> noop puts three checkpoints and two batches of writes.
    expect(calls).toEqual({ put: 9, put_writes: 6, get_tuple: 4, list: 0, get_delta_channel_history: 3 });
    expect(checkpointIds).toHaveLength(9);
    expect(new Set(checkpointIds).size).toBe(9);
    // Before the second update the head has two ancestors, before the third five, after it eight.
    expect(walks).toEqual([
      { ancestorsVisited: 2, writesReplayed: 1 },
      { ancestorsVisited: 5, writesReplayed: 2 },
      { ancestorsVisited: 8, writesReplayed: 3 },
    ]);
    expect(replays).toHaveLength(3);

    await graph.getState(THREAD);
    expect(meter.take().walks).toEqual([{ ancestorsVisited: 8, writesReplayed: 3 }]);
    expect(meter.take().walks).toEqual([]);
  });

  it('calls the walk of a saver that has its own, and does not know the ancestors', async () => {
    const meter = new Meter();
    await run(caseOf({ mode: 'delta', snapshot_frequency: 50, updates: 2 }), new MemorySaver(), meter);
    expect(meter.take().walks.at(-1)).toEqual({ ancestorsVisited: null, writesReplayed: 2 });
  });

  it('passes on everything that LangGraph gives and asks', async () => {
    const seen: unknown[] = [];
    class Witness extends MemorySaver {
      override putWrites(...all: Parameters<MemorySaver['putWrites']>): Promise<void> {
        seen.push(all.slice(2));
        return super.putWrites(...all);
      }
      override put(...all: Parameters<MemorySaver['put']>) {
        seen.push(all.length);
        return super.put(...all);
      }
      override getNextVersion(): number {
        return 41;
      }
      override async deleteThread(threadId: string): Promise<void> {
        seen.push(threadId);
      }
    }
    const inner = new Witness();
    const metered: Pick<MemorySaver, 'putWrites'> & BaseCheckpointSaver = new Meter().meterSaver(inner);
    const config = { configurable: { thread_id: 't', checkpoint_ns: '' } };
    const stored = await metered.put(
      config,
      emptyCheckpoint(),
      { source: 'input', step: -1, parents: {} },
      {},
    );
    await metered.putWrites(stored, [['c', 1]], 'task', '~path');
    await metered.deleteThread('u');
    expect(seen).toEqual([4, ['task', '~path'], 'u']);
    expect(metered.getNextVersion(1)).toBe(41);
    expect(metered.serde).toBe(inner.serde);
    const listed = [];
    for await (const tuple of metered.list({ configurable: { thread_id: 't' } })) listed.push(tuple.config);
    expect(listed).toEqual([stored]);
  });

  it('records a call that throws, and throws what it threw', async () => {
    class Broken extends MemorySaver {
      override async getTuple(): Promise<never> {
        throw new Error('no such disk');
      }
    }
    const meter = new Meter();
    await expect(meter.meterSaver(new Broken()).getTuple(THREAD)).rejects.toThrow('no such disk');
    expect(meter.take().spans.get_tuple).toHaveLength(1);
  });

  it('does not count the time of whoever reads a listing', async () => {
    let now = 0;
    class Slow extends MemorySaver {
      override async *list(): ReturnType<MemorySaver['list']> {
        for (const step of [1, 2, 3]) {
          now += step;
          yield { config: THREAD, checkpoint: emptyCheckpoint() };
        }
      }
    }
    const meter = new Meter(() => now);
    for await (const _ of meter.meterSaver(new Slow()).list(THREAD)) now += 1000;
    const { list } = meter.take().spans;
    expect(mergedMs(list)).toBe(6);
  });
});

describe('a metered reducer', () => {
  it('keeps the mark by which LangGraph knows its messages reducer', () => {
    const metered = new Meter().meterReducer(messagesDeltaReducer);
    const mark = Symbol.for('langgraph.messages_delta_reducer');
    expect(Reflect.get(messagesDeltaReducer, mark)).toBe(true);
    expect(Reflect.get(metered, mark)).toBe(true);
    expect(metered.name).toBe(messagesDeltaReducer.name);
  });

  it('times replays alone: writes of a running update are the framework’s', async () => {
    let now = 0;
    const meter = new Meter(() => now);
    const reducer = meter.meterReducer((state: number, writes: { add: number }[]) => {
      now += 5;
      return writes.reduce((sum, { add }) => sum + add, state);
    });
    const write = { add: 2 };
    expect(reducer(0, [write])).toBe(2);
    expect(meter.take().replays).toEqual([]);
    meter.recordWalk(
      {
        a: {
          writes: [
            ['task', 'a', { add: 1 }],
            ['task', 'a', write],
          ],
        },
        b: { writes: [] },
      },
      1,
    );
    expect(reducer(0, [{ add: 1 }, write])).toBe(3);
    expect(reducer(3, [write])).toBe(5);
    expect(meter.take().replays).toEqual([{ startMs: 5, endMs: 10 }]);
  });
});
