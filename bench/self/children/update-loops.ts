// One thread after another on SQLite, delta at K=10: updated by the loop of a worker with all that it meters, or by one that
// only takes the time of each update. In one process, so that both run the same compiled code. Prints the pairs.

import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { workloadSubject } from '../../../fixtures/workloads/registry.js';
import type { ChannelsCase } from '../../../harness/record/case.js';
import { openStore, type OpenStore } from '../../../harness/savers/saver.js';
import { graphOptions, meteredGraphs } from '../../channels/metered-graphs.js';
import { THREAD, timeUpdates } from '../../channels/timing.js';
import { timePairs } from '../question.js';

const [folder = '', pairs = '1'] = process.argv.slice(2);

const CASE: ChannelsCase = {
  bench: 'channels',
  workload: 'append',
  pipeline_nodes: null,
  backend: 'sqlite',
  mode: 'delta',
  updates: 100,
  payload_bytes: 128,
  payload_entropy: 'words',
  snapshot_frequency: 10,
  repetition: 1,
  seed: 1,
};
const workload = workloadSubject(CASE.workload);

const measured = await timePairs(
  Number(pairs),
  { subject: () => onFreshStore(instrumentedMs), baseline: () => onFreshStore(bareMs) },
  () => {},
);
process.stdout.write(JSON.stringify(measured));

async function onFreshStore(loopMs: (store: OpenStore) => Promise<number>): Promise<number> {
  const store = await openStore(CASE.backend, {
    dir: mkdtempSync(join(folder, 'store-')),
    server: null,
  });
  try {
    return await loopMs(store);
  } finally {
    await store.close();
  }
}

/** Milliseconds per update. */
async function instrumentedMs(store: OpenStore): Promise<number> {
  const { costs } = (await timeUpdates(CASE, workload, await meteredGraphs(CASE, workload, store))).measured;
  return costs.reduce((sum, cost) => sum + cost.turnMs, 0) / costs.length;
}

/** The same: what a worker does between two updates but meter them. */
async function bareMs(store: OpenStore): Promise<number> {
  const graph = workload.buildGraph(CASE, graphOptions(CASE, store.saver));
  let total = 0;
  for (let update = 0; update < CASE.updates; update += 1) {
    const input = workload.input(CASE, update);
    await new Promise((resolve) => setImmediate(resolve));
    const startMs = performance.now();
    await graph.invoke(input, THREAD);
    total += performance.now() - startMs;
  }
  return total / CASE.updates;
}
