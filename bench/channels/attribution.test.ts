// The parts of an update, on a clock that only the saver, the reducers and the nodes move.

import { MemorySaver } from '@langchain/langgraph-checkpoint';
import { describe, expect, it } from 'vitest';
import { exampleCase } from '../../fixtures/journals/rows.js';
import { chainOfNodes } from '../../fixtures/workloads/message-graph.js';
import { WORKLOAD_SUBJECTS } from '../../fixtures/workloads/registry.js';
import type { WorkloadSubject } from '../../fixtures/workloads/workload.js';
import type { Attribution } from '../../harness/record/channels-measurement.js';
import { Meter } from '../../harness/savers/meter.js';
import { ReferenceSaver } from '../../harness/savers/reference.js';
import { attribute, CallTotals, costOf } from './attribution.js';
import type { MeteredGraph } from './metered-graphs.js';
import { timeUpdates } from './timing.js';

const noSpans = { put: [], put_writes: [], get_tuple: [], list: [], get_delta_channel_history: [] };
const span = (startMs: number, endMs: number) => ({ startMs, endMs });

describe('one update', () => {
  it('gives every instant to one part: replay before walk before the other calls, the rest to none', () => {
    const cost = costOf(
      span(0, 100),
      {
        spans: {
          put: [span(40, 60), span(55, 70)],
          put_writes: [span(65, 75)],
          get_tuple: [span(0, 10)],
          list: [span(8, 12)],
          get_delta_channel_history: [span(10, 30)],
        },
        replays: [span(28, 33), span(74, 80)],
        walks: [],
        checkpointIds: [],
        looks: [span(60, 61), span(90, 94)],
      },
      [],
    );
    expect(cost).toEqual({
      turnMs: 96,
      byMethodMs: { put: 30, put_writes: 10, get_tuple: 10, list: 4, get_delta_channel_history: 20 },
      writeBusyMs: 35,
      // One look is inside a put and takes nothing; the other is not part of the turn.
      // 0..10 and 40..74: the listing is inside the walk, and the replay takes the last millisecond of the writes.
      saverBusyMs: 44,
      walkMs: 18,
      replayMs: 11,
      gcMs: 0,
      restMs: 23,
    });
    expect(cost.saverBusyMs + cost.walkMs + cost.replayMs + cost.restMs).toBe(cost.turnMs);
  });
});

/** How long each thing takes, in milliseconds of the test's clock. */
interface Pace {
  readonly putWritesMs: number;
  readonly nodeMs: number;
}

async function attributionOf({ putWritesMs, nodeMs }: Pace): Promise<Attribution> {
  let now = 0;
  class Paced extends MemorySaver {
    override async getTuple(...all: Parameters<MemorySaver['getTuple']>) {
      now += 7;
      return super.getTuple(...all);
    }
    override async put(...all: Parameters<MemorySaver['put']>) {
      now += 11;
      return super.put(...all);
    }
    override async putWrites(...all: Parameters<MemorySaver['putWrites']>) {
      now += putWritesMs;
      return super.putWrites(...all);
    }
    override async getDeltaChannelHistory(...all: Parameters<MemorySaver['getDeltaChannelHistory']>) {
      now += 13;
      return super.getDeltaChannelHistory(...all);
    }
  }
  const c = exampleCase({
    backend: 'memory',
    mode: 'delta',
    snapshot_frequency: 100,
    updates: 4,
    payload_bytes: 8,
  });
  const workload: WorkloadSubject = {
    ...WORKLOAD_SUBJECTS.append,
    buildGraph: (_, options) => chainOfNodes([['work', () => ((now += nodeMs), {})]], options),
  };
  const graphOn = (saver: MemorySaver | ReferenceSaver): MeteredGraph => {
    const meter = new Meter(() => now);
    const build = () =>
      workload.buildGraph(c, {
        saver: meter.meterSaver(saver),
        mode: c.mode,
        snapshotFrequency: c.snapshot_frequency,
        meter,
      });
    return { graph: build(), meter, build: async () => build() };
  };
  const updates = await timeUpdates(c, workload, {
    measured: graphOn(new Paced()),
    reference: graphOn(new ReferenceSaver()),
    afterUpdate: () => {},
  });
  return attribute(updates.measured.costs, updates.reference?.costs ?? null, 'none');
}

