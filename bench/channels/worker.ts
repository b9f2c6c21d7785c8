// The child of `deltaproof channels`: one case in, one report out. Imports nothing that is measured before stdout is
// taken for the report.

import { claimStdout, receiveRequest } from '../../harness/process/protocol.js';
import { PeakRss } from '../../harness/process/usage.js';

const send = claimStdout();
const request = await receiveRequest();
const peakRss = new PeakRss();
const { measureReader, measureWriter } = await import('./measure.js');
const { openStore } = await import('../../harness/savers/saver.js');
const { WORKLOAD_SUBJECTS } = await import('../../fixtures/workloads/registry.js');

const subject = {
  workload: WORKLOAD_SUBJECTS[request.case.workload],
  open: () => openStore(request.case.backend, request.store_dir),
};
await send(
  request.role === 'write'
    ? await measureWriter(request.case, subject, peakRss)
    : await measureReader(request.case, subject),
);
// A saver may hold handles that would keep a finished child waiting.
process.exit(0);
