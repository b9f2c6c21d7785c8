// What `deltaproof doctor` asks of a child that opens a backend, and what the child reports.

import { z } from 'zod';
import { ALL_BACKENDS } from '../record/names.js';
import { schemaPlaceSchema } from '../record/store-place.js';
import { reportBase, type Task } from './protocol.js';

export const openRequestSchema = z.object({
  backend: z.enum(ALL_BACKENDS),
  /** An empty folder for the store; made and removed by the parent. */
  store_dir: z.string(),
  /** Where the store is, for a backend with a server; null for others. */
  server: schemaPlaceSchema.nullable(),
});
export type OpenRequest = z.infer<typeof openRequestSchema>;

export const openReportSchema = reportBase.extend({
  role: z.literal('open'),
  outcome: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('opened'),
      /** Importing the saver and its driver. */
      load_ms: z.number().nonnegative(),
      /** Opening the store, putting one checkpoint and reading it. */
      round_trip_ms: z.number().nonnegative(),
    }),
    z.object({
      kind: z.literal('refused'),
      /** First sentence of the error, scrubbed. */
      error: z.string(),
      /** The error's `code`, such as ERR_MODULE_NOT_FOUND. */
      code: z.string().nullable(),
    }),
  ]),
});
export type OpenReport = z.infer<typeof openReportSchema>;

export function openTask(request: OpenRequest): Task<OpenReport> {
  return { request, caseKey: request.backend, role: 'open', reportSchema: openReportSchema };
}
