// The graph of a case with its saver and reducers metered, and beside it the same graph on a saver that keeps references and
// does a saver's work outside of what counts.

import type { GraphOptions, MeasuredWorkload, ThreadGraph } from '../../fixtures/workloads/workload.js';
import type { ChannelsCase } from '../../harness/record/case.js';
import { Meter } from '../../harness/savers/meter.js';
import { ReferenceSaver } from '../../harness/savers/reference.js';
import type { OpenStore } from '../../harness/savers/saver.js';
import { sameWork } from '../../harness/savers/same-work.js';
import { WalLooks } from './wal-looks.js';

export interface MeteredGraph {
  readonly graph: ThreadGraph;
  readonly meter: Meter;
  /** Compiles it anew, on the same meter. */
  readonly build: () => Promise<ThreadGraph>;
}

export interface MeteredGraphs {
  readonly measured: MeteredGraph;
  /** Null for a graph of the user's own, which is run once for each update: it may do something in the world. */
  readonly reference: MeteredGraph | null;
  /** To be called after each update, outside of its timing. */
  readonly afterUpdate: () => void;
}

export function graphOptions(c: ChannelsCase, saver: GraphOptions['saver']): GraphOptions {
  return { saver, mode: c.mode, snapshotFrequency: c.snapshot_frequency };
}

export async function meteredGraphs(
  c: ChannelsCase,
  workload: MeasuredWorkload,
  store: OpenStore,
): Promise<MeteredGraphs> {
  const metered = async (saverOf: (meter: Meter) => GraphOptions['saver']): Promise<MeteredGraph> => {
    const meter = new Meter();
    const build = async () => workload.buildGraph(c, { ...graphOptions(c, saverOf(meter)), meter });
    return { graph: await build(), meter, build };
  };
  const looks = new WalLooks(store.wal);
  return {
    measured: await metered((meter) => meter.meterSaver(store.saver, () => looks.afterTransaction())),
    reference:
      c.workload === 'custom'
        ? null
        : await metered((meter) => {
            const reference = new ReferenceSaver();
            return meter.meterSaver(reference, sameWork(reference, store.commitBeside));
          }),
    afterUpdate: () => looks.afterUpdate(),
  };
}
