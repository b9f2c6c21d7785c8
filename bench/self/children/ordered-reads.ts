// One thread on SQLite, delta and without a snapshot, each turn a superstep of parallel nodes: its head is read through
// the saver alone and through OrderedSaver. In one process, so that both run the same compiled code. Prints the pairs.

import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import { itemsGraph, parallelEdges } from '../../../fixtures/scenarios/graph.js';
import { payloadText, rngFor } from '../../../fixtures/workloads/text.js';
import { OrderedSaver } from '../../../harness/savers/ordered.js';
import { openStore } from '../../../harness/savers/saver.js';
import { timePairs } from '../question.js';

const [folder = '', pairs = '1'] = process.argv.slice(2);

const TURNS = 50;
const NODES = ['h', 'c', 'f', 'a', 'g', 'b', 'e', 'd'];
const THREAD = { configurable: { thread_id: 'fan-out' } };

const build = itemsGraph({
  nodes: Object.fromEntries(NODES.map((node) => [node, () => ({ items: [textOf(node)] })])),
  edges: parallelEdges(...NODES),
});
/** As long as a short message. */
function textOf(node: string): string {
  return payloadText(rngFor(1, node, 0), 256, 'words');
}

const store = await openStore('sqlite', { dir: folder, server: null });
const graphOn = (saver: BaseCheckpointSaver) =>
  build({ saver, mode: 'delta', snapshotFrequency: 1000, reducer: 'plain' });
const raw = graphOn(store.saver);
const ordered = graphOn(new OrderedSaver(store.saver));
for (let turn = 0; turn < TURNS; turn += 1) await ordered.invoke({ items: [`turn ${turn}`] }, THREAD);

const measured = await timePairs(
  Number(pairs),
  { subject: () => readMs(ordered), baseline: () => readMs(raw) },
  () => {},
);
process.stdout.write(JSON.stringify(measured));
await store.close();

/** @throws Error when the read gives less than what was written. */
async function readMs(graph: ReturnType<typeof graphOn>): Promise<number> {
  const startMs = performance.now();
  const { values } = await graph.getState(THREAD);
  const elapsedMs = performance.now() - startMs;
  const { length } = (values as { items: unknown[] }).items;
  if (length !== TURNS * (NODES.length + 1)) throw new Error(`The thread has ${length} elements.`);
  return elapsedMs;
}
