// The record of one case, one JSON line of the journal. This is the spine: everything that measures ends in a Row, everything
// that reports starts from one. Versioned; field names are snake_case, unit last.

import { z } from 'zod';
import { channelsCaseSchema, productionCaseSchema } from './case.js';
import {
  channelsMeasurementSchema,
  deviatingReading,
  type ChannelsMeasurement,
} from './channels-measurement.js';
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

interface Outcome<Measurement> {
  readonly success: boolean;
  readonly failure: unknown;
  readonly measurement: Measurement | null;
}

/** @param deviates where a measurement is not what its oracle vouches for, as a path into it; null for nowhere. */
function honest<Measurement>(deviates: (measurement: Measurement) => readonly string[] | null) {
  return ({ success, failure, measurement }: Outcome<Measurement>, context: z.RefinementCtx): void => {
    const refuse = (message: string, ...path: string[]): void =>
      context.addIssue({ code: 'custom', message, path });
    if (success !== (failure === null)) refuse('success contradicts failure', 'success');
    if (!success) return;
    if (measurement === null) return refuse('a successful row has a measurement', 'measurement');
    const where = deviates(measurement);
    if (where !== null)
      refuse('its state is not that of the oracle, but the row says success', 'measurement', ...where);
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
  .superRefine(
    honest((measurement: ChannelsMeasurement) => {
      const reading = deviatingReading(measurement);
      return reading && ['materialized_sha256', reading];
    }),
  );
export type ChannelsRow = z.infer<typeof channelsRowSchema>;

/** One case of `deltaproof production`. */
export const productionRowSchema = z
  .object({
    kind: z.literal('production_row'),
    case: productionCaseSchema,
    ...shared,
    measurement: productionMeasurementSchema.nullable(),
  })
  .superRefine(honest(deviatingBody));
export type ProductionRow = z.infer<typeof productionRowSchema>;

export const rowSchema = z.discriminatedUnion('kind', [channelsRowSchema, productionRowSchema]);
/** One case of whichever experiment. */
export type Row = ChannelsRow | ProductionRow;

export function isRow<Line extends { readonly kind: string }>(line: Line): line is Extract<Line, Row> {
  return line.kind === 'row' || line.kind === 'production_row';
}
