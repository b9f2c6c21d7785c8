// Rows without what is only looked at in the journal itself: a run of many cases, or a summary of a long one, does not hold raw
// samples in memory.

import { NO_SAMPLES } from './channels-measurement.js';
import { NO_READS, NO_TURN_SAMPLES } from './production-measurement.js';
import type { Row } from './row.js';

export function withoutSamples<R extends Row>(row: R): R;
export function withoutSamples(row: Row): Row {
  if (row.measurement === null) return row;
  return row.kind === 'row'
    ? { ...row, measurement: { ...row.measurement, samples_ms: NO_SAMPLES, pinned_reads: [] } }
    : {
        ...row,
        measurement: {
          ...row.measurement,
          samples_ms: NO_TURN_SAMPLES,
          reads: [],
          assistant_reads: NO_READS,
        },
      };
}
