// Reads the steps of a played cell again, on a graph and a saver made anew: each by its checkpoint id, and the newest
// state of every thread unpinned. In the process that wrote and in a fresh one.

import type { Cell } from '../record/scenario-cell.js';
import type { Finding, Witness } from '../record/scenario-row.js';
import type { OpenStore } from '../savers/saver.js';
import { compareStates, errorSignature } from './compare.js';
import { evidenceOf } from './evidence.js';
import { compileGraph, readOf } from './compile.js';
import type { PlayedStep } from './played.js';
import { isRefusal } from './refusal.js';
import { stateOf } from './state-of.js';
import type { RunConfig, StateScenario } from './scenario.js';

export interface Reread {
  readonly findings: readonly Finding[];
  readonly comparisons: number;
}

/** What the readings are called: in the process that wrote, or in a fresh one. */
export type ReadingNames = readonly [pinned: Witness, last: Witness];

export async function rereadCell(
  scenario: StateScenario,
  cell: Cell,
  store: OpenStore,
  steps: readonly PlayedStep[],
  [pinned, last]: ReadingNames,
): Promise<Reread> {
  const findings: Finding[] = [];
  let comparisons = 0;
  const read = async (played: PlayedStep, witness: Witness, config: RunConfig): Promise<void> => {
    comparisons += 1;
    const difference = await differenceOf(played, config);
    if (difference === null) return;
    const first = !findings.some(({ step }) => step === played.step);
    const evidence = first ? await evidenceOf(store, played, played.checkpointId) : [];
    findings.push({ cell, step: played.step, witness, evidence, ...difference });
  };
  const differenceOf = async (played: PlayedStep, config: RunConfig) => {
    const isPinned = config.configurable.checkpoint_id !== undefined;
    try {
      const { values } = await compileGraph(scenario, cell, store.saver, played.choice).getState(config);
      return compareStates(
        isPinned ? played.expected : played.expectedAsHead,
        stateOf(values, scenario.channels),
      );
    } catch (error) {
      if (played.refusable && isRefusal(error)) return null;
      return { signature: errorSignature(error), expected: '', actual: '' };
    }
  };
  for (const played of steps.filter(({ lasting, checkpointId }) => lasting && checkpointId !== '')) {
    const { threadId, namespace, checkpointId } = played;
    await read(played, pinned, { configurable: readOf(threadId, namespace, checkpointId) });
  }
  const newest = new Map(steps.filter(({ head }) => head).map((played) => [threadOf(played), played]));
  for (const played of newest.values()) {
    await read(played, last, { configurable: readOf(played.threadId, played.namespace) });
  }
  return { findings, comparisons };
}

function threadOf({ threadId, namespace }: PlayedStep): string {
  return JSON.stringify([threadId, namespace]);
}
