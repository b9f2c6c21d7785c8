// What the user's modules say of themselves, or what they lack.

import { loadGraph } from '../../harness/graphs/own-graph.js';
import {
  MODULES_KEY,
  moduleRequestSchema,
  type ModuleReport,
} from '../../harness/process/module-messages.js';
import { loadSaver } from '../../harness/savers/own-saver.js';

/** @throws ZodError when the request is not one. */
export async function answer(received: unknown): Promise<ModuleReport> {
  const { saver, graph } = moduleRequestSchema.parse(received);
  return {
    kind: 'report',
    case_key: MODULES_KEY,
    role: 'describe',
    saver:
      saver === null
        ? null
        : await described(async () => {
            const { name, persistent } = await loadSaver(saver);
            return { name, persistent };
          }),
    graph: graph === null ? null : await described(async () => ({ name: (await loadGraph(graph)).name })),
  };
}

async function described<T>(load: () => Promise<T>): Promise<T | { problem: string }> {
  return load().catch((error: unknown) => ({ problem: (error as Error).message }));
}
