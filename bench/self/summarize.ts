// How much longer than JSON.parse does a summary take, and does its memory stay bounded? A long made-up journal, from
// file to table, against parsing each of its lines, each in a process of its own.

import { join } from 'node:path';
import { moduleOutput } from '../../harness/process/child.js';
import type { JournalRun } from './children/journal-run.js';
import { writeJournalOf } from './journal-file.js';
import { timePairs, type Effort, type Measured, type Question } from './question.js';

/** The small journal, by which the growth of memory shows, has this part of the rows. */
const SMALL_PART = 10;

const SUMMARIZE = new URL('./children/summarize-journal.js', import.meta.url);
const PARSE = new URL('./children/parse-lines.js', import.meta.url);

export const summarize: Question = {
  name: 'summarize',
  asks: 'a journal from file to table / JSON.parse of each of its lines',
  pairs: 5,
  goal: { at_most: 3, aspired_below: null },
  measure: measureSummarize,
};

async function measureSummarize(effort: Effort): Promise<Measured> {
  const large = new Journal(effort.rows, effort.folder);
  const small = new Journal(Math.ceil(effort.rows / SMALL_PART), effort.folder);
  const pairs = await timePairs(
    effort.pairs,
    { subject: () => large.run(SUMMARIZE), baseline: () => large.run(PARSE) },
    (number) => effort.onProgress(`summarize: pair ${number} of ${effort.pairs}`),
  );
  await small.run(SUMMARIZE);
  await small.run(PARSE);
  return { pairs, facts: memoryFacts(small, large) };
}

/** A made-up journal in a file, and the most memory that each way of going through it took. */
class Journal {
  readonly rows: number;
  readonly bytes: number;
  readonly #path: string;
  readonly #peakRssBytes = new Map<URL, number>();

  constructor(rows: number, folder: string) {
    this.rows = rows;
    this.#path = join(folder, `${rows}.jsonl`);
    this.bytes = writeJournalOf(rows, this.#path);
  }

  /** Milliseconds that the child took, from its start. */
  async run(child: URL): Promise<number> {
    const output = await moduleOutput(child, [this.#path], '/');
    const { lines, elapsed_ms, peak_rss_bytes } = JSON.parse(output) as JournalRun;
    if (lines !== this.rows + 1) throw new Error(`A child read ${lines} of ${this.rows + 1} lines.`);
    this.#peakRssBytes.set(child, Math.max(peak_rss_bytes, this.peakRssBytes(child)));
    return elapsed_ms;
  }

  peakRssBytes(child: URL): number {
    return this.#peakRssBytes.get(child) ?? 0;
  }
}

function memoryFacts(small: Journal, large: Journal): Measured['facts'] {
  const growth = (child: URL) =>
    Math.round((large.peakRssBytes(child) - small.peakRssBytes(child)) / (large.rows - small.rows));
  return {
    [`journal_${small.rows}_rows_bytes`]: small.bytes,
    [`journal_${large.rows}_rows_bytes`]: large.bytes,
    [`peak_rss_${small.rows}_rows_bytes`]: small.peakRssBytes(SUMMARIZE),
    [`peak_rss_${large.rows}_rows_bytes`]: large.peakRssBytes(SUMMARIZE),
    peak_rss_growth_per_row_bytes: growth(SUMMARIZE),
    parse_peak_rss_growth_per_row_bytes: growth(PARSE),
  };
}
