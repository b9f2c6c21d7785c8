// Every kind of line that a journal has.

import { z } from 'zod';
import { HISTORY_CACHES } from './names.js';
import { provenanceSchema } from './provenance.js';
import { channelsRowSchema, productionRowSchema } from './row.js';
import { scenarioRowSchema } from './scenario-row.js';
import { VERDICTS } from './verdict.js';

/** What a run set out to do; the first line of a journal, and again at each resume. */
export const manifestSchema = z.object({
  kind: z.literal('manifest'),
  schema_version: z.int().positive(),
  started_at: z.string(),
  provenance: provenanceSchema,
  /** The options that made the plan, without paths. */
  options: z.record(z.string(), z.unknown()),
  planned_cases: z.int().nonnegative(),
  skipped_cells: z.array(z.string()),
});
export type Manifest = z.infer<typeof manifestSchema>;

/** A judgement over more than one row. */
export const verdictLineSchema = z.object({
  kind: z.literal('verdict'),
  schema_version: z.int().positive(),
  /** `pair_digest`: the two modes of a pair hold the same state. */
  rule: z.literal('pair_digest'),
  verdict: z.enum(VERDICTS),
  cell: z.string(),
  snapshot_frequency: z.int().positive(),
  /** Of the delta row, as in its case. */
  history_cache: z.enum(HISTORY_CACHES).exclude(['off']).optional(),
  repetition: z.int().positive(),
  message: z.string(),
});
export type VerdictLine = z.infer<typeof verdictLineSchema>;

export const journalLineSchema = z.discriminatedUnion('kind', [
  manifestSchema,
  channelsRowSchema,
  productionRowSchema,
  scenarioRowSchema,
  verdictLineSchema,
]);
export type JournalLine = z.infer<typeof journalLineSchema>;
