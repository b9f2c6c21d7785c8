// What does metering add to an update? The loop of a worker, with its metered saver and reducers, the looks at the
// write-ahead log and the reference beside it, against the same loop that only takes the time.

import { fileURLToPath } from 'node:url';
import { toolOutput } from '../../harness/process/child.js';
import type { Effort, Measured, Question, TimedPair } from './question.js';

const TIMEOUT_MS = 600_000;
const LOOPS = new URL('./children/update-loops.js', import.meta.url);

export const instrumentation: Question = {
  name: 'instrumentation',
  asks: 'one update in the metered loop of a worker (SQLite, append, K=10, N=100) / in a loop that only times it',
  pairs: 30,
  goal: { at_most: 1.03, aspired_below: null },
  measure: measureInstrumentation,
};

async function measureInstrumentation({ pairs, folder, onProgress }: Effort): Promise<Measured> {
  onProgress(`instrumentation: ${pairs} pairs in one process`);
  const arguments_ = [fileURLToPath(LOOPS), folder, String(pairs)];
  const output = await toolOutput(process.execPath, arguments_, folder, TIMEOUT_MS);
  if (output === null) throw new Error('The process that updates threads failed.');
  return { pairs: JSON.parse(output) as TimedPair[], facts: {} };
}