describe('all updates', () => {
  it('add up to their turns, part by part, with nothing left', async () => {
    const attribution = await attributionOf({ putWritesMs: 10, nodeMs: 3 });
    // Four updates: a head read, three puts and two batches of writes each; a walk in all but the first; a node each.
    expect(attribution).toEqual({
      turn_ms: 4 * (7 + 3 * 11 + 2 * 10 + 3) + 3 * 13,
      // Every node runs while the put before it awaits its serializer.
      put_ms: 132 + 12,
      put_writes_ms: 80,
      get_tuple_ms: 28,
      list_ms: 0,
      saver_busy_ms: 240 + 12,
      overlap_ms: 12,
      storage_ms: null,
      serialization_ms: 240,
      walk_ms: 39,
      replay_ms: 0,
      framework_ms: 12,
      gc_ms: 0,
      residual_ms: 0,
    });
  });

  it('show putWrites that are a fifth slower there and in what contains them, and nowhere else', async () => {
    const planted = await attributionOf({ putWritesMs: 12, nodeMs: 3 });
    const { put_writes_ms, turn_ms, saver_busy_ms, serialization_ms, ...elsewhere } = planted;
    const usual = await attributionOf({ putWritesMs: 10, nodeMs: 3 });
    expect(put_writes_ms / usual.put_writes_ms).toBe(1.2);
    for (const [name, ms] of Object.entries({ turn_ms, saver_busy_ms, serialization_ms })) {
      expect(Number(ms) - Number(usual[name as keyof Attribution])).toBe(16);
    }
    expect(usual).toMatchObject(elsewhere);
  });

  it('show a slower node in the framework alone', async () => {
    const usual = await attributionOf({ putWritesMs: 10, nodeMs: 3 });
    const slower = await attributionOf({ putWritesMs: 10, nodeMs: 5 });
    const { put_ms, saver_busy_ms, overlap_ms, ...parts } = usual;
    expect(slower).toEqual({
      ...parts,
      turn_ms: usual.turn_ms + 8,
      framework_ms: (usual.framework_ms ?? 0) + 8,
      // What overlaps is told, and counts once.
      put_ms: put_ms + 8,
      saver_busy_ms: saver_busy_ms + 8,
      overlap_ms: (overlap_ms ?? 0) + 8,
    });
  });
});

it('takes from the rest the pauses of the garbage collector that fall into it, as far as they are in the turn', () => {
  const calls = {
    spans: { ...noSpans, put: [span(10, 20)] },
    replays: [],
    walks: [],
    checkpointIds: [],
    looks: [span(40, 50)],
  };
  // In the put, in a look, half in the put, before the turn, past its end.
  const pauses = [span(12, 14), span(44, 46), span(18, 24), span(-5, 1), span(98, 104)];
  expect(costOf(span(0, 100), calls, pauses)).toMatchObject({
    turnMs: 90,
    saverBusyMs: 10,
    gcMs: 4 + 1 + 2,
    restMs: 73,
  });
});

describe('the sum of the parts', () => {
  const update = costOf(
    span(0, 10),
    {
      spans: { ...noSpans, put: [span(1, 4)] },
      replays: [],
      walks: [],
      checkpointIds: [],
      looks: [],
    },
    [],
  );

  it('leaves what the reference does not explain as the residual', () => {
    const reference = { ...update, saverBusyMs: 0.5, restMs: 5 };
    expect(attribute([update], [reference], 1)).toMatchObject({
      saver_busy_ms: 3,
      overlap_ms: 0.5,
      storage_ms: 1,
      serialization_ms: 1.5,
      framework_ms: 5.5,
      residual_ms: 2,
    });
  });

  it('says nothing of storage where the floor is not known', () => {
    expect(attribute([update], [update], null)).toMatchObject({ storage_ms: null, serialization_ms: null });
  });
});

it('counts calls and merged time inside and outside of invoke apart', () => {
  const calls = (put: readonly { startMs: number; endMs: number }[]) => ({
    spans: { ...noSpans, put },
    replays: [],
    walks: [],
    checkpointIds: [],
    looks: [],
  });
  const inside = new CallTotals();
  inside.add(calls([span(0, 2), span(1, 3)]));
  inside.add(calls([span(10, 11)]));
  const outside = new CallTotals();
  outside.add(calls([span(20, 25)]));
  const none = { inside_invoke: { calls: 0, busy_ms: 0 }, outside_invoke: { calls: 0, busy_ms: 0 } };
  expect(inside.beside(outside)).toEqual({
    put: { inside_invoke: { calls: 3, busy_ms: 4 }, outside_invoke: { calls: 1, busy_ms: 5 } },
    put_writes: none,
    get_tuple: none,
    list: none,
    get_delta_channel_history: none,
  });
});
