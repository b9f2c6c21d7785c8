// The numbers of a row, the longest part of a journal: samples and metrics, checked by a loop, and by a schema only where
// the loop does not know them to be fine.

import { z } from 'zod';
import { isMetricName, type MetricName } from './metrics.js';

/** Finite milliseconds from 0 on. */
export const samplesSchema = quickly(z.array(z.number().nonnegative()), areSamples);

type MetricValues = Partial<Record<MetricName, number | null>>;

/** By name of a metric; null where it is not known. */
export const metricValuesSchema: z.ZodType<MetricValues> = quickly<MetricValues>(
  z.record(z.string(), z.number().nonnegative().nullable()).superRefine((metrics, context) => {
    const unknown = Object.keys(metrics).filter((name) => !isMetricName(name));
    for (const name of unknown)
      context.addIssue({ code: 'custom', message: 'no metric has this name', path: [name] });
  }),
  areMetrics,
);

/**
 * The schema, asked only about values that the quick check does not know to be fine. Numbers are the longest part of a
 * journal, and a schema takes some twenty times as long for each as JSON.parse does; but it says what is wrong.
 */
function quickly<T>(schema: z.ZodType<T>, isFine: (value: unknown) => boolean): z.ZodType<T> {
  return z.unknown().transform((value, context) => {
    if (isFine(value)) return value as T;
    const checked = schema.safeParse(value);
    if (checked.success) return checked.data;
    checked.error.issues.forEach((issue) => context.addIssue({ ...issue }));
    return z.NEVER;
  });
}

function areSamples(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  // By index: `every` passes over holes.
  for (let index = 0; index < value.length; index += 1) if (!isMeasured(value[index])) return false;
  return true;
}

function areMetrics(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  for (const [name, metric] of Object.entries(value)) {
    if (!isMetricName(name) || (metric !== null && !isMeasured(metric))) return false;
  }
  return true;
}

function isMeasured(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY;
}
