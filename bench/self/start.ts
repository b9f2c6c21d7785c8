// What does the harness add to starting a case? One case from spawn to row, as the controller runs it, against a Node
// process that imports the same packages and ends.

import { Places } from '../../harness/controller/places.js';
import { runCase } from '../../harness/controller/run-case.js';
import { moduleOutput } from '../../harness/process/child.js';
import type { ChannelsCase } from '../../harness/record/case.js';
import { makeWorkFolder } from '../../harness/process/work-folder.js';
import { machineFacts } from '../../harness/record/environment.js';
import { NO_MODULES } from '../../harness/record/own-modules.js';
import type { Provenance } from '../../harness/record/provenance.js';
import { timePairs, type Effort, type Measured, type Question } from './question.js';

const TIMEOUT_MS = 60_000;

const CASE: ChannelsCase = {
  bench: 'channels',
  workload: 'append',
  pipeline_nodes: null,
  backend: 'memory',
  mode: 'full',
  updates: 1,
  payload_bytes: 128,
  payload_entropy: 'words',
  snapshot_frequency: null,
  repetition: 1,
  seed: 1,
};

/** What the two sides run; a test plants others. */
export interface StartedModules {
  /** The worker of the case. */
  readonly worker: URL;
  /** Imports what the worker does. */
  readonly bare: URL;
}

const MODULES: StartedModules = {
  worker: new URL('../channels/worker.js', import.meta.url),
  bare: new URL('./children/bare-start.js', import.meta.url),
};

export const start: Question = {
  name: 'start',
  asks: 'one case from spawn to row (memory, append, one update) / a process that imports the same packages',
  pairs: 15,
  goal: { at_most: 1.4, aspired_below: 1 },
  measure: (effort) => measureStart(effort, MODULES),
};

export async function measureStart(effort: Effort, modules: StartedModules): Promise<Measured> {
  const provenance = provenanceOfNothing();
  const pairs = await timePairs(
    effort.pairs,
    {
      subject: () => timed(() => caseToRow(modules.worker, effort.folder, provenance)),
      baseline: () => timed(() => moduleOutput(modules.bare, [], effort.folder)),
    },
    (number) => effort.onProgress(`start: pair ${number} of ${effort.pairs}`),
  );
  return { pairs, facts: {} };
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await run();
  return performance.now() - startMs;
}

async function caseToRow(worker: URL, folder: string, provenance: Provenance): Promise<void> {
  const places = new Places(makeWorkFolder(folder), null);
  const row = await runCase(CASE, {
    worker,
    packagesDir: null,
    modules: NO_MODULES,
    redisUrl: null,
    timeoutMs: TIMEOUT_MS,
    maxRssBytes: null,
    profileDir: null,
    provenance,
    runIndex: 0,
    places,
    place: places.make(),
    signal: new AbortController().signal,
  });
  if (row?.success !== true) throw new Error(`The case failed: ${row?.failure?.message ?? 'no row'}`);
}

/** Read once a run, before any case; the row only carries it. */
function provenanceOfNothing(): Provenance {
  return {
    deltaproof_version: 'self',
    git_revision: null,
    git_dirty: null,
    node_version: process.versions.node,
    packages: {},
    packages_sha256: '',
    machine: machineFacts(),
    server: null,
    own_modules: {},
  };
}
