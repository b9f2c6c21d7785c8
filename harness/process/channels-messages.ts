// What the controller asks of a child of `deltaproof channels`, and what the child reports.

import { z } from 'zod';
import { caseKey, channelsCaseSchema, type ChannelsCase } from '../record/case.js';
import { channelsMeasurementSchema } from '../record/channels-measurement.js';
import { stateDigestSchema } from '../record/row-parts.js';
import { childFailureSchema, requestFields, type CaseRequest } from './case-messages.js';
import { reportBase, type Task } from './protocol.js';

export const workRequestSchema = z.object({
  case: channelsCaseSchema,
  ...requestFields,
  /** Of a reader: the digest that the writer's live value had, where that decides; null where there is a model. */
  expected: stateDigestSchema.nullable(),
});
export type WorkRequest = z.infer<typeof workRequestSchema>;

export const writeReportSchema = reportBase.extend({
  role: z.literal('write'),
  failure: childFailureSchema.nullable(),
  measurement: channelsMeasurementSchema,
});
export type WriteReport = z.infer<typeof writeReportSchema>;

export const readReportSchema = reportBase.extend({
  role: z.literal('read'),
  failure: childFailureSchema.nullable(),
  /** From opening the store to the materialized state; packages were imported before. */
  cold_process_read_ms: z.number(),
  state: stateDigestSchema,
});
export type ReadReport = z.infer<typeof readReportSchema>;

export type Report = WriteReport | ReadReport;

/** What a reader is told beside its case. */
export type ReaderOrders = Pick<WorkRequest, 'expected' | 'removes_thread'>;

/** Nothing but to read. */
export const NO_ORDERS: ReaderOrders = { expected: null, removes_thread: false };

export function writeTask(asked: CaseRequest<ChannelsCase>): Task<WriteReport> {
  const request: WorkRequest = { ...asked, ...NO_ORDERS, role: 'write' };
  return { request, caseKey: caseKey(asked.case), role: 'write', reportSchema: writeReportSchema };
}

export function readTask(asked: CaseRequest<ChannelsCase>, orders: ReaderOrders): Task<ReadReport> {
  const request: WorkRequest = { ...asked, ...orders, role: 'read' };
  return { request, caseKey: caseKey(asked.case), role: 'read', reportSchema: readReportSchema };
}
