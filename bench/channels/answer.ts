// From a request to its report, once stdout is claimed: loads the packages under test and measures with them.

import { workloadSubject } from '../../fixtures/workloads/registry.js';
import { workRequestSchema, type Report, type WorkRequest } from '../../harness/process/channels-messages.js';
import type { PeakRss } from '../../harness/process/usage.js';
import { historyCacheOf } from '../../harness/record/case.js';
import { WRAPPER_OF_CACHE } from '../../harness/record/wrappers.js';
import { WRAPPER_OPENERS, type Wrap } from '../../harness/runtime/wrappers.js';
import { storeOpener, type OpenStore } from '../../harness/savers/saver.js';
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
  const wrap = await wrapOf(asked);
  const workload =
    modules.graph === null
      ? workloadSubject(c.workload)
      : await (await import('./own-graph.js')).ownGraphWorkload(modules.graph, c);
  const subject = {
    workload,
    open: async (): Promise<OpenStore> => {
      const store = await open({ dir, server });
      return wrap === null ? store : { ...store, saver: wrap(store.saver) };
    },
  };
  return role === 'write' ? measureWriter(c, subject, peakRss) : measureReader(c, subject, asked);
}

/** What the case's history cache puts before a saver; null for nothing. */
async function wrapOf({ case: c, redis_url: redisUrl }: WorkRequest): Promise<Wrap | null> {
  const cache = historyCacheOf(c);
  return cache === 'off' ? null : WRAPPER_OPENERS[WRAPPER_OF_CACHE[cache]]({ redisUrl });
}
