// What the controller asks of a child of `deltaproof production`, and what the child reports.

import { z } from 'zod';
import { caseKey, productionCaseSchema, type ProductionCase } from '../record/case.js';
import {
  pageSchema,
  productionMeasurementSchema,
  routeReadsSchema,
} from '../record/production-measurement.js';
import { metricValuesSchema } from '../record/row-numbers.js';
import { stateDigestSchema } from '../record/row-parts.js';
import { childFailureSchema, requestFields, type CaseRequest } from './case-messages.js';
import { reportBase, type Task } from './protocol.js';

export const serviceRequestSchema = z.object({ case: productionCaseSchema, ...requestFields });
export type ServiceRequest = z.infer<typeof serviceRequestSchema>;

export const serviceWriteReportSchema = reportBase.extend({
  role: z.literal('write'),
  failure: childFailureSchema.nullable(),
  measurement: productionMeasurementSchema,
});
export type ServiceWriteReport = z.infer<typeof serviceWriteReportSchema>;

export const serviceReadReportSchema = reportBase.extend({
  role: z.literal('read'),
  failure: childFailureSchema.nullable(),
  state: stateDigestSchema,
  /** Digests of the bodies. */
  bodies: z.array(z.object({ page: pageSchema, sha256: z.string() })),
  reads: z.array(routeReadsSchema),
  /** Of these reads. */
  metrics: metricValuesSchema,
});
export type ServiceReadReport = z.infer<typeof serviceReadReportSchema>;

export function serviceWriteTask(asked: CaseRequest<ProductionCase>): Task<ServiceWriteReport> {
  const request: ServiceRequest = { ...asked, removes_thread: false, role: 'write' };
  return { request, caseKey: caseKey(asked.case), role: 'write', reportSchema: serviceWriteReportSchema };
}

export function serviceReadTask(
  asked: CaseRequest<ProductionCase>,
  removesThread: boolean,
): Task<ServiceReadReport> {
  const request: ServiceRequest = { ...asked, removes_thread: removesThread, role: 'read' };
  return { request, caseKey: caseKey(asked.case), role: 'read', reportSchema: serviceReadReportSchema };
}
