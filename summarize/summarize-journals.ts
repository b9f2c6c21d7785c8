// Paths to a summary: what `deltaproof summarize` and the end of a run have in common. Reads only.

import type { ExitCode } from '../harness/record/verdict.js';
import { fileIdentity } from './file-identity.js';
import { refuseToPool } from './origins.js';
import { exitCodeFor, noPairSentence } from './outcome.js';
import { readJournal, type ReadOptions } from './read-journal.js';
import { summarizeRows } from './summary.js';
import type { Summary } from './summary-shape.js';

export interface SummarizeOptions extends ReadOptions {
  /** Pools rows that differ in machine, versions, revision or schema version. */
  readonly pool: boolean;
}

export interface SummarizedJournals {
  readonly summary: Summary;
  /** Whole sentences for stderr, among them why nothing pairs. */
  readonly warnings: readonly string[];
  readonly exitCode: ExitCode;
}

/**
 * Reads, pairs and summarizes journals. A journal given twice, by whatever path, counts once.
 *
 * @throws CommandError (usage) for an unreadable file, a malformed line, a newer schema version, or rows that may
 * not be pooled.
 */
export function summarizeJournals(paths: readonly string[], options: SummarizeOptions): SummarizedJournals {
  const { unique, warnings } = withoutRepeats(paths);
  const read = unique.map((path) => readJournal(path, options));
  const journals = read.map(({ journal }) => journal);
  if (!options.pool) refuseToPool(journals);
  const summary = summarizeRows(journals, options.metrics);
  const noPair = noPairSentence(summary);
  return {
    summary,
    warnings: [
      ...warnings,
      ...read.flatMap((journal) => journal.warnings),
      ...(noPair === null ? [] : [noPair]),
    ],
    exitCode: exitCodeFor(summary),
  };
}

function withoutRepeats(paths: readonly string[]): { unique: string[]; warnings: string[] } {
  const byFile = new Map<string, string>();
  const warnings: string[] = [];
  for (const path of paths) {
    const file = fileIdentity(path) ?? path;
    const same = byFile.get(file);
    if (same === undefined) byFile.set(file, path);
    else warnings.push(`${path} is the same journal as ${same}; it counts once.`);
  }
  return { unique: [...byFile.values()], warnings };
}
