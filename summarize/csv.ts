// A summary as CSV in long form: one line per cell, cadence and metric, numbers in full precision and base units.

import { stringify } from 'csv-stringify/sync';
import type { GroupSummary, Summary } from './summary-shape.js';

const GROUP_COLUMNS = [
  'workload',
  'backend',
  'updates',
  'payload_bytes',
  'payload_entropy',
  'seed',
  'snapshot_frequency',
  'paired_repetitions',
  'failed_rows',
  'voided_pairs',
  'profiled_rows',
] as const satisfies readonly (keyof GroupSummary)[];

const METRIC_COLUMNS = ['metric', 'unit', 'full_median', 'delta_median', 'ratio_median', 'ratio_n'] as const;

/** With a header line. What cannot be computed is blank; text that a spreadsheet takes for a formula is quoted by '. */
export function renderCsv({ groups }: Summary): string {
  const records = groups.flatMap((group) =>
    Object.entries(group.metrics).map(([metric, values]) => ({ ...group, metric, ...values })),
  );
  return stringify(records, {
    header: true,
    columns: [...GROUP_COLUMNS, ...METRIC_COLUMNS],
    escape_formulas: true,
  });
}
