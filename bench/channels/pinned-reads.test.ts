import { describe, expect, it } from 'vitest';
import { exampleCase } from '../../fixtures/journals/rows.js';
import { WORKLOAD_SUBJECTS, workloadSubject } from '../../fixtures/workloads/registry.js';
import type { WorkloadSubject } from '../../fixtures/workloads/workload.js';
import type { ReplayPosition } from '../../harness/chain/replay-position.js';
import type { ChannelsCase } from '../../harness/record/case.js';
import { WORKLOADS } from '../../harness/record/names.js';
import { PeakRss } from '../../harness/process/usage.js';
import { openMemory } from '../../harness/savers/memory.js';
import { measureWriter } from './measure.js';
import { choosePinned } from './pinned-reads.js';

function caseOf(overrides: Partial<ChannelsCase> = {}): ChannelsCase {
  return exampleCase({
    backend: 'memory',
    mode: 'delta',
    snapshot_frequency: 10,
    updates: 25,
    payload_bytes: 16,
    ...overrides,
  });
}

function measured(c: ChannelsCase, workload: WorkloadSubject = workloadSubject(c.workload)) {
  return measureWriter(c, { workload, open: async () => openMemory() }, new PeakRss());
}

/** Heads of a thread of one write per update at cadence `k`. */
function plainThread(updates: number, k: number) {
  const headIds = Array.from({ length: updates }, (_, index) => `c${String(index + 1).padStart(5, '0')}`);
  const positions = new Map<string, ReplayPosition>(
    headIds.map((id, index) => [
      id,
      { storesSnapshot: false, updatesSinceSnapshot: (index + 1) % k, seedBytes: 0, oldestSeedId: null },
    ]),
  );
  return { headIds, positions };
}

describe('the checkpoints that are read', () => {
  it('are the newest at phase 0, 1, K/2 and K-1, and others that the seed draws, in order of phase', () => {
    const { headIds, positions } = plainThread(250, 100);
    const pinned = choosePinned(caseOf({ snapshot_frequency: 100, seed: 5 }), headIds, positions);
    const phases = pinned.map(({ position }) => position.updatesSinceSnapshot);
    expect(phases).toEqual(phases.toSorted((a, b) => a - b));
    expect(phases).toEqual(expect.arrayContaining([0, 1, 50, 99]));
    expect(phases).toHaveLength(8);
    const updates = new Map(pinned.map(({ update, position }) => [position.updatesSinceSnapshot, update]));
    expect([0, 1, 50, 99].map((phase) => updates.get(phase))).toEqual([200, 201, 250, 199]);
    expect(choosePinned(caseOf({ snapshot_frequency: 100, seed: 5 }), headIds, positions)).toEqual(pinned);
    expect(choosePinned(caseOf({ snapshot_frequency: 100, seed: 6 }), headIds, positions)).not.toEqual(
      pinned,
    );
  });

  it('are the nearest there are in a thread that is shorter than its cadence', () => {
    const { headIds, positions } = plainThread(3, 1000);
    const pinned = choosePinned(caseOf({ snapshot_frequency: 1000 }), headIds, positions);
    expect(pinned.map(({ update }) => update)).toEqual([1, 3]);
  });

  it('are none in full mode, and where the rows are not understood', () => {
    const { headIds, positions } = plainThread(25, 10);
    expect(choosePinned(caseOf({ mode: 'full', snapshot_frequency: null }), headIds, positions)).toEqual([]);
    expect(choosePinned(caseOf(), headIds, null)).toEqual([]);
  });

  it.each([1, 2, 3])('are each read once at K=%i', (k) => {
    const { headIds, positions } = plainThread(25, k);
    const pinned = choosePinned(caseOf({ snapshot_frequency: k }), headIds, positions);
    expect(new Set(pinned.map(({ update }) => update)).size).toBe(pinned.length);
    expect(pinned).toHaveLength(k);
  });
});

describe.each(WORKLOADS)('pinned reads of %s', (workload) => {
  it('give the state of their update', async () => {
    const report = await measured(
      caseOf({ workload, pipeline_nodes: workload === 'pipeline' ? 3 : null, updates: 57 }),
    );
    expect(report.failure).toBeNull();
    expect(report.measurement.pinned_reads.length).toBeGreaterThan(1);
    for (const read of report.measurement.pinned_reads) expect(read.samples_ms).toHaveLength(5);
  });
});

it('replay as many writes as the phase says, from the snapshot before it', async () => {
  const { measurement } = await measured(caseOf({ updates: 25 }));
  for (const read of measurement.pinned_reads) {
    expect(read.updates_since_snapshot).toBe(read.update % 10);
    expect(read.writes_replayed).toBe(read.update % 10);
    // The memory saver walks in its own way; at a snapshot there is still the checkpoint after it to walk back from.
    expect(read.ancestors_visited).toBeNull();
    expect(read.seed_bytes).toBeGreaterThan(0);
  }
  const seeds = new Map(
    measurement.pinned_reads.map((read) => [Math.floor(read.update / 10), read.seed_bytes]),
  );
  expect(seeds.get(2)).toBeGreaterThan(1.9 * (seeds.get(1) ?? 0));
});

it('a pinned read that gives another state fails the case, by its update', async () => {
  const { append } = WORKLOAD_SUBJECTS;
  let wrong = 0;
  const workload: WorkloadSubject = {
    ...append,
    buildGraph: (c, options) => {
      const graph = append.buildGraph(c, options);
      return {
        invoke: (input, config) => graph.invoke(input, config),
        getState: async (config) => {
          if (config.configurable.checkpoint_id === undefined) return graph.getState(config);
          wrong += 1;
          return graph.getState({ configurable: { thread_id: config.configurable.thread_id } });
        },
      };
    },
  };
  const report = await measured(caseOf({ updates: 25 }), workload);
  expect(wrong).toBeGreaterThan(0);
  expect(report.failure).toMatchObject({ reason: 'wrong_state', difference: { reading: 'pinned' } });
  expect(report.failure?.message).toMatch(/by the checkpoint id of update \d+\.$/);
});
