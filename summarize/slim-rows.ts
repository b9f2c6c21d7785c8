// Rows cut down to what a summary reads, so that a long journal fits in memory: the metrics asked for, the live digest,
// and what rows have in common held once. Knows nothing of files.

import { chosenMetrics, type MetricChoice, type MetricName } from '../harness/record/metrics.js';
import { type ChannelsMeasurement, NO_SAMPLES } from '../harness/record/channels-measurement.js';
import type { Row } from '../harness/record/row.js';
import type { Provenance } from '../harness/record/provenance.js';
import { withoutSamples } from '../harness/record/without-samples.js';

const NOTHING = {};
const NO_CALLS = {} as ChannelsMeasurement['saver_calls'];

type Digests = ChannelsMeasurement['materialized_sha256'];
type Metrics = ChannelsMeasurement['metrics'];
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
  readonly #choice: MetricChoice;
  readonly #ofChannels: readonly MetricName[];
  readonly #provenances: Provenance[] = [];
  readonly #digests = new Map<string, Digests>();

  constructor(choice: MetricChoice) {
    this.#choice = choice;
    this.#ofChannels = chosenMetrics(choice, 'channels', []);
  }

  slim(row: Row): Row {
    const common = {
      provenance: this.#sharedProvenance(row.provenance),
      started_at: '',
      failure: row.failure && { ...row.failure, stderr_tail: [], difference: null },
    };
    if (row.kind === 'production_row') {
      const { measurement } = withoutSamples(row);
      return {
        ...row,
        ...common,
        measurement: measurement && {
          ...measurement,
          metrics: metricsOf(
            measurement.metrics,
            chosenMetrics(this.#choice, 'production', Object.keys(measurement.metrics)),
          ),
          pragmas: NOTHING,
          unavailable: NOTHING,
        },
      };
    }
    return { ...row, ...common, measurement: row.measurement && this.#slimMeasurement(row.measurement) };
  }

  #slimMeasurement(measurement: ChannelsMeasurement): ChannelsMeasurement {
    return {
      ...measurement,
      materialized_sha256: this.#sharedDigests(measurement.materialized_sha256.live),
      metrics: metricsOf(measurement.metrics, this.#ofChannels),
      samples_ms: NO_SAMPLES,
      pinned_reads: [],
      saver_calls: NO_CALLS,
      write_bytes_by_channel: NOTHING,
      file_bytes: null,
      pragmas: NOTHING,
      unavailable: NOTHING,
    };
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

/** A metric that the row does not have stays absent. */
function metricsOf(metrics: Metrics, names: readonly MetricName[]): Metrics {
  const kept: Metrics = {};
  for (const name of names) {
    const value = metrics[name];
    if (value !== undefined) kept[name] = value;
  }
  return kept;
}

/** Equality of plain data; a key made of each would take most of the time that a summary needs. */
function sameData(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const names = Object.keys(a) as (keyof typeof a)[];
  return names.length === Object.keys(b).length && names.every((name) => sameData(a[name], b[name]));
}
