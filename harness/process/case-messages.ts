// What the controller asks of the children of a case, and what a child says of a failure, whatever the experiment.

import { z } from 'zod';
import type { Case } from '../record/case.js';
import { modulePathsSchema } from '../record/own-modules.js';
import { differenceSchema } from '../record/row-parts.js';
import { schemaPlaceSchema } from '../record/store-place.js';

/** Of a request, beside the case. */
export const requestFields = {
  /** `write`: fill a fresh store and measure. `read`: open the store in a fresh process and read. */
  role: z.enum(['write', 'read']),
  /** Folder that holds the store and nothing else; made and removed by the parent. */
  store_dir: z.string(),
  /** Where the store is, for a backend with a server; null for others. */
  server: schemaPlaceSchema.nullable(),
  /** The Redis server of a history cache that needs one; null where none is named. */
  redis_url: z.string().nullable(),
  /** Modules of the user, for children alone. */
  modules: modulePathsSchema,
  /** Of a reader: delete the thread, once it has been read. */
  removes_thread: z.boolean(),
};

type RequestFields = z.infer<z.ZodObject<typeof requestFields>>;

/** What all children of a case are told. */
export interface CaseRequest<C extends Case> extends Omit<RequestFields, 'role' | 'removes_thread'> {
  readonly case: C;
}

/** What the child itself found wrong; the parent adds which child it was and its stderr. */
export const childFailureSchema = z.object({
  reason: z.enum(['wrong_state', 'mode_not_in_effect', 'not_removed']),
  message: z.string(),
  difference: differenceSchema.nullable(),
});
export type ChildFailure = z.infer<typeof childFailureSchema>;
