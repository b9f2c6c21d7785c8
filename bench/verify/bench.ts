// Where one backend's part of a request is worked on: its stores, each in a folder of its own, behind the liar and the
// wrapper that the request names.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import type { ScenarioReport, ScenarioRequest } from '../../harness/process/verify-messages.js';
import type { StorePlace } from '../../harness/record/store-place.js';
import type { Backend } from '../../harness/record/names.js';
import type { Cell } from '../../harness/record/scenario-cell.js';
import type { Finding } from '../../harness/record/scenario-row.js';
import { storeOpener, type OpenStore } from '../../harness/savers/saver.js';
import { WRAPPER_OPENERS } from '../../harness/runtime/wrappers.js';

export type BackendReport = ScenarioReport['backends'][number];

export class Bench {
  readonly request: ScenarioRequest;
  readonly backend: Backend;
  readonly #openIn: (place: StorePlace) => Promise<OpenStore>;

  private constructor(
    request: ScenarioRequest,
    backend: Backend,
    openIn: (place: StorePlace) => Promise<OpenStore>,
  ) {
    this.request = request;
    this.backend = backend;
    this.#openIn = openIn;
  }

  static async of(request: ScenarioRequest, backend: Backend): Promise<Bench> {
    const { liar, wrapper, redis_url: redisUrl } = request;
    const open = await storeOpener(backend, request.modules);
    const lie = liar === null ? unchanged : (await import('../../fixtures/faults/registry.js')).LIES[liar];
    const wrap = wrapper === null ? unchanged : await WRAPPER_OPENERS[wrapper]({ redisUrl });
    const between = (saver: BaseCheckpointSaver) => wrap(lie(saver));
    return new Bench(request, backend, async (place) => {
      const store = await open(place);
      const second = () => ({ saver: between(store.second().saver) });
      return { ...store, saver: between(store.saver), second };
    });
  }

  /** A folder of that name for one store; the same one in the next process. */
  folder(name: number | string): string {
    const folder = join(this.request.store_dir, `${this.backend}-${name}`);
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  open(name: number | string): Promise<OpenStore> {
    const { server } = this.request;
    const schema = server && { ...server, schema: `${server.schema}_${name}` };
    return this.#openIn({ dir: this.folder(name), server: schema });
  }
}

function unchanged(saver: BaseCheckpointSaver): BaseCheckpointSaver {
  return saver;
}

interface Outcome {
  readonly findings: readonly Finding[];
  readonly comparisons: number;
}

/** The report of a backend from what each cell has shown, and what only several cells together show. */
export function reportOf(
  { backend }: Bench,
  cells: readonly { readonly cell: Cell | null; readonly outcomes: readonly Outcome[] }[],
  together: readonly Finding[] = [],
): BackendReport {
  return {
    backend,
    cells: cells.map(({ cell, outcomes }) => ({
      cell,
      comparisons: outcomes.reduce((sum, { comparisons }) => sum + comparisons, 0),
    })),
    findings: [...cells.flatMap(({ outcomes }) => outcomes.flatMap(({ findings }) => findings)), ...together],
  };
}
