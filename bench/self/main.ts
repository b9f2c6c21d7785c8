// `npm run bench:self`: how much this harness itself costs, each question as a ratio of pairs that were taken in one
// run. The table goes to stdout, or with --json one document; progress to stderr.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { instrumentation } from './instrumentation.js';
import { ordered } from './ordered.js';
import { answerOf, type Answer, type Question } from './question.js';
import { LEGEND, renderAnswer } from './report.js';
import { start } from './start.js';
import { summarize } from './summarize.js';

const QUESTIONS: readonly Question[] = [start, instrumentation, ordered, summarize];

const NAMES = QUESTIONS.map(({ name }) => name);

try {
  await run();
} catch (error) {
  process.stderr.write(`bench:self: ${(error as Error).message}\n`);
  process.exitCode = 1;
}

/** Each answer of the table is printed when it is there, so that a later question cannot lose it. */
async function run(): Promise<void> {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: NAMES },
      pairs: { type: 'string' },
      rows: { type: 'string', default: '100000' },
    },
  });
  const unknown = values.only.find((name) => !NAMES.includes(name));
  if (unknown !== undefined) throw new Error(`--only takes ${NAMES.join(', ')}, not ${unknown}.`);
  const pairs = values.pairs === undefined ? null : positive('pairs', values.pairs);
  const rows = positive('rows', values.rows);
  const answers: Answer[] = [];
  for (const question of QUESTIONS.filter(({ name }) => values.only.includes(name))) {
    const answer = answerOf(question, await measured(question, pairs ?? question.pairs, rows));
    answers.push(answer);
    if (!values.json) process.stdout.write(`${renderAnswer(answer)}\n`);
  }
  process.stdout.write(values.json ? `${JSON.stringify({ questions: answers }, null, 2)}\n` : LEGEND);
}

async function measured(question: Question, pairs: number, rows: number) {
  const folder = mkdtempSync(join(tmpdir(), 'deltaproof-self-'));
  const onProgress = (done: string) => void process.stderr.write(`${done}\n`);
  try {
    return await question.measure({ pairs, rows, folder, onProgress });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function positive(option: string, text: string): number {
  if (!/^[1-9][0-9]*$/.test(text))
    throw new Error(`--${option} takes a whole number from 1 on, not ${text}.`);
  return Number(text);
}
