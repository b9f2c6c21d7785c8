// How updates are timed inside the child: those of a growing thread happen once each and are timed by hand.

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { processIo } from '../../harness/process/usage.js';
import { roundMs } from '../../harness/record/percentile.js';
import type { ChannelsCase } from '../../harness/record/case.js';
import type { Span } from '../../harness/record/spans.js';
import type { MeteredCalls } from '../../harness/savers/meter.js';
import type { DiagnosedThread } from '../../harness/savers/storage-diagnosis.js';
import type { MeasuredWorkload, ThreadConfig } from '../../fixtures/workloads/workload.js';
import type { StateDigest } from '../../harness/record/digest.js';
import { CallTotals, costOf, type UpdateCost } from './attribution.js';
import { StateCheck } from './check-states.js';
import { GcPauses } from './gc-pauses.js';
import type { MeteredGraph, MeteredGraphs } from './metered-graphs.js';

/** The thread of a case; alone in its store. No workload comes near the recursion limit. */
export const THREAD: ThreadConfig = { configurable: { thread_id: 'deltaproof' }, recursionLimit: 10_000 };

/** The thread of a case, as what it stores is counted. */
export function storedThread(c: ChannelsCase, workload: MeasuredWorkload): DiagnosedThread {
  return {
    threadId: THREAD.configurable.thread_id,
    channels: workload.channels(c).map(({ channel }) => channel),
    updates: c.updates,
  };
}

/** The updates of one thread, in order. */
interface ThreadUpdates {
  readonly costs: UpdateCost[];
  /** What each update put. */
  readonly checkpointIds: (readonly string[])[];
  /** The newest checkpoint after each update. */
  readonly headIds: string[];
  readonly calls: CallTotals;
  /** What the last `invoke` returned. */
  live: unknown;
  /** Digests of what each `invoke` returned, where nothing else says what the state must be. */
  readonly liveDigests: StateDigest[];
}

export interface TimedUpdates {
  readonly measured: ThreadUpdates;
  /** The same updates on a saver that keeps references; null where they are not run again. */
  readonly reference: ThreadUpdates | null;
  readonly eventLoopDelay: { readonly p99Ms: number; readonly maxMs: number };
  /** Null where the system does not tell. */
  readonly written: ReturnType<typeof processIo>;
}

/**
 * Runs all updates of a case on one thread, and beside each the same update on the reference: both see the same machine
 * and the same state of the compiler, and no sample holds both. Which goes first flips from update to update.
 */
export async function timeUpdates(
  c: ChannelsCase,
  workload: MeasuredWorkload,
  graphs: MeteredGraphs,
): Promise<TimedUpdates> {
  const measured = noUpdates();
  const reference = graphs.reference && noUpdates();
  const beside = async (input: unknown) => {
    if (graphs.reference !== null && reference !== null)
      await timeUpdate(graphs.reference, input, reference, pauses);
  };
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const pauses = new GcPauses();
  const before = processIo();
  for (let update = 0; update < c.updates; update += 1) {
    const input = () => workload.input(c, update);
    if (update % 2 === 0) await beside(input());
    delay.enable();
    await timeUpdate(graphs.measured, input(), measured, pauses);
    delay.disable();
    graphs.afterUpdate();
    if (update % 2 === 1) await beside(input());
    if (workload.model === undefined) {
      const check = new StateCheck(workload, { ...c, updates: update + 1 });
      check.take('live', measured.live);
      measured.liveDigests.push(check.digest('live') as StateDigest);
    }
  }
  pauses.stop();
  const after = processIo();
  return {
    measured,
    reference,
    eventLoopDelay: { p99Ms: roundMs(delay.percentile(99) / 1e6), maxMs: roundMs(delay.max / 1e6) },
    written: before &&
      after && {
        wcharBytes: after.wcharBytes - before.wcharBytes,
        writeBytes: after.writeBytes - before.writeBytes,
      },
  };
}

function noUpdates(): ThreadUpdates {
  return { costs: [], checkpointIds: [], headIds: [], calls: new CallTotals(), live: null, liveDigests: [] };
}

async function timeUpdate(
  { graph, meter }: MeteredGraph,
  input: unknown,
  into: ThreadUpdates,
  pauses: GcPauses,
): Promise<void> {
  await nextTurn();
  meter.take();
  const startMs = meter.now();
  into.live = await graph.invoke(input, THREAD);
  const turn: Span = { startMs, endMs: meter.now() };
  const calls: MeteredCalls = meter.take();
  // The timer of the event loop's delay fires, and pauses are told, in the turn after the one that they belong to.
  await nextTurn();
  into.costs.push(costOf(turn, calls, pauses.take()));
  into.calls.add(calls);
  into.checkpointIds.push(calls.checkpointIds);
  into.headIds.push([...calls.checkpointIds, into.headIds.at(-1) ?? ''].toSorted().at(-1) ?? '');
}

/** A turn of the event loop between updates, as between requests of a server; the parent's end is noticed here. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
