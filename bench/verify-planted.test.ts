// A defect that the ledger does not explain, one of each kind of scenario, through real children: it must end with exit
// code 4 and a witness that someone can act on.

import { NO_MODULES } from '../harness/record/own-modules.js';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { buildVerifyPlan, type VerifyOptions } from './verify/matrix.js';
import { exampleProvenance } from '../fixtures/journals/rows.js';
import { Places } from '../harness/controller/places.js';
import { runScenarios } from '../harness/controller/run-scenarios.js';
import { makeWorkFolder, type WorkFolder } from '../harness/process/work-folder.js';
import { KNOWN_DEFECTS } from '../harness/record/known-defects.js';
import type { LiarName } from '../harness/record/liars.js';
import type { ScenarioName } from '../harness/record/scenarios.js';
import { judgeScenarios } from '../summarize/judge-scenarios.js';
import { renderVerification } from '../summarize/verification-table.js';

const PACKAGES = {
  '@langchain/langgraph': '1.7.3',
  '@langchain/langgraph-checkpoint': '1.2.2',
  '@langchain/langgraph-checkpoint-sqlite': '1.0.4',
};

let root = '';
let workFolder: WorkFolder;
beforeEach(() => {
  root = mkdtempSync(`${tmpdir()}/deltaproof-test-`);
  workFolder = makeWorkFolder(root);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function rowsOf(options: Partial<VerifyOptions>, worker = '../dist/bench/verify/worker.js') {
  const plan = buildVerifyPlan({
    scenarios: ['linear'],
    backends: ['sqlite'],
    snapshotFrequencies: [3],
    seeds: [1],
    quick: false,
    liar: null,
    wrapper: null,
    ownSaver: null,
    ownGraph: null,
    histories: 3,
    kills: 3,
    ...options,
  });
  const never = new AbortController().signal;
  return runScenarios(plan, {
    worker: new URL(worker, import.meta.url),
    packagesDir: null,
    modules: NO_MODULES,
    redisUrl: null,
    timeoutMs: 60_000,
    maxRssBytes: null,
    provenance: { ...exampleProvenance(), packages: PACKAGES },
    jobs: 1,
    stopStarting: never,
    stopNow: never,
    places: new Places(workFolder, null),
    onRows: () => {},
  });
}

async function verified(scenario: ScenarioName, liar: LiarName | null) {
  const verification = judgeScenarios(await rowsOf({ scenarios: [scenario], liar }), KNOWN_DEFECTS);
  return { exitCode: verification.exitCode, text: renderVerification(verification) };
}

it.each<[ScenarioName, LiarName, RegExp]>([
  [
    'linear',
    'drops-third-put-writes',
    /delta K=3, step turn \d+, head: items: missing\[t\d+.*\]\n +expected items \[t1.*\]\n +found +items \[.*\]\n +checkpoint /,
  ],
  // Order within a superstep is known on SQLite; a loss beside it is not.
  ['fan-out', 'drops-third-put-writes', /items: missing\[.*\]/],
  // What was acknowledged is not there after a kill; what is cut short is searched for and shrunk.
  [
    'killed-at-calls',
    'acknowledges-before-writes',
    /start \d+, fresh_\w+: items: missing\[t\d+.*\]\n +expected items \[t\d/,
  ],
  [
    'histories',
    'drops-third-put-writes',
    /history \d of seed 1, shrunk:\n[^]*historyScenario\(\{"inFull":0,"operations":\[\{"op":"turn"/,
  ],
  ['list', 'loses-metadata', /step by a boolean of the metadata, check: answers \[\]\n +expected \[4,2\]/],
  ['read-by-phase', 'drops-snapshots', /step by phase, check: answers \[2,5,8,11,14/],
])(
  '%s catches %s with a witness, although the ledger is at hand',
  async (scenario, liar, witness) => {
    const { exitCode, text } = await verified(scenario, liar);
    expect(exitCode).toBe(4);
    expect(text).toMatch(witness);
    expect(text).toContain(`again: deltaproof verify --scenarios ${scenario} --backends sqlite`);
  },
  60_000,
);

it('without the liar the same scenarios show nothing new', async () => {
  for (const scenario of ['linear', 'fan-out', 'list', 'read-by-phase'] as const) {
    expect((await verified(scenario, null)).exitCode).toBe(0);
  }
}, 60_000);

it('a child that ends before it reports leaves a row that is undecided, and the run incomplete', async () => {
  const rows = await rowsOf(
    { backends: ['memory', 'sqlite'], quick: true },
    '../fixtures/children/exits.mjs',
  );
  expect(rows.map(({ backend, failure }) => [backend, failure?.reason])).toEqual([
    ['memory', 'exited'],
    ['sqlite', 'exited'],
  ]);
  expect(judgeScenarios(rows, KNOWN_DEFECTS)).toMatchObject({ exitCode: 6 });
}, 60_000);

it('a writer that is to be killed may end by SIGKILL and in no other way; who reads after it may not', async () => {
  const endedBy = async (child: string) => {
    const rows = await rowsOf({ scenarios: ['killed-anywhere'] }, `../fixtures/children/${child}.mjs`);
    return rows.map(({ failure }) => [failure?.child, failure?.reason]);
  };
  expect(await endedBy('is-killed')).toEqual([['reader', 'signalled']]);
  expect(await endedBy('kills-itself')).toEqual([['writer', 'signalled']]);
  expect(await endedBy('exits')).toEqual([['writer', 'exited']]);
}, 60_000);
