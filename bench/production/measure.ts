// What the child does with one case: run the turns of a thread through the service, read it back through the routes, look at
// what was stored, and hold every state and body against the script. Returns a report; knows nothing of the parent.

import { agentChannels } from '../../fixtures/agents/expected-channels.js';
import type { ChildFailure } from '../../harness/process/case-messages.js';
import type { ServiceReadReport, ServiceWriteReport } from '../../harness/process/production-messages.js';
import { cpuTimeMs, type PeakRss } from '../../harness/process/usage.js';
import { caseKey, type ProductionCase } from '../../harness/record/case.js';
import { diagnoseStorage } from '../../harness/savers/storage-diagnosis.js';
import { channelEvidence, storedMode } from '../../harness/verify/stored-mode.js';
import { BodyCheck, pagesOf } from './check-bodies.js';
import { underLoad } from './load.js';
import { measurementOf } from './measurement.js';
import { readAsAssistants } from './read-as-assistants.js';
import { readMetrics, readPages } from './read-pages.js';
import { runTurns } from './run-turns.js';
import {
  LOADED_THREAD,
  openService,
  OTHER_THREAD,
  THREAD,
  type ServiceUnderTest,
  type Subject,
} from './service-under-test.js';

const AT_HEAD = { configurable: { thread_id: THREAD } };

/** Fills a fresh store turn by turn and reads it in the process that wrote. */
export async function measureWriter(
  c: ProductionCase,
  subject: Subject,
  peakRss: PeakRss,
): Promise<ServiceWriteReport> {
  const peakLoadBytes = peakRss.endPhase();
  const check = new BodyCheck(c, subject.parts);
  const under = await openService(c, subject);
  const { store } = under;
  const turns = await runTurns(c, subject.parts, under);
  const live = check.takeState('live', turns.live);
  const peakWriteBytes = peakRss.endPhase();
  const afterWrites = store.fileBytes();
  const relations = (await store.server?.relationBytes()) ?? null;

  const reads = await readPages(c, under, check, 'writer');
  const assistantReads = await readAsAssistants(c, under, check);
  const warm = check.takeState('warm', await headOf(under));
  const peakReadBytes = peakRss.endPhase();
  const afterReads = store.fileBytes();
  const historyCache = under.cacheStats();

  const channels = agentChannels(subject.parts, c);
  const storage = await diagnoseStorage(store, {
    threadId: THREAD,
    channels: channels.map(({ channel }) => channel),
    updates: c.updates,
  });
  const mode = await storedMode(storage.statistics !== null, () =>
    channelEvidence(() => store.records(THREAD), channels),
  );
  const pragmas = await store.pragmas();
  store.checkpointToDisk();
  const afterTruncate = store.fileBytes();
  // Last, so that the thread which is written meanwhile is no part of what was stored.
  const load = await underLoad(c, subject.parts, under, check);
  await under.close();
  return {
    kind: 'report',
    case_key: caseKey(c),
    role: 'write',
    failure: check.failure ?? modeFailure(mode.evidence),
    measurement: measurementOf({
      case: c,
      check,
      states: { live, warm },
      turns,
      reads,
      assistantReads,
      load,
      storage,
      mode,
      relations,
      files: { afterWrites, afterReads, afterTruncate },
      peakRss: { method: peakRss.method, peakLoadBytes, peakWriteBytes, peakReadBytes },
      historyCache,
      cpu: cpuTimeMs(),
      pragmas,
    }),
  };
}

/** Reads the store in this fresh process; deletes the thread where it is the last to read it. */
export async function measureReader(
  c: ProductionCase,
  subject: Subject,
  removesThread: boolean,
): Promise<ServiceReadReport> {
  const check = new BodyCheck(c, subject.parts);
  const under = await openService(c, subject);
  const reads = await readPages(c, under, check, 'fresh');
  const state = check.takeState('cold_process', await headOf(under));
  const notRemoved = removesThread ? await removeThreads(under) : null;
  await under.close();
  return {
    kind: 'report',
    case_key: caseKey(c),
    role: 'read',
    failure: check.failure ?? notRemoved,
    state,
    bodies: pagesOf(c).map((page) => ({ page, sha256: check.digest(page) })),
    reads,
    metrics: readMetrics(reads),
  };
}

async function headOf({ service }: ServiceUnderTest): Promise<unknown> {
  const accessor = await service.accessorOf(THREAD);
  return (await accessor?.get(AT_HEAD))?.values;
}

function modeFailure(evidence: string | null): ChildFailure | null {
  return evidence === null ? null : { reason: 'mode_not_in_effect', message: evidence, difference: null };
}

/** Null where no row of the threads is left. */
async function removeThreads({ store }: ServiceUnderTest): Promise<ChildFailure | null> {
  for (const thread of [THREAD, OTHER_THREAD, LOADED_THREAD]) {
    await store.saver.deleteThread(thread);
    const left = (await store.server?.rowCount(thread)) ?? 0;
    if (left === 0) continue;
    const message = `deleteThread of the saver has left ${left} rows of the thread.`;
    return { reason: 'not_removed', message, difference: null };
  }
  return null;
}
