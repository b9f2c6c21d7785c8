// What the controller asks of a child of `deltaproof channels`, and what the child reports.

import { z } from 'zod';
import { caseKey, caseSchema } from '../record/case.js';
import { differenceSchema, measurementSchema, stateDigestSchema } from '../record/row.js';
import { modulePathsSchema } from '../record/own-modules.js';
import { schemaPlaceSchema } from '../record/store-place.js';
import { reportBase, type Task } from './protocol.js';

/** `write`: fill a fresh store and measure. `read`: open the store in a fresh process and read the head once. */
export const workRequestSchema = z.object({
  case: caseSchema,
  role: z.enum(['write', 'read']),
  /** Folder that holds the store and nothing else; made and removed by the parent. */
  store_dir: z.string(),
  /** Where the store is, for a backend with a server; null for others. */
  server: schemaPlaceSchema.nullable(),
  /** The Redis server of a history cache that needs one; null where none is named. */
  redis_url: z.string().nullable(),
  /** Modules of the user, for children alone. */
  modules: modulePathsSchema,
  /** Of a reader: the digest that the writer's live value had, where that decides; null where there is a model. */
  expected: stateDigestSchema.nullable(),
  /** Of a reader: delete the thread, once it has been read. */
  removes_thread: z.boolean(),
});
export type WorkRequest = z.infer<typeof workRequestSchema>;

/** What the child itself found wrong; the parent adds which child it was and its stderr. */
export const childFailureSchema = z.object({
  reason: z.enum(['wrong_state', 'mode_not_in_effect', 'not_removed']),
  message: z.string(),
  difference: differenceSchema.nullable(),
});
export type ChildFailure = z.infer<typeof childFailureSchema>;

export const writeReportSchema = reportBase.extend({
  role: z.literal('write'),
  failure: childFailureSchema.nullable(),
  measurement: measurementSchema,
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

type CaseTask = Omit<WorkRequest, 'role' | keyof ReaderOrders>;

/** What a reader is told beside its case. */
export type ReaderOrders = Pick<WorkRequest, 'expected' | 'removes_thread'>;

/** Nothing but to read. */
export const NO_ORDERS: ReaderOrders = { expected: null, removes_thread: false };

export function writeTask(task: CaseTask): Task<WriteReport> {
  const request: WorkRequest = { ...task, ...NO_ORDERS, role: 'write' };
  return { request, caseKey: caseKey(task.case), role: 'write', reportSchema: writeReportSchema };
}

export function readTask(task: CaseTask, orders: ReaderOrders): Task<ReadReport> {
  const request: WorkRequest = { ...task, ...orders, role: 'read' };
  return { request, caseKey: caseKey(task.case), role: 'read', reportSchema: readReportSchema };
}
