// The children of a case of each experiment: what they are asked, one after the other, and how their reports make the
// measurement of its row.

import type { CaseRequest, ChildFailure } from '../process/case-messages.js';
import { readTask, writeTask, type ReadReport, type WriteReport } from '../process/channels-messages.js';
import {
  serviceReadTask,
  serviceWriteTask,
  type ServiceReadReport,
  type ServiceWriteReport,
} from '../process/production-messages.js';
import type { AnyReport, Task } from '../process/protocol.js';
import type { Case, ChannelsCase, ProductionCase } from '../record/case.js';
import type { ChannelsMeasurement } from '../record/channels-measurement.js';
import { percentile } from '../record/percentile.js';
import { pageName, type ProductionMeasurement } from '../record/production-measurement.js';
import { READERS_PER_CASE } from '../record/sampling.js';

export interface FoundReport extends AnyReport {
  readonly failure: ChildFailure | null;
}

export interface WrittenReport<Measurement> extends FoundReport {
  readonly measurement: Measurement;
}

export interface CaseChildren<
  C extends Case,
  Measurement,
  Written extends WrittenReport<Measurement>,
  Read extends FoundReport,
> {
  /** Fresh processes that read the store, where it outlives a process. */
  readonly readers: number;
  write(request: CaseRequest<C>): Task<Written>;
  /** @param removesThread as a user of a server takes a thread away. */
  read(request: CaseRequest<C>, written: Measurement, removesThread: boolean): Task<Read>;
  /** The writer's measurement with what the readers so far have found. */
  complete(written: Measurement, reports: readonly Read[]): Measurement;
}

export const CHANNELS_CHILDREN: CaseChildren<ChannelsCase, ChannelsMeasurement, WriteReport, ReadReport> = {
  readers: READERS_PER_CASE,
  write: writeTask,
  read: (request, { oracle, materialized_sha256: digests }, removesThread) =>
    readTask(request, {
      expected: oracle === 'live' ? digests.live : null,
      removes_thread: removesThread,
    }),
  complete(written, reports) {
    const samples = reports.map((report) => report.cold_process_read_ms);
    return {
      ...written,
      materialized_sha256: { ...written.materialized_sha256, cold_process: reports.at(-1)?.state ?? null },
      metrics: { ...written.metrics, cold_process_read_ms: percentile(samples, 50) },
      samples_ms: { ...written.samples_ms, cold_process_read: samples },
    };
  },
};

export const PRODUCTION_CHILDREN: CaseChildren<
  ProductionCase,
  ProductionMeasurement,
  ServiceWriteReport,
  ServiceReadReport
> = {
  readers: 1,
  write: serviceWriteTask,
  read: (request, _, removesThread) => serviceReadTask(request, removesThread),
  complete(written, [report]) {
    if (report === undefined) return written;
    const bodies = new Map(report.bodies.map(({ page, sha256 }) => [pageName(page), sha256]));
    return {
      ...written,
      materialized_sha256: { ...written.materialized_sha256, cold_process: report.state },
      wire_sha256: written.wire_sha256.map((body) => ({
        ...body,
        fresh: bodies.get(pageName(body.page)) ?? null,
      })),
      metrics: { ...written.metrics, ...report.metrics },
      reads: [...written.reads, ...report.reads],
    };
  },
};
