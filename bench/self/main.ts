// `npm run bench:self`: how much this harness itself costs, each question as a ratio of pairs that were taken in one
// run. The table goes to stdout, or with --json one document; progress to stderr.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { instrumentation } from './instrumentation.js';
import { answerOf, type Answer, type Question } from './question.js';
import { renderAnswers } from './report.js';
import { start } from './start.js';
import { summarize } from './summarize.js';

const QUESTIONS: readonly Question[] = [start, instrumentation, summarize];

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: QUESTIONS.map(({ name }) => name) },
    pairs: { type: 'string' },
    rows: { type: 'string', default: '100000' },
  },
});
const answers: Answer[] = [];
for (const question of QUESTIONS.filter(({ name }) => values.only.includes(name))) {
  answers.push(answerOf(question, await measured(question)));
}
process.stdout.write(
  values.json ? `${JSON.stringify({ questions: answers }, null, 2)}\n` : renderAnswers(answers),
);

async function measured(question: Question) {
  const folder = mkdtempSync(join(tmpdir(), 'deltaproof-self-'));
  try {
    return await question.measure({
      pairs: values.pairs === undefined ? question.pairs : positive('pairs', values.pairs),
      rows: positive('rows', values.rows),
      folder,
      onProgress: (done) => process.stderr.write(`${done}\n`),
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function positive(option: string, text: string): number {
  if (!/^[1-9][0-9]*$/.test(text))
    throw new Error(`--${option} takes a whole number from 1 on, not ${text}.`);
  return Number(text);
}
