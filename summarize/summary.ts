// What the rows of one or more journals say: pairs pooled per cell and cadence, medians, ratios, counts. Pure: reads
// no file, prints nothing, decides nothing about exit codes.

import { basename } from 'node:path';
import { backendName, caseKey, cellKey, workloadName, type Case } from '../harness/record/case.js';
import type { MetricName } from '../harness/record/metrics.js';
import type { Pair } from '../harness/record/pairing.js';
import { SCHEMA_VERSION, type Row } from '../harness/record/row.js';
import { compareGroups } from './group-order.js';
import { summarizeMetric } from './metric-summary.js';
import { distinctOrigins } from './origins.js';
import { turnPartsOf } from './turn-parts.js';
import type {
  CellFields,
  FailureSummary,
  GroupSummary,
  JournalRows,
  RowCounts,
  Summary,
  VoidSummary,
} from './summary-shape.js';

/** Summarizes journals that may be pooled; pairs never cross from one journal to another. */
export function summarizeRows(journals: readonly JournalRows[], metricNames: readonly MetricName[]): Summary {
  const provenance = distinctOrigins(journals).map(({ origin }) => origin);
  return {
    schema_version: SCHEMA_VERSION,
    journals: journals.map(({ path }) => basename(path)),
    pooled: provenance.length > 1,
    provenance,
    rows: countRows(journals),
    groups: [...tallyCells(journals).values()]
      .flatMap((cell) => groupsOf(cell, metricNames))
      .toSorted(compareGroups),
    failures: journals.flatMap(failuresOf),
    voids: journals.flatMap(voidsOf),
  };
}

function countRows(journals: readonly JournalRows[]): RowCounts {
  const latest = journals.flatMap(({ pairing }) => pairing.latest);
  const count = (test: (row: Row) => boolean) => latest.filter(test).length;
  const sum = (of: (journal: JournalRows) => number) =>
    journals.reduce((total, journal) => total + of(journal), 0);
  return {
    total: sum(({ totalRows }) => totalRows),
    latest: latest.length,
    failed: count((row) => !row.success),
    profiled: count((row) => row.profiled),
    mode_undecided: count((row) => row.success && row.measurement?.mode_verdict === 'undecided'),
    usable_full: count((row) => row.success && !row.profiled && row.case.mode === 'full'),
    usable_delta: count((row) => row.success && !row.profiled && row.case.mode === 'delta'),
    voided_pairs: sum(({ pairing }) => pairing.voided.length),
    torn_lines: sum(({ tornLines }) => tornLines),
    skipped_lines: sum(({ skippedLines }) => skippedLines),
  };
}

interface Tally {
  failed: number;
  profiled: number;
  voided: number;
  readonly pairs: Pair[];
}

interface CellTally {
  readonly fields: CellFields;
  /** The full rows, which every cadence shares. */
  readonly full: Tally;
  readonly byCadence: Map<number | null, Tally>;
}

function tallyCells(journals: readonly JournalRows[]): Map<string, CellTally> {
  const cells = new Map<string, CellTally>();
  for (const { pairing } of journals) {
    for (const row of pairing.latest) {
      const tally = tallyOf(cells, row.case);
      if (!row.success) tally.failed += 1;
      if (row.profiled) tally.profiled += 1;
    }
    for (const pair of pairing.pairs) tallyOf(cells, pair.delta.case).pairs.push(pair);
    for (const pair of pairing.voided) tallyOf(cells, pair.delta.case).voided += 1;
  }
  return cells;
}

function tallyOf(cells: Map<string, CellTally>, c: Case): Tally {
  const key = cellKey(c);
  const cell = cells.get(key) ?? emptyCell(c);
  cells.set(key, cell);
  if (c.mode === 'full') return cell.full;
  const tally = cell.byCadence.get(c.snapshot_frequency) ?? emptyTally();
  cell.byCadence.set(c.snapshot_frequency, tally);
  return tally;
}

function emptyCell(c: Case): CellTally {
  const { bench, workload, pipeline_nodes, updates, payload_bytes, payload_entropy, seed } = c;
  return {
    fields: {
      bench,
      workload: workload === 'custom' ? workloadName(c) : workload,
      pipeline_nodes,
      backend: backendName(c),
      updates,
      payload_bytes,
      payload_entropy,
      seed,
    },
    full: emptyTally(),
    byCadence: new Map<number | null, Tally>(),
  };
}

function emptyTally(): Tally {
  return { failed: 0, profiled: 0, voided: 0, pairs: [] };
}

function groupsOf(cell: CellTally, metricNames: readonly MetricName[]): GroupSummary[] {
  const cadences: [number | null, Tally][] =
    cell.byCadence.size > 0 ? [...cell.byCadence] : [[null, emptyTally()]];
  return cadences.map(([snapshotFrequency, tally]) => ({
    ...cell.fields,
    snapshot_frequency: snapshotFrequency,
    paired_repetitions: tally.pairs.length,
    failed_rows: cell.full.failed + tally.failed,
    voided_pairs: tally.voided,
    profiled_rows: cell.full.profiled + tally.profiled,
    metrics: Object.fromEntries(metricNames.map((name) => [name, summarizeMetric(tally.pairs, name)])),
    turn_parts: {
      full: turnPartsOf(tally.pairs.map(({ full }) => full)),
      delta: turnPartsOf(tally.pairs.map(({ delta }) => delta)),
    },
  }));
}

function failuresOf({ path, pairing }: JournalRows): FailureSummary[] {
  const failed = pairing.latest.filter((row) => !row.success);
  return failed.map(({ case: c, failure }) => ({
    case: caseKey(c),
    journal: basename(path),
    reason: failure?.reason ?? 'unstated',
    message: failure?.message ?? 'The row says that it failed, and not why.',
  }));
}

function voidsOf({ path, pairing }: JournalRows): VoidSummary[] {
  return pairing.voided.map(({ cell, snapshotFrequency, repetition, reason }) => ({
    cell,
    snapshot_frequency: snapshotFrequency,
    repetition,
    journal: basename(path),
    reason,
  }));
}
