// What the child does with one case: fill a thread, read it back in every way, look at what was stored, and hold each
// state against the model. Returns a report; knows nothing of the parent.

import type { ThreadGraph, WorkloadSubject } from '../../fixtures/workloads/workload.js';
import type { ReadReport, WriteReport } from '../../harness/process/protocol.js';
import { cpuTimeMs, type PeakRss } from '../../harness/process/usage.js';
import { caseKey, type Case } from '../../harness/record/case.js';
import { BACKEND_CAPABILITIES } from '../../harness/record/names.js';
import { roundMs } from '../../harness/record/percentile.js';
import type { OpenStore } from '../../harness/savers/saver.js';
import { checkMode } from './check-mode.js';
import { StateCheck } from './check-states.js';
import { measurementOf } from './measurement.js';
import { diagnoseStorage } from './metrics-of.js';
import { THREAD, timeReads, timeUpdates } from './timing.js';

/** What is put to the test: a workload, and how to open the store of its case. */
export interface Subject {
  readonly workload: WorkloadSubject;
  readonly open: () => Promise<OpenStore>;
}

/** Fills a fresh store and measures writing, warm and cold reads, and what was stored. */
export async function measureWriter(c: Case, subject: Subject, peakRss: PeakRss): Promise<WriteReport> {
  const { workload } = subject;
  const peakLoadBytes = peakRss.endPhase();

  const check = new StateCheck(workload, c);
  const store = await subject.open();
  const graph = compile(workload, c, store);
  const updates = await timeUpdates(c, workload, graph);
  check.take('live', updates.live);
  const peakWriteBytes = peakRss.endPhase();
  const afterWrites = store.fileBytes();

  const warmMs = await timeReads(
    () => head(graph),
    (state) => check.take('warm', state),
  );
  const coldGraphMs = await timeReads(
    () => head(compile(workload, c, store)),
    (state) => check.take('cold_graph', state),
  );
  const peakReadBytes = peakRss.endPhase();
  const afterReads = store.fileBytes();

  const storage = diagnoseStorage(store, THREAD.configurable.thread_id, c);
  const mode = checkMode(store, c, workload, storage);
  const pragmas = store.pragmas();
  store.checkpointToDisk();
  const afterTruncate = store.fileBytes();
  store.close();
  const coldReopenedMs = await timeReopenedReads(c, subject, check);

  return {
    kind: 'report',
    case_key: caseKey(c),
    role: 'write',
    failure: check.failure ?? mode.failure,
    measurement: measurementOf({
      backend: c.backend,
      check,
      mode,
      writeMs: updates.samplesMs,
      reads: { warmMs, coldGraphMs, coldReopenedMs },
      storage,
      files: { afterWrites, afterReads, afterTruncate },
      peakRss: { method: peakRss.method, peakLoadBytes, peakWriteBytes, peakReadBytes },
      cpu: cpuTimeMs(),
      pragmas,
    }),
  };
}

/** Opens the store in this fresh process and reads the head once. */
export async function measureReader(c: Case, subject: Subject): Promise<ReadReport> {
  const start = performance.now();
  const store = await subject.open();
  const state = await head(compile(subject.workload, c, store));
  const elapsedMs = performance.now() - start;
  store.close();
  const check = new StateCheck(subject.workload, c);
  check.take('cold_process', state);
  return {
    kind: 'report',
    case_key: caseKey(c),
    role: 'read',
    failure: check.failure,
    cold_process_read_ms: roundMs(elapsedMs),
    state: check.digest('cold_process') ?? check.expected,
  };
}

function compile(workload: WorkloadSubject, c: Case, store: OpenStore): ThreadGraph {
  return workload.buildGraph(c, {
    saver: store.saver,
    mode: c.mode,
    snapshotFrequency: c.snapshot_frequency,
  });
}

async function head(graph: ThreadGraph): Promise<unknown> {
  return (await graph.getState(THREAD)).values;
}

/** Every sample opens the database, compiles the graph and reads; closing is not timed. Null where nothing persists. */
async function timeReopenedReads(c: Case, subject: Subject, check: StateCheck): Promise<number[] | null> {
  if (!BACKEND_CAPABILITIES[c.backend].persistent) return null;
  let opened: OpenStore | null = null;
  return timeReads(
    async () => {
      opened = await subject.open();
      return head(compile(subject.workload, c, opened));
    },
    (state) => {
      opened?.close();
      check.take('cold_reopened', state);
    },
  );
}
