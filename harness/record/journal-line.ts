// Every kind of line that a journal has.

import { z } from 'zod';
import { manifestSchema, rowSchema, verdictLineSchema } from './row.js';
import { scenarioRowSchema } from './scenario-row.js';

export const journalLineSchema = z.discriminatedUnion('kind', [
  manifestSchema,
  rowSchema,
  scenarioRowSchema,
  verdictLineSchema,
]);
export type JournalLine = z.infer<typeof journalLineSchema>;
