// Which graph of a scenario, and which state of a thread: from what a step says to what LangGraph is given.

import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import type { Cell } from '../record/scenario-cell.js';
import type { GraphChoice, RunConfig, ScenarioGraph, StateScenario } from './scenario.js';

/** A graph of the scenario, as the cell and the choice want it. */
export function compileGraph(
  { graphs }: StateScenario,
  cell: Cell,
  saver: BaseCheckpointSaver,
  { graph = 'main', mode = cell.mode, snapshotFrequency: chosen }: GraphChoice = {},
): ScenarioGraph {
  const build = graphs[graph];
  const snapshotFrequency = chosen ?? cell.snapshot_frequency;
  if (build === undefined) throw new Error(`The scenario has no graph ${graph}.`);
  return build({
    saver,
    mode,
    snapshotFrequency: mode === 'full' ? null : snapshotFrequency,
    reducer: cell.reducer,
  });
}

/** The choice alone, of something that has more. */
export function choiceOf({ graph, mode, snapshotFrequency, saver }: GraphChoice): GraphChoice {
  return {
    ...(graph === undefined ? {} : { graph }),
    ...(mode === undefined ? {} : { mode }),
    ...(snapshotFrequency === undefined ? {} : { snapshotFrequency }),
    ...(saver === undefined ? {} : { saver }),
  };
}

/** Where a state is read: at a checkpoint or at the head, of the root or of a subgraph. */
export function readOf(thread: string, namespace: string, at?: string): RunConfig['configurable'] {
  // Only a pinned read names the root: unpinned, the head is found as users find it.
  const pinned = at === undefined ? {} : { checkpoint_id: at };
  const where = namespace === '' && at === undefined ? {} : { checkpoint_ns: namespace };
  return { thread_id: thread, ...where, ...pinned };
}
