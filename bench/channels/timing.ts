// How updates and reads are timed inside the child. Updates of a growing thread happen once each and are timed by
// hand; reads are idempotent and are tinybench tasks.

import { Bench } from 'tinybench';
import { roundMs } from '../../harness/record/percentile.js';
import { READ_SAMPLES } from '../../harness/record/sampling.js';
import type { Case } from '../../harness/record/case.js';
import type { ThreadConfig, ThreadGraph, WorkloadSubject } from '../../fixtures/workloads/workload.js';

/** The thread of a case; alone in its store. No workload comes near the recursion limit. */
export const THREAD: ThreadConfig = { configurable: { thread_id: 'deltaproof' }, recursionLimit: 10_000 };

export interface TimedUpdates {
  /** Milliseconds of each `invoke`, in order. */
  readonly samplesMs: number[];
  /** What the last `invoke` returned. */
  readonly live: unknown;
}

/** Runs all updates of a case on one thread. */
export async function timeUpdates(
  c: Case,
  workload: WorkloadSubject,
  graph: ThreadGraph,
): Promise<TimedUpdates> {
  const samplesMs: number[] = [];
  let live: unknown = null;
  for (let update = 0; update < c.updates; update += 1) {
    const input = workload.input(c, update);
    // A turn of the event loop between updates, as between requests of a server; the parent's end is noticed here.
    await new Promise((resolve) => setImmediate(resolve));
    const start = performance.now();
    live = await graph.invoke(input, THREAD);
    samplesMs.push(roundMs(performance.now() - start));
  }
  return { samplesMs, live };
}

/**
 * Times an idempotent read {@link READ_SAMPLES} times, after one that does not count.
 *
 * @param onState is given what each read returned, outside the timing.
 * @returns milliseconds of each read, ascending, as tinybench keeps them.
 */
export async function timeReads(
  read: () => Promise<unknown>,
  onState: (state: unknown) => void,
): Promise<number[]> {
  let state: unknown = null;
  const bench = new Bench({
    iterations: READ_SAMPLES,
    time: 0,
    warmupIterations: 1,
    warmupTime: 0,
    retainSamples: true,
    throws: true,
  });
  const captureState = async () => {
    state = await read();
  };
  bench.add('read', captureState, { async: true, afterEach: () => onState(state) });
  const [task] = await bench.run();
  const result = task?.result;
  if (result?.state !== 'completed')
    throw new Error(`Timing a read ended ${result?.state ?? 'without a task'}.`);
  return (result.latency.samples ?? []).map(roundMs);
}
