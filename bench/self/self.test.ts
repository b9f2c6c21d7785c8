// That the self-benchmark measures what it says, with tiny numbers; never how fast anything is.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterAll, describe, expect, it } from 'vitest';
import { readJournalLines } from '../../harness/record/journal-lines.js';
import { writeJournalOf } from './journal-file.js';
import { answerOf, timePairs, type Answer, type Question } from './question.js';
import { measureStart } from './start.js';

const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'deltaproof-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const WORKER = new URL('../../dist/bench/channels/worker.js', import.meta.url);

const main = (...args: string[]) =>
  execa(process.execPath, [join(DIST, 'bench/self/main.js'), '--pairs', '1', '--rows', '40', ...args]);

describe('bench:self', () => {
  it('answers every question, in one document or in a table', async () => {
    const { questions } = JSON.parse((await main('--json')).stdout) as { questions: Answer[] };
    expect(questions.map(({ name, pairs, ratio }) => [name, pairs.length, ratio.n])).toEqual([
      ['start', 1, 1],
      ['instrumentation', 1, 1],
      ['ordered', 1, 1],
      ['summarize', 1, 1],
    ]);
    expect(questions[3]?.facts).toMatchObject({ peak_rss_4_rows_bytes: expect.any(Number) });
    const { stdout } = await main('--only', 'summarize');
    expect(stdout).toMatch(/^summarize: .*\n {2}ratio .* n=1\n/);
    expect(stdout).not.toContain('start: ');
  }, 60_000);

  it('says in a sentence what it does not know, and which child failed', async () => {
    await expect(main('--only', 'speed')).rejects.toMatchObject({
      exitCode: 1,
      stderr: 'bench:self: --only takes start, instrumentation, ordered, summarize, not speed.',
    });
    const modules = { worker: WORKER, bare: new URL('../../fixtures/children/exits.mjs', import.meta.url) };
    const effort = { pairs: 1, rows: 1, folder, onProgress: () => {} };
    await expect(measureStart(effort, modules)).rejects.toThrow(
      /^exits\.mjs did not finish: exit code \d+\.$/,
    );
  });

  it('lets a process that imports as much as the worker does stand against it', () => {
    const bare = packagesFrom('bench/self/children/bare-start.js');
    const worker = packagesFrom('bench/channels/worker.js', 'harness/savers/memory.js');
    expect(bare).toEqual(worker);
  });
});

describe('a pair', () => {
  const child = (name: string) => new URL(`../../fixtures/children/${name}.mjs`, import.meta.url);
  const effort = { pairs: 1, rows: 1, folder, onProgress: () => {} };

  it('shows a slow side as a ratio', async () => {
    const [pair] = (await measureStart(effort, { worker: child('reports-late'), bare: child('exits-well') }))
      .pairs;
    expect(pair?.subject_ms).toBeGreaterThan(pair?.baseline_ms ?? Number.POSITIVE_INFINITY);
  });

  it('is refused when its case fails', async () => {
    await expect(measureStart(effort, { worker: child('exits'), bare: child('exits-well') })).rejects.toThrow(
      'The case failed: The writer exited with code 3',
    );
  });

  it('is taken in alternating order, after one that does not count', async () => {
    const order: string[] = [];
    const side = (name: string, ms: number) => async () => {
      order.push(name);
      return ms;
    };
    const pairs = await timePairs(2, { subject: side('s', 6), baseline: side('b', 2) }, () => {});
    expect(order.join('')).toBe('sbbssb');
    expect(pairs).toEqual([1, 2].map(() => ({ subject_ms: 6, baseline_ms: 2 })));
  });
});

it('holds the whole interval against the goal', () => {
  const answerTo = (ratios: number[]) => {
    const goal = { at_most: 2, aspired_below: null };
    const pairs = ratios.map((ratio) => ({ subject_ms: ratio, baseline_ms: 1 }));
    return answerOf({ name: 'q', asks: '', goal } as Question, { pairs, facts: {} });
  };
  const outcomes = [[1, 2, 2], [1, 2, 3], [3, 4, 3], [1]].map((ratios) => answerTo(ratios).goal.outcome);
  expect(outcomes).toEqual(['met', 'not_told', 'missed', 'not_told']);
  expect(answerTo([1, 4, 2]).ratio.median).toBe(2);
});

it('writes a journal of as many rows as asked for, all in order and no case twice', () => {
  const path = join(folder, 'journal.jsonl');
  const bytes = writeJournalOf(450, path);
  expect(readFileSync(path)).toHaveLength(bytes);
  const rows = [...readJournalLines(path)].flatMap((line) =>
    line.kind === 'line' && line.value.kind === 'row' ? [line.value] : [],
  );
  expect(new Set(rows.map((row) => JSON.stringify(row.case))).size).toBe(450);
  expect(rows[0]?.measurement?.samples_ms.write).toHaveLength(95);
});

/** The packages that built modules load, themselves and through other modules of this project. */
function packagesFrom(...files: string[]): string[] {
  const seen = new Set<string>();
  const packages = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    const code = readFileSync(file, 'utf8');
    for (const [, specifier = ''] of code.matchAll(/(?:from|import|requireModule\()\s*'([^']+)'/g)) {
      if (specifier.startsWith('.')) visit(join(file, '..', specifier));
      else if (!specifier.startsWith('node:')) packages.add(specifier);
    }
  };
  files.forEach((file) => visit(join(DIST, file)));
  return [...packages].toSorted();
}
