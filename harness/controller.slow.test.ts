// A controller that is killed at random instants loses no row that it has reported, and its next start goes on from
// there: one hundred kills on one journal.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { afterAll, expect, it } from 'vitest';
import { exampleProvenance } from '../fixtures/journals/rows.js';
import { caseKey } from './record/case.js';
import { readJournalLines } from './record/journal-lines.js';

const KILLS = 100;
const CONTROLLER = fileURLToPath(new URL('../fixtures/children/controls-a-run.mjs', import.meta.url));
const SEED = 20;

const folder = mkdtempSync(join(tmpdir(), 'deltaproof-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it(`keeps every reported row through ${KILLS} kills (seed ${SEED})`, async () => {
  const [journal, workDir] = [join(folder, 'run.jsonl'), join(folder, 'work')];
  mkdirSync(workDir);
  const rng = xoroshiro128plus(SEED);
  const reported = new Set<string>();
  let torn = 0;
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const child = execa(
      process.execPath,
      [CONTROLLER, journal, workDir, JSON.stringify(exampleProvenance())],
      {
        reject: false,
        stdin: 'ignore',
      },
    );
    // Spread over start, opening of the journal and the cases themselves.
    const delayMs = uniformInt(rng, 100, 1100);
    const timer = setTimeout(() => child.kill('SIGKILL'), delayMs);
    const { stdout, stderr, signal } = await child;
    clearTimeout(timer);
    expect({ signal, stderr }).toEqual({ signal: 'SIGKILL', stderr: '' });
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
  expect(reported.size).toBeGreaterThan(KILLS);
  console.log(`${reported.size} rows reported over ${KILLS} kills, none lost; ${torn} torn tails set aside`);
  // Each start removed what the one before had left; at most the last one's folder remains, and no child.
  expect(readdirSync(workDir).length).toBeLessThanOrEqual(1);
  await expect.poll(() => childrenAlive(workDir), { timeout: 5000 }).toBe(0);
});

/** Nothing when the controller was killed before it had made the journal. */
function readJournalLinesOf(path: string): ReturnType<typeof readJournalLines> | [] {
  return existsSync(path) ? readJournalLines(path) : [];
}

function childrenAlive(workDir: string): number {
  const listed = execFileSync('ps', ['-eo', 'args='], { encoding: 'utf8' });
  return listed.split('\n').filter((line) => line.includes(workDir) || line.includes('children/reports.mjs'))
    .length;
}
