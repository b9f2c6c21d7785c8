import { describe, expect, it } from 'vitest';
import { exampleCase } from '../../fixtures/journals/rows.js';
import { workloadSubject } from '../../fixtures/workloads/registry.js';
import type { ChannelsCase } from '../../harness/record/case.js';
import { WORKLOADS } from '../../harness/record/names.js';
import { openMemory } from '../../harness/savers/memory.js';
import { checkMode } from './check-mode.js';
import { diagnoseStorage } from '../../harness/savers/storage-diagnosis.js';
import { storedThread, THREAD } from './timing.js';

function caseOf(overrides: Partial<ChannelsCase>): ChannelsCase {
  return exampleCase({ backend: 'memory', updates: 12, payload_bytes: 128, seed: 1, ...overrides });
}

async function filled(c: ChannelsCase) {
  const workload = workloadSubject(c.workload);
  const store = await openMemory();
  const options = { saver: store.saver, mode: c.mode, snapshotFrequency: c.snapshot_frequency };
  const graph = workload.buildGraph(c, options);
  for (let update = 0; update < c.updates; update += 1) await graph.invoke(workload.input(c, update), THREAD);
  return { store, workload, storage: await diagnoseStorage(store, storedThread(c, workload)) };
}

describe.each(WORKLOADS)('%s', (workload) => {
  it.each([1, 2, 3, 5, 20])('is in effect in both modes over %i updates, however short', async (updates) => {
    for (const snapshot_frequency of [null, 1, 3]) {
      for (const payload_bytes of [1, 2048]) {
        const c = caseOf({
          workload,
          pipeline_nodes: workload === 'pipeline' ? 4 : null,
          mode: snapshot_frequency === null ? 'full' : 'delta',
          snapshot_frequency,
          updates,
          payload_bytes,
        });
        const { store, workload: subject, storage } = await filled(c);
        expect(await checkMode(store, c, subject, storage)).toEqual({
          verdict: 'holds',
          failure: null,
          problem: null,
        });
      }
    }
  });
});

describe('bytes that no mode stores', () => {
  it.each([
    ['checkpointPayloadBytes', 'checkpoint payloads'],
    ['metadataBytes', 'metadata'],
    ['writeBytes', 'write rows'],
  ] as const)('in %s are evidence', async (name, words) => {
    const c = caseOf({ mode: 'delta', snapshot_frequency: 5 });
    const { store, workload, storage } = await filled(c);
    const { statistics } = storage;
    if (statistics === null) throw new Error('Nothing was counted.');
    const copied = { ...storage, statistics: { ...statistics, [name]: 2 * statistics[name] + 8000 } };
    expect(await checkMode(store, c, workload, copied)).toMatchObject({
      verdict: 'violated',
      failure: {
        reason: 'mode_not_in_effect',
        message: expect.stringContaining(`bytes of ${words} where delta`),
      },
    });
  });
});

it('is undecided where nothing could be counted', async () => {
  const c = caseOf({});
  const { store, workload, storage } = await filled(c);
  expect(await checkMode(store, c, workload, { ...storage, statistics: null })).toEqual({
    verdict: 'undecided',
    failure: null,
    problem: null,
  });
});
