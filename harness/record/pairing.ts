// Which delta row stands against which full row, and which pairs are void. One pure function, used by the controller,
// the summaries and the gate, so that they cannot disagree about what counts.

import { caseKey, cellKey } from './case.js';
import { pageName } from './production-measurement.js';
import { provenanceKey } from './provenance.js';
import type { Row } from './row.js';
import type { Provenance } from './provenance.js';

/** A delta row and the full row of the same cell and repetition. */
export interface Pair {
  readonly cell: string;
  readonly repetition: number;
  readonly full: Row;
  readonly delta: Row;
}

/** A pair whose two states differ where no oracle decides which one is wrong. */
export interface VoidPair extends Pair {
  readonly reason: string;
}

export interface Pairing {
  readonly pairs: readonly Pair[];
  readonly voided: readonly VoidPair[];
  /** The latest row of each case: a case that was run again counts by its last row. */
  readonly latest: readonly Row[];
}

/**
 * Pairs the latest rows of one journal: each delta row with the full row of its cell and repetition, from the same
 * machine, revision and packages.
 *
 * Failed and profiled rows pair with nothing. Where the live value is the only oracle of either row and the two
 * states differ, that pair is void; the full row still stands for other cadences unless they differ from it too.
 */
export function pairRows(rows: Iterable<Row>): Pairing {
  const byCase = new Map<string, Row>();
  for (const row of rows) {
    const key = caseKey(row.case);
    byCase.delete(key);
    byCase.set(key, row);
  }
  const latest = [...byCase.values()];
  const groupKey = groupKeys();
  const eligible = latest.filter((row) => row.success && !row.profiled);
  const fullByGroup = new Map(
    eligible.filter((row) => row.case.mode === 'full').map((row) => [groupKey(row), row]),
  );
  const pairs: Pair[] = [];
  const voided: VoidPair[] = [];
  for (const delta of eligible) {
    const full = fullByGroup.get(groupKey(delta));
    if (full === undefined || delta.case.mode === 'full') continue;
    const { repetition } = delta.case;
    const pair = { cell: cellKey(delta.case), repetition, full, delta };
    const reason = divergence(full, delta);
    if (reason === null) pairs.push(pair);
    else voided.push({ ...pair, reason });
  }
  return { pairs, voided, latest };
}

/** Names the cell, repetition and origin of a row. Origins are long and few, so each gets a number. */
function groupKeys(): (row: Row) => string {
  const numberOf = new Map<string, number>();
  const known = new WeakMap<Provenance, number>();
  return (row) => {
    let origin = known.get(row.provenance);
    if (origin === undefined) {
      const key = provenanceKey(row.provenance);
      origin = numberOf.get(key) ?? numberOf.size;
      numberOf.set(key, origin);
      known.set(row.provenance, origin);
    }
    return `${cellKey(row.case)}#${row.case.repetition}#${origin}`;
  };
}

/** Why two successful rows of a pair do not hold the same state; null when they do, or when an oracle decided both. */
function divergence(full: Row, delta: Row): string | null {
  const body = differingBody(full, delta);
  if (body !== null) return `the bodies of ${body} differ`;
  if (full.measurement?.oracle === 'model' && delta.measurement?.oracle === 'model') return null;
  const fullDigest = full.measurement?.materialized_sha256.live;
  const deltaDigest = delta.measurement?.materialized_sha256.live;
  if (fullDigest == null || deltaDigest == null) return 'a state digest is missing';
  if (fullDigest.sha256 === deltaDigest.sha256) return null;
  return `full holds ${fullDigest.count} messages (${fullDigest.sha256.slice(0, 12)}), delta ${deltaDigest.count} (${deltaDigest.sha256.slice(0, 12)})`;
}

/** The first page whose bodies are not the same in both rows of `deltaproof production`. */
function differingBody(full: Row, delta: Row): string | null {
  if (full.kind !== 'production_row' || delta.kind !== 'production_row') return null;
  const bodies = new Map(full.measurement?.wire_sha256.map((body) => [pageName(body.page), body.writer]));
  const other = delta.measurement?.wire_sha256.find(
    (body) => bodies.get(pageName(body.page)) !== body.writer,
  );
  return other === undefined ? null : pageName(other.page);
}
