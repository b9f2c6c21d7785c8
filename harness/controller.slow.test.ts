// A controller that is killed at random instants loses no row that it has reported, and its next start goes on from
// there: one hundred kills on one journal. Its guard leaves no child and no work folder of it.

import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { afterAll, expect, it } from 'vitest';
import { exampleProvenance } from '../fixtures/journals/rows.js';
import { marked, markedProcesses } from './process/marked-processes.support.test.js';
import { caseKey } from './record/case.js';
import { readJournalLines } from './record/journal-lines.js';

const KILLS = 100;
const CONTROLLER = fileURLToPath(new URL('../fixtures/children/controls-a-run.mjs', import.meta.url));
const SEED = 20;
/** For what the killed run has left to be gone. */
const GONE_WITHIN_MS = 2000;

const folder = mkdtempSync(join(tmpdir(), 'deltaproof-test-'));
const mark = basename(folder);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it(`keeps every reported row through ${KILLS} kills (seed ${SEED})`, async () => {
  const [journal, workDir] = [join(folder, 'run.jsonl'), join(folder, 'work')];
  mkdirSync(workDir);
  const rng = xoroshiro128plus(SEED);
  const reported = new Set<string>();
  let torn = 0;
  let slowestMs = 0;
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const child = execa(
      process.execPath,
      [CONTROLLER, journal, workDir, JSON.stringify(exampleProvenance())],
      {
        reject: false,
        stdin: 'ignore',
        env: marked(mark),
      },
    );
    // By turns spread over start, opening of the journal and first cases, and among the cases once rows are reported,
    // so that a slow machine has its share of rows too.
    const fromStart = kill % 2 === 0;
    const delayMs = fromStart ? uniformInt(rng, 50, 800) : uniformInt(rng, 0, 300);
    const killLater = () => setTimeout(() => child.kill('SIGKILL'), delayMs);
    if (fromStart) killLater();
    else child.stdout.once('data', killLater);
    const { stdout, stderr, signal } = await child;
    expect({ signal, stderr }).toEqual({ signal: 'SIGKILL', stderr: '' });
    const killedAt = performance.now();
    await expect.poll(() => leftBy(workDir), { timeout: GONE_WITHIN_MS, interval: 20 }).toEqual([]);
    slowestMs = Math.max(slowestMs, performance.now() - killedAt);
    stdout
      .split('\n')
      .filter((key) => key !== '')
      .forEach((key) => reported.add(key));

    const lines = [...readJournalLinesOf(journal)];
    torn += lines.filter((line) => line.kind === 'torn').length;
    const kept = lines.flatMap((line) =>
      line.kind === 'line' && line.value.kind === 'row' ? [caseKey(line.value.case)] : [],
    );
    expect([...reported].filter((key) => !kept.includes(key))).toEqual([]);
    expect(kept).toHaveLength(new Set(kept).size);
    expect(lines.filter((line) => line.kind === 'malformed')).toEqual([]);
  }
  expect(reported.size).toBeGreaterThanOrEqual(KILLS / 2);
  console.log(
    `${reported.size} rows reported over ${KILLS} kills, none lost; ${torn} torn tails set aside; ` +
      `all that ran was gone ${Math.round(slowestMs)} ms after its kill at the latest`,
  );
});

/** Nothing when the controller was killed before it had made the journal. */
function readJournalLinesOf(path: string): ReturnType<typeof readJournalLines> | [] {
  return existsSync(path) ? readJournalLines(path) : [];
}

/** Processes that the killed controller has started and that live, its guard among them, and its work folder. */
function leftBy(workDir: string): string[] {
  return [...markedProcesses(mark).map(({ text }) => text.slice(0, 200)), ...readdirSync(workDir)];
}
