// What the user's modules say of themselves, or what they lack.

import { moduleProblem } from '../../fixtures/workloads/custom.js';
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
    graph:
      graph === null
        ? null
        : await described(async () => {
            const module = await loadGraph(graph);
            const problem = await moduleProblem(module);
            return problem === null ? { name: module.name } : { problem };
          }),
  };
}

async function described<T>(load: () => Promise<T>): Promise<T | { problem: string }> {
  return load().catch((error: unknown) => ({ problem: sentenceOf(error) }));
}

/** Where a package was looked for is a matter of this project's files. */
function sentenceOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/ imported from \S*(?:noop|packages-resolver)\.js$/, '.');
}
