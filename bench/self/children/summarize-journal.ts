// Summarizes a journal to the table, as `deltaproof summarize` does: read, validate, pair, statistics, render.

import { PeakRss } from '../../../harness/process/usage.js';
import { summarizeJournals } from '../../../summarize/summarize-journals.js';
import { renderTable } from '../../../summarize/table.js';
import type { JournalRun } from './journal-run.js';

const peakRss = new PeakRss();
const [path = ''] = process.argv.slice(2);
const { summary } = summarizeJournals([path], {
  pool: false,
  skipBadLines: false,
  metrics: 'headline',
});
if (renderTable(summary) === '') throw new Error('The table is empty.');
// The manifest is a line too.
const run: JournalRun = {
  lines: summary.rows.total + 1,
  elapsed_ms: performance.now(),
  peak_rss_bytes: peakRss.endPhase(),
};
process.stdout.write(JSON.stringify(run));
