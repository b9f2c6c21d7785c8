// Rows cut down to what a summary reads, so that a long journal fits in memory: the metrics asked for, the live digest,
// and what rows have in common held once. Knows nothing of files.

import type { MetricName } from '../harness/record/metrics.js';
import { NO_SAMPLES, type Measurement, type Row } from '../harness/record/row.js';
import type { Provenance } from '../harness/record/provenance.js';

const NOTHING = {};
const NO_CALLS = {} as Measurement['saver_calls'];

type Digests = Measurement['materialized_sha256'];
const NO_DIGESTS: Digests = {
  expected: null,
  live: null,
  warm: null,
  cold_graph: null,
  cold_reopened: null,
  cold_process: null,
};

/** Cuts down the rows of one journal. What is left out is null or empty, as in a row that never had it. */
export class SlimRows {
  readonly #metricNames: readonly MetricName[];
  readonly #provenances: Provenance[] = [];
  readonly #digests = new Map<string, Digests>();

  constructor(metricNames: readonly MetricName[]) {
    this.#metricNames = metricNames;
  }

  slim(row: Row): Row {
    return {
      ...row,
      provenance: this.#sharedProvenance(row.provenance),
      started_at: '',
      failure: row.failure && { ...row.failure, stderr_tail: [], difference: null },
      measurement: row.measurement && this.#slimMeasurement(row.measurement),
    };
  }

  #slimMeasurement(measurement: Measurement): Measurement {
    return {
      ...measurement,
      materialized_sha256: this.#sharedDigests(measurement.materialized_sha256.live),
      metrics: this.#metricsOf(measurement),
      samples_ms: NO_SAMPLES,
      pinned_reads: [],
      saver_calls: NO_CALLS,
      write_bytes_by_channel: NOTHING,
      file_bytes: null,
      pragmas: NOTHING,
      unavailable: NOTHING,
    };
  }

  /** A metric that the row does not have stays absent. */
  #metricsOf({ metrics }: Measurement): Measurement['metrics'] {
    const kept: Measurement['metrics'] = {};
    for (const name of this.#metricNames) {
      const value = metrics[name];
      if (value !== undefined) kept[name] = value;
    }
    return kept;
  }

  /** Pairs are void by the live digest alone, and most rows of a cell have the same one. */
  #sharedDigests(live: Digests['live']): Digests {
    const key = live === null ? '' : `${live.count} ${live.sha256}`;
    const known = this.#digests.get(key);
    if (known !== undefined) return known;
    const digests = { ...NO_DIGESTS, live };
    this.#digests.set(key, digests);
    return digests;
  }

  #sharedProvenance(provenance: Provenance): Provenance {
    const known = this.#provenances.find((other) => sameData(other, provenance));
    if (known === undefined) this.#provenances.push(provenance);
    return known ?? provenance;
  }
}

/** Equality of plain data; a key made of each would take most of the time that a summary needs. */
function sameData(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const names = Object.keys(a) as (keyof typeof a)[];
  return names.length === Object.keys(b).length && names.every((name) => sameData(a[name], b[name]));
}
