// One journal file to paired rows, streaming: of each row only what a summary reads is kept. Decides what a damaged
// line means for a summary; knows nothing of other journals.

import { usageError } from '../harness/record/errors.js';
import { readJournalLines, type ReadLine } from '../harness/record/journal-lines.js';
import type { MetricChoice } from '../harness/record/metrics.js';
import { pairRows } from '../harness/record/pairing.js';
import { isRow, type Row, SCHEMA_VERSION } from '../harness/record/row.js';
import { visible } from '../harness/record/scrub.js';
import { SlimRows } from './slim-rows.js';
import type { JournalRows } from './summary-shape.js';

export interface ReadOptions {
  /** Leaves malformed lines out, with a warning each, instead of stopping at the first. */
  readonly skipBadLines: boolean;
  /** The metrics that rows keep. */
  readonly metrics: MetricChoice;
}

export interface ReadJournal {
  readonly journal: JournalRows;
  /** Whole sentences about lines that were left out. */
  readonly warnings: readonly string[];
}

/**
 * Reads and pairs one journal. A torn last line is a warning; so is a malformed line with `skipBadLines`.
 *
 * @throws CommandError (usage) when the file cannot be read, at the first malformed line without `skipBadLines`, and
 * at any line of a newer schema version.
 */
export function readJournal(path: string, options: ReadOptions): ReadJournal {
  const tally: Tally = { totalRows: 0, tornLines: 0, skippedLines: 0, isOfVerify: false, warnings: [] };
  const pairing = pairRows(rowsOf(path, options, tally));
  const { warnings, isOfVerify, ...counts } = tally;
  if (counts.totalRows === 0) {
    const ofVerify = '; it is of deltaproof verify, which prints its verdicts with --resume --output';
    warnings.push(`${path} holds no rows${isOfVerify ? `${ofVerify} ${path}` : ''}.`);
  }
  return { journal: { path, pairing, ...counts }, warnings };
}

interface Tally {
  totalRows: number;
  tornLines: number;
  skippedLines: number;
  isOfVerify: boolean;
  readonly warnings: string[];
}

function* rowsOf(path: string, { skipBadLines, metrics }: ReadOptions, tally: Tally): Generator<Row> {
  const slimRows = new SlimRows(metrics);
  for (const line of readable(path)) {
    const at = `${path}:${line.at.number}`;
    refuseNewer(at, line);
    if (line.kind === 'torn') {
      tally.tornLines += 1;
      tally.warnings.push(`${at} was cut off while it was written; it is left out.`);
    } else if (line.kind === 'malformed') {
      const problem = `${at} is not a journal line: ${visible(line.problem)}`;
      if (!skipBadLines) {
        throw usageError(`${problem}; repair the line, or add --skip-bad-lines to leave it out.`);
      }
      tally.skippedLines += 1;
      tally.warnings.push(`${problem}; it is left out.`);
    } else if (isRow(line.value)) {
      tally.totalRows += 1;
      yield slimRows.slim(line.value);
    } else if (line.value.kind === 'scenario') {
      tally.isOfVerify = true;
    }
  }
}

/** The lines of the file; the file system's error becomes one sentence. */
function* readable(path: string): Generator<ReadLine> {
  try {
    yield* readJournalLines(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    if (code === 'ENOENT') throw usageError(`The journal ${path} does not exist.`);
    if (code === 'EISDIR') throw usageError(`${path} is a folder; name a journal file in it.`);
    throw usageError(`The journal ${path} cannot be read: ${message}.`);
  }
}

function refuseNewer(at: string, line: ReadLine): void {
  const version = line.kind === 'line' ? line.value.schema_version : claimedVersion(line);
  if (version === null || version <= SCHEMA_VERSION) return;
  throw usageError(
    `${at} is of schema version ${version}, and this deltaproof understands versions up to ${SCHEMA_VERSION}; ` +
      'use the deltaproof that wrote it, or a newer one.',
  );
}

/** The schema version that a line claims which today's schema does not understand. */
function claimedVersion(line: ReadLine): number | null {
  try {
    const value = JSON.parse(new TextDecoder().decode(line.at.bytes)) as { schema_version?: unknown } | null;
    return typeof value?.schema_version === 'number' ? value.schema_version : null;
  } catch {
    return null;
  }
}
