// The least that reading a journal takes: the file as text, split at line ends, JSON.parse of every line.

import { readFileSync } from 'node:fs';
import { PeakRss } from '../../../harness/process/usage.js';
import type { JournalRun } from './journal-run.js';

const peakRss = new PeakRss();
const [path = ''] = process.argv.slice(2);
let lines = 0;
for (const line of readFileSync(path, 'utf8').split('\n')) {
  if (line === '') continue;
  JSON.parse(line);
  lines += 1;
}
const run: JournalRun = { lines, elapsed_ms: performance.now(), peak_rss_bytes: peakRss.endPhase() };
process.stdout.write(JSON.stringify(run));
