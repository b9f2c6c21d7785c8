// The least that reading a journal takes: the file's bytes, split at line ends, JSON.parse of every line.

import { readFileSync } from 'node:fs';
import { PeakRss } from '../../../harness/process/usage.js';
import type { JournalRun } from './journal-run.js';

const peakRss = new PeakRss();
const [path = ''] = process.argv.slice(2);
const bytes = readFileSync(path);
let lines = 0;
// Line by line: a journal of 100,000 rows is longer than the longest string there can be.
for (let start = 0; start < bytes.length;) {
  const end = bytes.indexOf('\n', start);
  JSON.parse(bytes.toString('utf8', start, end));
  start = end + 1;
  lines += 1;
}
const run: JournalRun = { lines, elapsed_ms: performance.now(), peak_rss_bytes: peakRss.endPhase() };
process.stdout.write(JSON.stringify(run));
