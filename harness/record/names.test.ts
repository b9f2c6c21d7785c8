import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WORKLOAD_SUBJECTS, workloadSubject } from '../../fixtures/workloads/registry.js';
import { payloadText, rngFor } from '../../fixtures/workloads/text.js';
import { storedValues, type CheckpointRecord } from '../chain/records.js';
import { openStore, type OpenStore } from '../savers/saver.js';
import { BACKENDS_HERE, placeOf } from '../savers/store-places.support.test.js';
import type { ChannelsCase } from './case.js';
import type { StateRecord } from './digest.js';
import { threadShape } from './workload-shape.js';
import { ALL_BACKENDS, BACKEND_CAPABILITIES, MODES, PAYLOAD_ENTROPIES, WORKLOADS } from './names.js';

const THREAD = { configurable: { thread_id: 't' } };
const UPDATES = 3;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'names-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function caseOf(parameters: Pick<ChannelsCase, 'workload' | 'backend' | 'mode'>): ChannelsCase {
  return {
    bench: 'channels',
    pipeline_nodes: parameters.workload === 'pipeline' ? 4 : null,
    updates: UPDATES,
    payload_bytes: 16,
    payload_entropy: 'words',
    snapshot_frequency: parameters.mode === 'full' ? null : 2,
    repetition: 1,
    seed: 1,
    ...parameters,
  };
}

function graphOf(c: ChannelsCase, store: OpenStore) {
  return workloadSubject(c.workload).buildGraph(c, {
    saver: store.saver,
    mode: c.mode,
    snapshotFrequency: c.snapshot_frequency,
  });
}

async function fill(c: ChannelsCase, store: OpenStore): Promise<void> {
  const graph = graphOf(c, store);
  for (let update = 0; update < c.updates; update += 1) {
    await graph.invoke(workloadSubject(c.workload).input(c, update), THREAD);
  }
}

async function headOf(c: ChannelsCase, store: OpenStore): Promise<StateRecord> {
  const { values } = await graphOf(c, store).getState(THREAD);
  return workloadSubject(c.workload).state(values);
}

async function checkpointsOf(store: OpenStore): Promise<CheckpointRecord[]> {
  return [...(await store.records('t'))]
    .filter((record) => record.kind === 'checkpoint')
    .toSorted((a, b) => (a.checkpointId < b.checkpointId ? -1 : 1));
}

test('the registry holds exactly the named workloads, each under its own name', () => {
  expect(Object.keys(WORKLOAD_SUBJECTS)).toEqual([...WORKLOADS]);
  expect(Object.values(WORKLOAD_SUBJECTS).map(({ name }) => name)).toEqual([...WORKLOADS]);
});

test('every backend is described, and nothing else is', () => {
  expect(Object.keys(BACKEND_CAPABILITIES)).toEqual([...ALL_BACKENDS]);
});

const CASES = WORKLOADS.flatMap((workload) =>
  BACKENDS_HERE.flatMap((backend) => MODES.map((mode) => caseOf({ workload, backend, mode }))),
);

describe.each(CASES)('$workload on $backend in $mode mode', (c) => {
  test('the store opens, and keeps what the workload says', async () => {
    const store = await openStore(c.backend, placeOf(c.backend, mkdtempSync(join(folder, 'store-'))));
    await fill(c, store);

    expect(await headOf(c, store)).toEqual(workloadSubject(c.workload).model(c));
    await store.close();
  });

  test('an update stores as many checkpoints as the shape says', async () => {
    const store = await openStore(c.backend, placeOf(c.backend, mkdtempSync(join(folder, 'store-'))));
    await fill(c, store);

    expect(await checkpointsOf(store)).toHaveLength(UPDATES * threadShape(c).heldAfter.length);
    await store.close();
  });

  test('the store outlives its saver exactly when the backend is declared persistent', async () => {
    const storeDir = mkdtempSync(join(folder, 'store-'));
    const written = await openStore(c.backend, placeOf(c.backend, storeDir));
    await fill(c, written);
    await written.close();
    const reopened = await openStore(c.backend, placeOf(c.backend, storeDir));

    const survived = [...(await reopened.records('t'))].length > 0;
    await reopened.close();

    expect(survived).toBe(BACKEND_CAPABILITIES[c.backend].persistent);
  });
});

test.each(BACKENDS_HERE)('%s keeps values where its declared layout says', async (backend) => {
  const store = await openStore(backend, placeOf(backend, mkdtempSync(join(folder, 'store-'))));
  const c = caseOf({ workload: 'append', backend, mode: 'full' });
  await fill(c, store);
  const holding = (await checkpointsOf(store)).filter((checkpoint) =>
    storedValues(checkpoint).has('messages'),
  );
  await store.close();

  const all = UPDATES * threadShape(c).heldAfter.length;
  expect(holding).toHaveLength(BACKEND_CAPABILITIES[backend].valueLayout === 'inline' ? all : UPDATES);
});

test('every entropy gives a text of its own', () => {
  const texts = PAYLOAD_ENTROPIES.map((entropy) => payloadText(rngFor(1, 'names', 0), 64, entropy));

  expect(texts.map((text) => text.length)).toEqual(PAYLOAD_ENTROPIES.map(() => 64));
  expect(new Set(texts).size).toBe(PAYLOAD_ENTROPIES.length);
});
