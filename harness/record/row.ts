// The record of one case, one JSON line of the journal. This is the spine: everything that measures ends in a Row, everything
// that reports starts from one. Versioned; field names are snake_case, unit last.

import { z } from 'zod';
import { channelsCaseSchema, productionCaseSchema } from './case.js';
import { channelsMeasurementSchema, deviatingReading } from './channels-measurement.js';
import { deviatingBody, productionMeasurementSchema } from './production-measurement.js';
import { provenanceSchema } from './provenance.js';
import { failureSchema } from './row-parts.js';

/** Raised when a field changes its meaning or goes; rows of different versions are not pooled. */
export const SCHEMA_VERSION = 1;

/** What a row says beside its case and its measurement. */
const shared = {
  schema_version: z.int().positive(),
  provenance: provenanceSchema,
  /** Position in the run's order, from 0. */
  run_index: z.int().nonnegative(),
  /** UTC, ISO 8601. */
  started_at: z.string(),
  /** Wall time of all children of the case. */
  elapsed_ms: z.number().nonnegative(),
  /** One-minute load average when the case started. */
  load_at_start: z.number().nonnegative(),
  success: z.boolean(),
  /** Null exactly when `success`. */
  failure: failureSchema.nullable(),
  /** Measured under a profiler: kept, never in a ratio. */
  profiled: z.boolean(),
};

interface Outcome {
  readonly success: boolean;
  readonly failure: unknown;
  readonly measurement: unknown;
}

const SUCCESS_IS_NO_FAILURE = {
  check: (row: Outcome): boolean => row.success === (row.failure === null),
  says: { error: 'success contradicts failure', path: ['success'] },
};
const SUCCESS_IS_MEASURED = {
  check: (row: Outcome): boolean => !row.success || row.measurement !== null,
  says: { error: 'a successful row has a measurement', path: ['measurement'] },
};

function deviates(path: readonly string[]) {
  return {
    code: 'custom' as const,
    message: 'its state is not that of the oracle, but the row says success',
    path: ['measurement', ...path],
  };
}

/** One case of `deltaproof channels`. */
export const channelsRowSchema = z
  .object({
    kind: z.literal('row'),
    case: channelsCaseSchema,
    ...shared,
    /** Null when the writer ended without a report; never in a successful row. */
    measurement: channelsMeasurementSchema.nullable(),
  })
  .refine(SUCCESS_IS_NO_FAILURE.check, SUCCESS_IS_NO_FAILURE.says)
  .refine(SUCCESS_IS_MEASURED.check, SUCCESS_IS_MEASURED.says)
  .superRefine((row, context) => {
    const reading = row.success && row.measurement !== null ? deviatingReading(row.measurement) : null;
    if (reading !== null) context.addIssue(deviates(['materialized_sha256', reading]));
  });
export type ChannelsRow = z.infer<typeof channelsRowSchema>;

/** One case of `deltaproof production`. */
export const productionRowSchema = z
  .object({
    kind: z.literal('production_row'),
    case: productionCaseSchema,
    ...shared,
    measurement: productionMeasurementSchema.nullable(),
  })
  .refine(SUCCESS_IS_NO_FAILURE.check, SUCCESS_IS_NO_FAILURE.says)
  .refine(SUCCESS_IS_MEASURED.check, SUCCESS_IS_MEASURED.says)
  .superRefine((row, context) => {
    const body = row.success && row.measurement !== null ? deviatingBody(row.measurement) : null;
    if (body !== null) context.addIssue(deviates(body));
  });
export type ProductionRow = z.infer<typeof productionRowSchema>;

export const rowSchema = z.discriminatedUnion('kind', [channelsRowSchema, productionRowSchema]);
/** One case of whichever experiment. */
export type Row = ChannelsRow | ProductionRow;

export function isRow<Line extends { readonly kind: string }>(line: Line): line is Extract<Line, Row> {
  return line.kind === 'row' || line.kind === 'production_row';
}
