// How reads are timed: idempotent work, as tinybench tasks.

import { Bench } from 'tinybench';
import { roundMs } from '../record/percentile.js';
import { READ_SAMPLES } from '../record/sampling.js';

/**
 * Times an idempotent read `samples` times, after one that does not count.
 *
 * @param onState is given what each read returned, outside the timing.
 * @returns milliseconds of each read, ascending, as tinybench keeps them.
 */
export async function timeReads(
  read: () => unknown,
  onState: (state: unknown) => void | Promise<void>,
  samples: number = READ_SAMPLES,
): Promise<number[]> {
  let state: unknown = null;
  const bench = new Bench({
    iterations: samples,
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
