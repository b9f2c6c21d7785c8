// Where rows come from, over all journals: which origins there are, and the refusal to mix them unasked.

import { usageError } from '../harness/record/errors.js';
import { provenanceDifferences, provenanceKey } from '../harness/record/provenance.js';
import type { Row } from '../harness/record/row.js';
import { visible } from '../harness/record/scrub.js';
import type { JournalRows, Origin } from './summary-shape.js';

/** An origin and the journal in which it was met first. */
export interface MetOrigin {
  readonly origin: Origin;
  readonly path: string;
}

/** Every distinct origin of the rows that count, in the order of the journals. */
export function distinctOrigins(journals: readonly JournalRows[]): MetOrigin[] {
  const byKey = new Map<string, MetOrigin>();
  for (const { path, pairing } of journals) {
    let previous: Row | undefined;
    for (const row of pairing.latest) {
      const repeated =
        row.provenance === previous?.provenance && row.schema_version === previous.schema_version;
      previous = row;
      // Rows of one journal share the record of their origin; its key would take longer than all else here.
      if (repeated) continue;
      const key = originKey(row);
      if (byKey.has(key)) continue;
      byKey.set(key, { origin: { schema_version: row.schema_version, ...row.provenance }, path });
    }
  }
  return [...byKey.values()];
}

/**
 * Refuses rows of more than one origin.
 *
 * @throws CommandError (usage) with one sentence that names what differs, both values and both files.
 */
export function refuseToPool(journals: readonly JournalRows[]): void {
  const origins = distinctOrigins(journals);
  const pairs = origins.flatMap((first, index) =>
    origins.slice(index + 1).map((second) => ({ first, second })),
  );
  const differing = pairs.find(
    ({ first, second }) => originDifferences(first.origin, second.origin).length > 0,
  );
  if (differing === undefined) return;
  const { first, second } = differing;
  const files = first.path === second.path ? `both are in ${first.path}` : `${first.path} and ${second.path}`;
  throw usageError(
    `Rows that differ in ${visible(originDifferences(first.origin, second.origin).join(', '))} are not pooled ` +
      `(${files}); ` +
      'summarize them apart, or add --pool to pool them all the same.',
  );
}

/** In what two origins differ, each fact with both values, as the journals have them. */
export function originDifferences(a: Origin, b: Origin): string[] {
  const differences = provenanceDifferences(a, b);
  if (a.schema_version !== b.schema_version) {
    differences.unshift(`schema version (${a.schema_version} and ${b.schema_version})`);
  }
  return differences;
}

function originKey(row: Row): string {
  return `${row.schema_version}#${provenanceKey(row.provenance)}`;
}
