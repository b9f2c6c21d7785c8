// The workload of a graph of the user's own; loaded where there is one.

import { customWorkload } from '../../fixtures/workloads/custom.js';
import type { MeasuredWorkload } from '../../fixtures/workloads/workload.js';
import { loadGraph } from '../../harness/graphs/own-graph.js';
import type { ChannelsCase } from '../../harness/record/case.js';

/** @param path of its module, absolute. */
export async function ownGraphWorkload(path: string, c: ChannelsCase): Promise<MeasuredWorkload> {
  return customWorkload(await loadGraph(path), c);
}
