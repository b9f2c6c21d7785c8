// What the child does with one case: fill a thread, read it back in every way, look at what was stored, and hold each
// state against the model. Returns a report; knows nothing of the parent.

import type { MeasuredWorkload, ThreadGraph } from '../../fixtures/workloads/workload.js';
import {
  NO_ORDERS,
  type ReaderOrders,
  type ReadReport,
  type WriteReport,
} from '../../harness/process/channels-messages.js';
import { cpuTimeMs, type PeakRss } from '../../harness/process/usage.js';
import { caseKey, type ChannelsCase } from '../../harness/record/case.js';
import type { StateDigest } from '../../harness/record/digest.js';
import { capabilitiesOf } from '../../harness/record/names.js';
import { roundMs } from '../../harness/record/percentile.js';
import type { CachedHistorySaver } from '../../harness/runtime/history-cache/cached-history-saver.js';
import type { OpenStore } from '../../harness/savers/saver.js';
import { CallTotals } from './attribution.js';
import { checkMode } from './check-mode.js';
import { StateCheck } from './check-states.js';
import { measureFloor } from './floor.js';
import { measurementOf } from './measurement.js';
import { graphOptions, meteredGraphs, type MeteredGraph } from './metered-graphs.js';
import { diagnoseStorage } from '../../harness/savers/storage-diagnosis.js';
import type { Traffic } from '../../harness/savers/store-server.js';
import { watchUpdates } from './server-traffic.js';
import { choosePinned, readPinned } from './pinned-reads.js';
import { timeReads } from '../../harness/timing/time-reads.js';
import { storedThread, THREAD, timeUpdates } from './timing.js';

/** What is put to the test: a workload, and how to open the store of its case. */
export interface Subject {
  readonly workload: MeasuredWorkload;
  readonly open: () => Promise<OpenStore>;
}

/** Fills a fresh store and measures writing, warm and cold reads, and what was stored. */
export async function measureWriter(
  c: ChannelsCase,
  subject: Subject,
  peakRss: PeakRss,
): Promise<WriteReport> {
  const { workload } = subject;
  const peakLoadBytes = peakRss.endPhase();
  const check = new StateCheck(workload, c);
  const store = await subject.open();
  const graphs = await meteredGraphs(c, workload, store);
  const { measured } = graphs;
  const watched = await watchUpdates(store);
  const updates = await timeUpdates(c, workload, graphs);
  const server = await watched();
  check.take('live', updates.measured.live);
  const peakWriteBytes = peakRss.endPhase();
  const afterWrites = store.fileBytes();

  const reads = await timeHeadReads(c, workload, measured, { check, server: store.server });
  const peakReadBytes = peakRss.endPhase();
  const afterReads = store.fileBytes();

  const storage = await diagnoseStorage(store, storedThread(c, workload));
  const mode = await checkMode(store, c, workload, storage);
  const pinned = await readPinned(
    c,
    workload,
    measured,
    choosePinned(c, updates.measured.headIds, storage.positions),
    updates.measured.liveDigests,
  );
  const floor = await measureFloor(store, c, updates.measured.headIds, storage.positions);
  const pragmas = await store.pragmas();
  const historyCache = (store.saver as Partial<CachedHistorySaver>).stats?.() ?? null;
  store.checkpointToDisk();
  const afterTruncate = store.fileBytes();
  await store.close();
  const coldReopenedMs = await timeReopenedReads(c, subject, check);

  return {
    kind: 'report',
    case_key: caseKey(c),
    role: 'write',
    failure: check.failure ?? pinned.failure ?? mode.failure,
    measurement: measurementOf({
      case: c,
      oracle: workload.model === undefined ? 'live' : 'model',
      check,
      mode,
      updates,
      reads: { ...reads, coldReopenedMs, pinned: pinned.reads },
      floor,
      wal: store.wal,
      server,
      storage,
      files: { afterWrites, afterReads, afterTruncate },
      peakRss: { method: peakRss.method, peakLoadBytes, peakWriteBytes, peakReadBytes },
      historyCache,
      cpu: cpuTimeMs(),
      pragmas,
    }),
  };
}

/**
 * Opens the store in this fresh process and reads the head once; deletes the thread where it is the last to read it.
 */
export async function measureReader(
  c: ChannelsCase,
  subject: Subject,
  { expected, removes_thread: removesThread }: ReaderOrders = NO_ORDERS,
): Promise<ReadReport> {
  const { workload } = subject;
  const start = performance.now();
  const store = await subject.open();
  const state = await head(await workload.buildGraph(c, graphOptions(c, store.saver)));
  const elapsedMs = performance.now() - start;
  const notRemoved = removesThread ? await removeThread(store) : null;
  await store.close();
  const check = new StateCheck(workload, c, expected);
  check.take('cold_process', state);
  return {
    kind: 'report',
    case_key: caseKey(c),
    role: 'read',
    failure: check.failure ?? notRemoved,
    cold_process_read_ms: roundMs(elapsedMs),
    state: check.digest('cold_process') as StateDigest,
  };
}

/** Null where no row of the thread is left. */
async function removeThread({ saver, server }: OpenStore): Promise<ReadReport['failure']> {
  const { thread_id: thread } = THREAD.configurable;
  await saver.deleteThread(thread);
  const left = (await server?.rowCount(thread)) ?? 0;
  if (left === 0) return null;
  const message = `deleteThread of the saver has left ${left} rows of the thread.`;
  return { reason: 'not_removed', message, difference: null };
}

async function head(graph: ThreadGraph): Promise<unknown> {
  return (await graph.getState(THREAD)).values;
}

/** Reads of the head on the graph that wrote, and on one that is compiled anew for each. */
async function timeHeadReads(
  c: ChannelsCase,
  workload: MeasuredWorkload,
  { graph, meter, build }: MeteredGraph,
  { check, server }: { readonly check: StateCheck; readonly server: OpenStore['server'] },
): Promise<{ warmMs: number[]; coldGraphMs: number[]; calls: CallTotals; warmTraffic: Traffic[] }> {
  const calls = new CallTotals();
  const warmTraffic: Traffic[] = [];
  meter.take();
  server?.takeTraffic();
  const warmMs = await timeReads(
    () => head(graph),
    (state) => {
      if (server !== null) warmTraffic.push(server.takeTraffic());
      check.take('warm', state);
    },
  );
  const coldGraphMs = await timeReads(
    async () => head(await build()),
    (state) => check.take('cold_graph', state),
  );
  calls.add(meter.take());
  return { warmMs, coldGraphMs, calls, warmTraffic };
}

/** Every sample opens the database, compiles the graph and reads; closing is not timed. Null where nothing persists. */
async function timeReopenedReads(
  c: ChannelsCase,
  subject: Subject,
  check: StateCheck,
): Promise<number[] | null> {
  if (!capabilitiesOf(c).persistent) return null;
  let opened: OpenStore | null = null;
  return timeReads(
    async () => {
      opened = await subject.open();
      return head(await subject.workload.buildGraph(c, graphOptions(c, opened.saver)));
    },
    async (state) => {
      await opened?.close();
      check.take('cold_reopened', state);
    },
  );
}
