// What the rows of one or more journals say: pairs pooled per cell and cadence, medians, ratios, counts. Pure: reads
// no file, prints nothing, decides nothing about exit codes.

import { basename } from 'node:path';
import {
  backendName,
  caseKey,
  cellKey,
  historyCacheOf,
  serviceName,
  settingName,
  workloadName,
  type Case,
  type DeltaSetting,
} from '../harness/record/case.js';
import { chosenMetrics, type MetricChoice } from '../harness/record/metrics.js';
import type { Pair } from '../harness/record/pairing.js';
import { type Row, SCHEMA_VERSION } from '../harness/record/row.js';
import { cacheEffectOf } from './cache-effect.js';
import { compileEffectOf } from './compile-effect.js';
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
export function summarizeRows(journals: readonly JournalRows[], metrics: MetricChoice): Summary {
  const provenance = distinctOrigins(journals).map(({ origin }) => origin);
  return {
    schema_version: SCHEMA_VERSION,
    journals: journals.map(({ path }) => basename(path)),
    pooled: provenance.length > 1,
    provenance,
    rows: countRows(journals),
    groups: [...tallyCells(journals).values()]
      .flatMap((cell) => groupsOf(cell, metrics))
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
  /** The full rows, which every setting of delta shares. */
  readonly full: Tally;
  readonly delta: Map<string, Tally & { readonly setting: DeltaSetting }>;
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
  const name = settingName(c);
  const tally = cell.delta.get(name) ?? { ...emptyTally(), setting: c };
  cell.delta.set(name, tally);
  return tally;
}

function emptyCell(c: Case): CellTally {
  const { bench, workload, updates, payload_bytes, payload_entropy, seed } = c;
  return {
    fields: {
      bench,
      workload: workload === 'custom' ? workloadName(c) : workload,
      pipeline_nodes: c.bench === 'channels' ? c.pipeline_nodes : null,
      service: c.bench === 'production' ? serviceName(c) : null,
      backend: backendName(c),
      updates,
      payload_bytes,
      payload_entropy,
      seed,
    },
    full: emptyTally(),
    delta: new Map(),
  };
}

function emptyTally(): Tally {
  return { failed: 0, profiled: 0, voided: 0, pairs: [] };
}

function groupsOf(cell: CellTally, choice: MetricChoice): GroupSummary[] {
  const pairs = [...cell.delta.values()].flatMap((tally) => tally.pairs);
  const found = pairs.flatMap(({ full, delta }) =>
    [full, delta].flatMap(({ measurement }) => Object.keys(measurement?.metrics ?? {})),
  );
  const metricNames = chosenMetrics(choice, cell.fields.bench, found);
  const tallies = cell.delta.size > 0 ? [...cell.delta.values()] : [{ ...emptyTally(), setting: null }];
  return tallies.map((tally) => ({
    ...cell.fields,
    snapshot_frequency: tally.setting?.snapshot_frequency ?? null,
    history_cache: tally.setting && historyCacheOf(tally.setting),
    paired_repetitions: tally.pairs.length,
    failed_rows: cell.full.failed + tally.failed,
    voided_pairs: tally.voided,
    profiled_rows: cell.full.profiled + tally.profiled,
    metrics: Object.fromEntries(metricNames.map((name) => [name, summarizeMetric(tally.pairs, name)])),
    raw_over_cached: cacheEffectOf(rawPairs(cell, tally.setting), tally.pairs, metricNames),
    snapshot_write_spike_basis: spikeBasis(tally.pairs),
    cache_effect_ms: {
      full: compileEffectOf(tally.pairs.map(({ full }) => full)),
      delta: compileEffectOf(tally.pairs.map(({ delta }) => delta)),
    },
    turn_parts: {
      full: turnPartsOf(tally.pairs.map(({ full }) => full)),
      delta: turnPartsOf(tally.pairs.map(({ delta }) => delta)),
    },
  }));
}

function spikeBasis(pairs: readonly Pair[]): GroupSummary['snapshot_write_spike_basis'] {
  const bases = pairs.flatMap(({ full, delta }) =>
    [full, delta].map(({ measurement }) => measurement?.snapshot_write_spike_basis),
  );
  if (bases.length === 0) return null;
  return bases.includes('maximum') ? 'maximum' : 'p99';
}

/** The pairs at the same cadence without a history cache; none for a setting that has none. */
function rawPairs({ delta }: CellTally, setting: DeltaSetting | null): readonly Pair[] {
  if (setting?.history_cache === undefined) return [];
  const raw = settingName({ snapshot_frequency: setting.snapshot_frequency });
  return delta.get(raw)?.pairs ?? [];
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
  return pairing.voided.map(({ cell, delta, repetition, reason }) => ({
    cell,
    snapshot_frequency: delta.case.snapshot_frequency,
    history_cache: historyCacheOf(delta.case),
    repetition,
    journal: basename(path),
    reason,
  }));
}
