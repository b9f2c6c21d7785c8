// Writes a made-up journal of any length with the fixtures' rows: sweeps of ten repetitions in full and at three
// cadences, with as many samples a row as a SQLite case of 95 updates takes.

import { closeSync, openSync, writeSync } from 'node:fs';
import { deltaRow, exampleManifest, fullRow } from '../../fixtures/journals/rows.js';
import { chosenMetrics, type MetricName } from '../../harness/record/metrics.js';
import type { ChannelsMeasurement, PinnedRead } from '../../harness/record/channels-measurement.js';
import type { Row } from '../../harness/record/row.js';
import { PINNED_READ_SAMPLES, READ_SAMPLES, READERS_PER_CASE } from '../../harness/record/sampling.js';

const REPETITIONS = 10;
const CADENCES = [null, 10, 50, 100] as const;
const WRITE_SAMPLES = 95;
const PINNED_READS = 8;
const ROWS_PER_WRITE = 200;

/** @returns the bytes written. */
export function writeJournalOf(rows: number, path: string): number {
  const file = openSync(path, 'wx');
  try {
    let bytes = writeSync(file, `${JSON.stringify(exampleManifest({ planned_cases: rows }))}\n`);
    for (let first = 0; first < rows; first += ROWS_PER_WRITE) {
      const count = Math.min(ROWS_PER_WRITE, rows - first);
      const lines = Array.from({ length: count }, (_, index) => `${JSON.stringify(rowAt(first + index))}\n`);
      bytes += writeSync(file, lines.join(''));
    }
    return bytes;
  } finally {
    closeSync(file);
  }
}

/** Row number `index` of the journal, from 0. */
function rowAt(index: number): Row {
  const cadence = CADENCES[index % CADENCES.length] ?? null;
  const group = Math.floor(index / CADENCES.length);
  const repetition = (group % REPETITIONS) + 1;
  const overrides = {
    run_index: index,
    // Each cell has payloads of a size of its own.
    case: { updates: WRITE_SAMPLES, payload_bytes: Math.floor(group / REPETITIONS) + 1 },
    measurement: { samples_ms: samplesOf(index), pinned_reads: cadence === null ? [] : pinnedReads(index) },
  };
  return cadence === null
    ? fullRow(repetition, metricsOf(index), overrides)
    : deltaRow(cadence, repetition, metricsOf(index), overrides);
}

function metricsOf(index: number): Record<MetricName, number> {
  const entries = chosenMetrics('all', 'channels', []).map((name, at) => [
    name,
    1 + ((index * 31 + at * 17) % 4001) / 1000,
  ]);
  return Object.fromEntries(entries) as Record<MetricName, number>;
}

function pinnedReads(index: number): PinnedRead[] {
  return Array.from({ length: PINNED_READS }, (_, at) => ({
    update: WRITE_SAMPLES - at,
    updates_since_snapshot: at,
    ancestors_visited: 3 * at,
    writes_replayed: at,
    seed_bytes: 10_000 + index,
    samples_ms: Array.from(
      { length: PINNED_READ_SAMPLES },
      (__, sample) => 1 + ((index + at + sample) % 7) / 10,
    ),
  }));
}

function samplesOf(index: number): ChannelsMeasurement['samples_ms'] {
  const samples = (count: number) =>
    Array.from({ length: count }, (_, at) => 1 + ((index * 13 + at * 7) % 977) / 1000);
  return {
    write: samples(WRITE_SAMPLES),
    warm_read: samples(READ_SAMPLES),
    cold_read: samples(READ_SAMPLES),
    cold_reopened_read: samples(READ_SAMPLES),
    cold_process_read: samples(READERS_PER_CASE),
    write_busy: samples(WRITE_SAMPLES),
    floor_read: samples(READ_SAMPLES),
  };
}
