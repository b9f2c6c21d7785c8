// The graph of a case with its saver and reducers metered, and beside it the same graph on a saver that keeps references and
// does a saver's work outside of what counts.

import type { GraphOptions, ThreadGraph, WorkloadSubject } from '../../fixtures/workloads/workload.js';
import type { Case } from '../../harness/record/case.js';
import { Meter } from '../../harness/savers/meter.js';
import { ReferenceSaver } from '../../harness/savers/reference.js';
import type { OpenStore } from '../../harness/savers/saver.js';
import { sameWork } from '../../harness/savers/same-work.js';
import { WalLooks } from './wal-looks.js';

export interface MeteredGraph {
  readonly graph: ThreadGraph;
  readonly meter: Meter;
  /** Compiles it anew, on the same meter. */
  readonly build: () => ThreadGraph;
}

export interface MeteredGraphs {
  readonly measured: MeteredGraph;
  readonly reference: MeteredGraph;
  /** To be called after each update, outside of its timing. */
  readonly afterUpdate: () => void;
}

export function graphOptions(c: Case, saver: GraphOptions['saver']): GraphOptions {
  return { saver, mode: c.mode, snapshotFrequency: c.snapshot_frequency };
}

export function meteredGraphs(c: Case, workload: WorkloadSubject, store: OpenStore): MeteredGraphs {
  const metered = (saverOf: (meter: Meter) => GraphOptions['saver']): MeteredGraph => {
    const meter = new Meter();
    const build = () => workload.buildGraph(c, { ...graphOptions(c, saverOf(meter)), meter });
    return { graph: build(), meter, build };
  };
  const looks = new WalLooks(store.wal);
  return {
    measured: metered((meter) => meter.meterSaver(store.saver, () => looks.afterTransaction())),
    reference: metered((meter) => {
      const reference = new ReferenceSaver();
      return meter.meterSaver(reference, sameWork(reference, store.commitBeside));
    }),
    afterUpdate: () => looks.afterUpdate(),
  };
}
