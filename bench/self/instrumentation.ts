// What does metering add to an update? The loop of a worker, with its metered saver and reducers, the looks at the
// write-ahead log and the reference beside it, against the same loop that only takes the time.

import { moduleOutput } from '../../harness/process/child.js';
import type { Effort, Measured, Question, TimedPair } from './question.js';

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
  const output = await moduleOutput(LOOPS, [folder, String(pairs)], folder);
  return { pairs: JSON.parse(output) as TimedPair[], facts: {} };
}
