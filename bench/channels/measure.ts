// What the child does with one case: fill a thread, read it back in every way, look at what was stored, and hold each
// state against the model. Returns a report; knows nothing of the parent.

import type { ThreadGraph, WorkloadSubject } from '../../fixtures/workloads/workload.js';
import { modeNotInEffect } from '../../harness/chain/mode-in-effect.js';
import type { ChildFailure, ReadReport, WriteReport } from '../../harness/process/protocol.js';
import { cpuTimeMs, type PeakRss } from '../../harness/process/usage.js';
import { caseKey, type Case } from '../../harness/record/case.js';
import type { StateRecord } from '../../harness/record/digest.js';
import { BACKEND_CAPABILITIES } from '../../harness/record/names.js';
import { roundMs } from '../../harness/record/percentile.js';
import type { OpenStore } from '../../harness/savers/saver.js';
import { checkStates } from './check-states.js';
import { measurementOf } from './measurement.js';
import { diagnoseStorage } from './metrics-of.js';
import { THREAD, timeReads, timeUpdates, type TimedReads } from './timing.js';

/** What is put to the test: a workload, and how to open the store of its case. */
export interface Subject {
  readonly workload: WorkloadSubject;
  readonly open: () => Promise<OpenStore>;
}

/** Fills a fresh store and measures writing, warm and cold reads, and what was stored. */
export async function measureWriter(c: Case, subject: Subject, peakRss: PeakRss): Promise<WriteReport> {
  const { workload } = subject;
  const peakLoadBytes = peakRss.endPhase();

  const store = await subject.open();
  const graph = compile(workload, c, store);
  const updates = await timeUpdates(c, workload, graph);
  const peakWriteBytes = peakRss.endPhase();
  const afterWrites = store.fileBytes();

  const warm = await timeReads(() => head(graph));
  const coldGraph = await timeReads(() => head(compile(workload, c, store)));
  const peakReadBytes = peakRss.endPhase();
  const afterReads = store.fileBytes();

  const storage = diagnoseStorage(store, THREAD.configurable.thread_id, c);
  const modeEvidence = storage.error === null ? checkMode(store, c, workload) : null;
  const pragmas = store.pragmas();
  store.checkpointToDisk();
  const afterTruncate = store.fileBytes();
  store.close();
  const coldReopened = await timeReopenedReads(c, subject);

  const checked = checkStates(workload, c, {
    live: updates.live,
    warm: warm.state,
    cold_graph: coldGraph.state,
    ...(coldReopened === null ? {} : { cold_reopened: coldReopened.state }),
  });
  return {
    kind: 'report',
    case_key: caseKey(c),
    role: 'write',
    failure: checked.failure ?? modeFailure(modeEvidence),
    measurement: measurementOf({
      backend: c.backend,
      digests: checked.digests,
      writeMs: updates.samplesMs,
      reads: { warm, coldGraph, coldReopened },
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
  const checked = checkStates(subject.workload, c, { cold_process: state });
  return {
    kind: 'report',
    case_key: caseKey(c),
    role: 'read',
    failure: checked.failure,
    cold_process_read_ms: roundMs(elapsedMs),
    state: checked.digests.cold_process,
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
async function timeReopenedReads(c: Case, subject: Subject): Promise<TimedReads | null> {
  if (!BACKEND_CAPABILITIES[c.backend].persistent) return null;
  let opened: OpenStore | null = null;
  return timeReads(
    async () => {
      opened = await subject.open();
      return head(compile(subject.workload, c, opened));
    },
    () => opened?.close(),
  );
}

/** Evidence that the mode was not in effect in one of the workload's channels. */
function checkMode(store: OpenStore, c: Case, workload: WorkloadSubject): string | null {
  const model = workload.model(c);
  for (const expectation of workload.channels(c)) {
    const evidence = modeNotInEffect(store.records(THREAD.configurable.thread_id), {
      ...expectation,
      wholeValueMarks: marksOf(model[expectation.channel] ?? []),
    });
    if (evidence !== null) return evidence;
  }
  return null;
}

/** The ids of the first and last element of a list, or the first and last key of a map. */
function marksOf(elements: StateRecord[string]): string[] {
  const names = Array.isArray(elements)
    ? elements.map((element) => String((element as { id?: unknown }).id))
    : Object.keys(elements);
  return [...new Set([names.at(0), names.at(-1)])].filter((name) => name !== undefined);
}

function modeFailure(evidence: string | null): ChildFailure | null {
  return evidence === null ? null : { reason: 'mode_not_in_effect', message: evidence, difference: null };
}
