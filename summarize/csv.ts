// A summary as CSV in long form: one line per cell, cadence and metric, numbers in full precision and base units.

import { stringify } from 'csv-stringify/sync';
import type { GroupSummary, MetricSummary, Summary } from './summary-shape.js';

const GROUP_COLUMNS = [
  'workload',
  'backend',
  'updates',
  'payload_bytes',
  'payload_entropy',
  'seed',
  'pipeline_nodes',
  'service',
  'snapshot_frequency',
  'history_cache',
  'paired_repetitions',
  'failed_rows',
  'voided_pairs',
  'profiled_rows',
] as const satisfies readonly (keyof GroupSummary)[];

const METRIC_COLUMNS = [
  'unit',
  'full_median',
  'delta_median',
  'ratio_median',
  'ratio_n',
  'ratio_min',
  'ratio_max',
  'ratio_low',
  'ratio_high',
  'ratio_coverage',
  'ratio_method',
  'outcome',
] as const satisfies readonly (keyof MetricSummary)[];

/** With a header line. What cannot be computed is blank; text that a spreadsheet takes for a formula is quoted by '. */
export function renderCsv({ groups }: Summary): string {
  const records = groups.flatMap((group) =>
    Object.entries(group.metrics).map(([metric, values]) => ({ ...group, metric, ...values })),
  );
  return stringify(records, {
    header: true,
    columns: [...GROUP_COLUMNS, 'metric', ...METRIC_COLUMNS],
    escape_formulas: true,
  });
}
