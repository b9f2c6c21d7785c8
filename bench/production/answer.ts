// From a request to its report, once stdout is claimed: loads the packages under test and measures with them.

import { agentWorkload } from '../../fixtures/agents/registry.js';
import {
  serviceRequestSchema,
  type ServiceReadReport,
  type ServiceWriteReport,
} from '../../harness/process/production-messages.js';
import type { PeakRss } from '../../harness/process/usage.js';
import { historyCacheOf } from '../../harness/record/case.js';
import { WRAPPER_OF_CACHE } from '../../harness/record/wrappers.js';
import { WRAPPER_OPENERS } from '../../harness/runtime/wrappers.js';
import { storeOpener } from '../../harness/savers/saver.js';
import { measureReader, measureWriter } from './measure.js';

/**
 * @param peakRss was started before this module was loaded, so that loading is its first phase.
 * @throws ZodError when the request is not one.
 */
export async function answer(
  request: unknown,
  peakRss: PeakRss,
): Promise<ServiceWriteReport | ServiceReadReport> {
  const asked = serviceRequestSchema.parse(request);
  const { case: c, role, store_dir: dir, server, modules, redis_url: redisUrl } = asked;
  // Loaded before anything is timed.
  const open = await storeOpener(c.backend, modules);
  const cache = historyCacheOf(c);
  const subject = {
    parts: agentWorkload(c.workload)(c),
    open: () => open({ dir, server }),
    wrap: cache === 'off' ? null : await WRAPPER_OPENERS[WRAPPER_OF_CACHE[cache]]({ redisUrl }),
  };
  return role === 'write'
    ? measureWriter(c, subject, peakRss)
    : measureReader(c, subject, asked.removes_thread);
}
