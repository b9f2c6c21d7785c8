// What a journal already holds of a plan: which cases are done, and whether more rows may join them.

import { usageError } from '../../harness/record/errors.js';
import { caseKey } from '../../harness/record/case.js';
import { pairRows } from '../../harness/record/pairing.js';
import { provenanceDifferences } from '../../harness/record/provenance.js';
import type { JournalLine } from '../../harness/record/journal-line.js';
import { isRow, type Row, SCHEMA_VERSION } from '../../harness/record/row.js';
import type { Provenance } from '../../harness/record/provenance.js';

export interface Resumed {
  /** The latest row of each case in the journal. */
  readonly kept: readonly Row[];
  /** Keys of cases with a successful row; they are not run again. */
  readonly done: ReadonlySet<string>;
}

/**
 * The latest row of each case in the lines of a journal, and which cases need not run again.
 *
 * @param profiled whether this run profiles: a profiled row does not stand for a plain one, nor the other way round.
 */
export function alreadyDone(lines: readonly JournalLine[], profiled: boolean): Resumed {
  const kept = pairRows(lines.filter(isRow)).latest;
  const done = kept.filter((row) => row.success && row.profiled === profiled);
  return { kept, done: new Set(done.map((row) => caseKey(row.case))) };
}

/**
 * Reads what is done from the lines of a journal that this run is to continue.
 *
 * @throws CommandError (usage) as {@link refuseOtherOrigin} does, for the origin unless `across`.
 */
export function resumeFrom(
  lines: readonly JournalLine[],
  path: string,
  provenance: Provenance,
  { across, profiled }: { readonly across: boolean; readonly profiled: boolean },
): Resumed {
  refuseOtherOrigin(lines, path, across ? null : provenance, 'Write to a new file, or add --resume-across.');
  return alreadyDone(lines, profiled);
}

/**
 * @param provenance where new lines come from; null: from anywhere.
 * @param wayOn what the user can do, as a sentence.
 * @throws CommandError (usage) when the lines are of another schema version, or of another machine, revision or package
 * version.
 */
export function refuseOtherOrigin(
  lines: readonly JournalLine[],
  path: string,
  provenance: Provenance | null,
  wayOn: string,
): void {
  for (const line of lines) {
    if (line.schema_version !== SCHEMA_VERSION) {
      throw usageError(
        `${path} has lines of schema version ${line.schema_version}; this version writes ${SCHEMA_VERSION}. Write to a new file.`,
      );
    }
    if (line.kind === 'verdict' || provenance === null) continue;
    const differences = provenanceDifferences(line.provenance, provenance);
    if (differences.length > 0) {
      throw usageError(`${path} was measured elsewhere: ${differences.join(', ')}. ${wayOn}`);
    }
  }
}
