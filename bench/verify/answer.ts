// From a request to its report: plays a scenario in its cells on each backend, or reads again what was played.

import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SCENARIO_SCRIPTS } from '../../fixtures/scenarios/registry.js';
import {
  scenarioKey,
  scenarioRequestSchema,
  type ScenarioReport,
  type ScenarioRequest,
} from '../../harness/process/verify-messages.js';
import { BACKEND_CAPABILITIES, type Backend } from '../../harness/record/names.js';
import { knownDefect } from '../../harness/record/known-defect.js';
import { KNOWN_DEFECTS } from '../../harness/record/known-defects.js';
import type { Cell } from '../../harness/record/scenario-cell.js';
import type { Finding } from '../../harness/record/scenario-row.js';
import { storeOpener, type OpenStore } from '../../harness/savers/saver.js';
import { WRAPPER_OPENERS } from '../../harness/savers/wrappers.js';
import { askSaver } from '../../harness/verify/ask.js';
import { tryHistories } from '../../harness/verify/generate.js';
import { migrationFindings } from '../../harness/verify/migration.js';
import { playCell } from '../../harness/verify/play.js';
import type { Played, PlayedStep } from '../../harness/verify/played.js';
import { rereadCell, type Reread } from '../../harness/verify/reread.js';
import type {
  CheckScenario,
  GeneratedScenario,
  Scenario,
  StateScenario,
} from '../../harness/verify/scenario.js';

type BackendReport = ScenarioReport['backends'][number];

/** @throws ZodError when the request is not one. */
export async function answer(received: unknown): Promise<ScenarioReport> {
  const request = scenarioRequestSchema.parse(received);
  const scenario = await SCENARIO_SCRIPTS[request.scenario]();
  const backends: BackendReport[] = [];
  for (const { backend, cells } of request.backends) {
    const bench = new Bench(request, backend, await openerOf(request, backend));
    backends.push(await bench.report(scenario, cells));
  }
  return { kind: 'report', case_key: scenarioKey(request), role: request.role, backends };
}

type Open = (storeDir: string) => OpenStore;

/** Opens a store of the backend, behind the liar and the wrapper that the request names. */
async function openerOf({ liar, wrapper }: ScenarioRequest, backend: Backend): Promise<Open> {
  const open = await storeOpener(backend);
  const lie = liar === null ? unchanged : (await import('../../fixtures/faults/registry.js')).LIES[liar];
  const wrap = wrapper === null ? unchanged : await WRAPPER_OPENERS[wrapper]();
  const between = (saver: BaseCheckpointSaver) => wrap(lie(saver));
  return (storeDir) => {
    const store = open(storeDir);
    return {
      ...store,
      saver: between(store.saver),
      second: () => ({ saver: between(store.second().saver) }),
    };
  };
}

function unchanged(saver: BaseCheckpointSaver): BaseCheckpointSaver {
  return saver;
}

/** One backend's part of a request. */
class Bench {
  readonly #request: ScenarioRequest;
  readonly #backend: Backend;
  readonly #open: Open;

  constructor(request: ScenarioRequest, backend: Backend, open: Open) {
    this.#request = request;
    this.#backend = backend;
    this.#open = open;
  }

  report(scenario: Scenario, cells: readonly Cell[]): Promise<BackendReport> {
    if (scenario.kind === 'generated') return this.#generate(scenario, cells);
    if (scenario.kind !== 'state') return this.#ask(scenario);
    return this.#request.role === 'write' ? this.#play(scenario, cells) : this.#reread(scenario, cells);
  }

  async #ask(scenario: CheckScenario): Promise<BackendReport> {
    const store = this.#open(this.#folder('check'));
    try {
      const { findings, comparisons } = await askSaver(scenario, this.#backend, store, this.#request.seed);
      return { backend: this.#backend, cells: [{ cell: null, comparisons }], findings: [...findings] };
    } finally {
      store.close();
    }
  }

  async #play(scenario: StateScenario, cells: readonly Cell[]): Promise<BackendReport> {
    const played: (Played & { readonly cell: Cell })[] = [];
    const report: BackendReport = { backend: this.#backend, cells: [], findings: [] };
    for (const [index, cell] of cells.entries()) {
      const store = this.#open(this.#folder(index));
      const outcome = await playCell(scenario, cell, store, this.#request.seed);
      const again = await this.#readAgain(scenario, cell, store, index, outcome.steps);
      writeFileSync(this.#stepsFile(index), JSON.stringify(outcome.steps));
      played.push({ ...outcome, cell });
      add(report, cell, [outcome, again]);
    }
    report.findings.push(...migrationFindings(played));
    return report;
  }

  async #generate(scenario: GeneratedScenario, cells: readonly Cell[]): Promise<BackendReport> {
    const { seed, histories, packages, wrapper } = this.#request;
    const report: BackendReport = { backend: this.#backend, cells: [], findings: [] };
    const place = { scenario: scenario.name, backend: this.#backend, wrapper };
    for (const cell of cells) {
      const generated = await tryHistories(scenario, cell, {
        seed,
        count: histories ?? 1,
        isKnown: (finding) => knownDefect(KNOWN_DEFECTS, packages, place, finding) !== null,
        openEmpty: () => this.#openEmpty(),
      });
      add(report, cell, [generated]);
    }
    return report;
  }

  /** A store in a folder that is gone when it is closed. */
  #openEmpty(): OpenStore {
    const folder = this.#folder('empty');
    const store = this.#open(folder);
    return {
      ...store,
      close() {
        store.close();
        rmSync(folder, { recursive: true });
      },
    };
  }

  /** On a saver made anew where the store outlives it, else on a graph made anew. Closes the store. */
  async #readAgain(
    scenario: StateScenario,
    cell: Cell,
    store: OpenStore,
    index: number,
    steps: readonly PlayedStep[],
  ): Promise<Reread> {
    let open = store;
    if (BACKEND_CAPABILITIES[this.#backend].persistent) {
      store.close();
      open = this.#open(this.#folder(index));
    }
    const again = await rereadCell(scenario, cell, open, steps, ['pinned', 'last']);
    open.close();
    return again;
  }

  async #reread(scenario: StateScenario, cells: readonly Cell[]): Promise<BackendReport> {
    const report: BackendReport = { backend: this.#backend, cells: [], findings: [] };
    for (const [index, cell] of cells.entries()) {
      const store = this.#open(this.#folder(index));
      const steps = JSON.parse(readFileSync(this.#stepsFile(index), 'utf8')) as PlayedStep[];
      add(report, cell, [await rereadCell(scenario, cell, store, steps, ['fresh_pinned', 'fresh_last'])]);
      store.close();
    }
    return report;
  }

  #folder(name: number | string): string {
    const folder = join(this.#request.store_dir, `${this.#backend}-${name}`);
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  #stepsFile(index: number): string {
    return join(this.#request.store_dir, `${this.#backend}-${index}.steps.json`);
  }
}

interface Outcome {
  readonly findings: readonly Finding[];
  readonly comparisons: number;
}

function add(report: BackendReport, cell: Cell, outcomes: readonly Outcome[]): void {
  report.cells.push({ cell, comparisons: outcomes.reduce((sum, { comparisons }) => sum + comparisons, 0) });
  report.findings.push(...outcomes.flatMap(({ findings }) => findings));
}
