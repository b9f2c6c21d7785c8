// From a request to its report, once stdout is claimed: loads the packages under test and measures with them.

import { workloadSubject } from '../../fixtures/workloads/registry.js';
import { workRequestSchema, type Report } from '../../harness/process/channels-messages.js';
import type { PeakRss } from '../../harness/process/usage.js';
import { storeOpener } from '../../harness/savers/saver.js';
import { measureReader, measureWriter } from './measure.js';

/**
 * @param peakRss was started before this module was loaded, so that loading is its first phase.
 * @throws ZodError when the request is not one.
 */
export async function answer(request: unknown, peakRss: PeakRss): Promise<Report> {
  const asked = workRequestSchema.parse(request);
  const { case: c, role, store_dir: dir, server, modules } = asked;
  // Loaded before anything is timed.
  const open = await storeOpener(c.backend, modules);
  const workload =
    modules.graph === null
      ? workloadSubject(c.workload)
      : await (await import('./own-graph.js')).ownGraphWorkload(modules.graph, c);
  const subject = { workload, open: () => open({ dir, server }) };
  return role === 'write' ? measureWriter(c, subject, peakRss) : measureReader(c, subject, asked);
}
