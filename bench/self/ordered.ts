// What does the order of parallel writes cost? Reads of a thread whose every turn is a fan-out, through OrderedSaver
// against the saver alone.

import { moduleOutput } from '../../harness/process/child.js';
import type { Effort, Measured, Question, TimedPair } from './question.js';

const READS = new URL('./children/ordered-reads.js', import.meta.url);

export const ordered: Question = {
  name: 'ordered',
  asks: 'a read of a thread of 50 fan-outs of 8 nodes (SQLite, delta, K=1000, p=256) through OrderedSaver / through the saver',
  pairs: 40,
  goal: { at_most: 2, aspired_below: null },
  measure: measureOrdered,
};

async function measureOrdered({ pairs, folder, onProgress }: Effort): Promise<Measured> {
  onProgress(`ordered: ${pairs} pairs in one process`);
  const output = await moduleOutput(READS, [folder, String(pairs)], folder);
  return { pairs: JSON.parse(output) as TimedPair[], facts: {} };
}
