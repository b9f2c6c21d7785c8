// Cases to rows to journal: runs a plan in its order, keeps every row the moment it exists, and tells what happened as
// it happens. Blind to what is measured: the worker is a URL, the rows are data.

import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { workThrough, type QueueSettings } from './controller/queue.js';
import type { Places } from './controller/places.js';
import { runCase, type CaseSettings } from './controller/run-case.js';
import { withoutSamples } from './record/without-samples.js';
import { caseFileName, caseKey, cellKey, type Case } from './record/case.js';
import { capabilitiesOf } from './record/names.js';
import { pairRows, type VoidPair } from './record/pairing.js';
import type { JournalLine, VerdictLine } from './record/journal-line.js';
import { type Row, SCHEMA_VERSION } from './record/row.js';

/** More than one job disturbs the timing of all; cases that `stopNow` ends leave no row. */
export interface RunSettings
  extends
    QueueSettings,
    Pick<
      CaseSettings,
      | 'worker'
      | 'packagesDir'
      | 'modules'
      | 'redisUrl'
      | 'timeoutMs'
      | 'maxRssBytes'
      | 'profileDir'
      | 'provenance'
    > {
  readonly places: Places;
  /** Where stores are copied to after their case; null to drop them. */
  readonly keepStoresDir: string | null;
  /** Appends and syncs one line. */
  readonly append: (line: JournalLine) => void;
  readonly onEvent: (event: RunEvent) => void;
}

export type RunEvent =
  | { readonly kind: 'started'; readonly case: Case }
  /** The row, and any verdict it led to, is in the journal. */
  | { readonly kind: 'finished'; readonly row: Row; readonly verdicts: readonly VerdictLine[] }
  | { readonly kind: 'store_not_kept'; readonly case: Case; readonly problem: string };

/**
 * Runs the cases in order and appends their rows.
 *
 * @param kept rows that the journal already holds, for pairing.
 * @returns the rows of this run; fewer than the cases when the run was stopped, or when its database server was gone: what
 *   needs that is left out from then on.
 * @throws what `append` throws, after the running children were stopped: without a journal nothing goes on.
 */
export async function runCases(
  cases: readonly Case[],
  kept: readonly Row[],
  settings: RunSettings,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  const pairs = new PairWatch(kept);
  const keepRow = (row: Row): void => {
    settings.append(row);
    const verdicts = pairs.verdictsOf(row);
    verdicts.forEach((verdict) => settings.append(verdict));
    rows.push(withoutSamples(row));
    settings.onEvent({ kind: 'finished', row, verdicts });
  };
  await workThrough(cases, settings, async (c, runIndex, stopNow) => {
    if (settings.places.lost !== null && capabilitiesOf(c).server) return;
    settings.onEvent({ kind: 'started', case: c });
    await runInFolder(c, runIndex, { ...settings, stopNow }, keepRow);
  });
  return rows;
}

async function runInFolder(
  c: Case,
  runIndex: number,
  settings: RunSettings,
  keepRow: (row: Row) => void,
): Promise<void> {
  const place = settings.places.make();
  try {
    const row = await runCase(c, { ...settings, runIndex, place, signal: settings.stopNow });
    if (row === null) return;
    keepRow(row);
    if (settings.keepStoresDir === null) return;
    if (capabilitiesOf(c).server) {
      settings.onEvent({ kind: 'store_not_kept', case: c, problem: 'it is on a database server' });
    } else keepStore(c, place.storeDir, settings.keepStoresDir, settings.onEvent);
  } finally {
    await settings.places.remove(place);
  }
}

function keepStore(c: Case, storeDir: string, keepDir: string, onEvent: RunSettings['onEvent']): void {
  try {
    const kept = join(keepDir, caseFileName(c));
    rmSync(kept, { recursive: true, force: true });
    cpSync(storeDir, kept, { recursive: true });
  } catch (error) {
    onEvent({ kind: 'store_not_kept', case: c, problem: (error as Error).message });
  }
}

/** Watches which pairs become void as rows arrive; each is told once. */
class PairWatch {
  readonly #groups = new Map<string, Row[]>();
  readonly #told = new Set<string>();

  constructor(kept: readonly Row[]) {
    for (const row of kept) this.verdictsOf(row);
  }

  verdictsOf(row: Row): VerdictLine[] {
    const group = `${cellKey(row.case)}#${row.case.repetition}`;
    const rows = [...(this.#groups.get(group) ?? []), withoutSamples(row)];
    this.#groups.set(group, rows);
    return pairRows(rows)
      .voided.filter((pair) => !this.#told.has(pairName(pair)))
      .map((pair) => {
        this.#told.add(pairName(pair));
        return verdictLine(pair);
      });
  }
}

function pairName(pair: VoidPair): string {
  return caseKey(pair.delta.case);
}

function verdictLine(pair: VoidPair): VerdictLine {
  const { snapshot_frequency: k, history_cache: cache } = pair.delta.case;
  return {
    kind: 'verdict',
    schema_version: SCHEMA_VERSION,
    rule: 'pair_digest',
    verdict: 'violated',
    cell: pair.cell,
    snapshot_frequency: k ?? 0,
    ...(cache === undefined ? {} : { history_cache: cache }),
    repetition: pair.repetition,
    message: `The pair is void: ${pair.reason}.`,
  };
}
