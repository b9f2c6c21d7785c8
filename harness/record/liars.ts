// Savers that lie, by name: each wraps an honest one and loses, adds or moves something without a word. Data only; a
// test pins the list to `fixtures/faults`.

import type { ScenarioName } from './scenarios.js';

interface Liar {
  /** What it does, as the rest of a sentence. */
  readonly does: string;
  /** The scenario that is tried first on it; the others follow if it is not caught there. */
  readonly tryFirst: ScenarioName;
}

export const LIARS = {
  'drops-last-write': {
    does: 'drops the last write of every batch of two or more',
    tryFirst: 'several-writes',
  },
  'drops-third-put-writes': { does: 'forgets every third call of putWrites', tryFirst: 'linear' },
  'reverses-write-order': { does: 'gives the writes of a checkpoint in reverse', tryFirst: 'several-writes' },
  'reverses-task-writes': {
    does: 'numbers the writes of a task from the last to the first',
    tryFirst: 'several-writes',
  },
  'skips-seed-writes': { does: 'leaves out of a walk the writes that hang on its seed', tryFirst: 'linear' },
  'includes-own-writes': {
    does: 'adds to a walk the writes of the checkpoint it starts from',
    tryFirst: 'fan-out',
  },
  'stops-after-fifty': { does: 'ends a walk after fifty writes', tryFirst: 'cadence-edges' },
  'caches-history': { does: 'walks once per thread and gives that history ever after', tryFirst: 'linear' },
  'leaks-channel': {
    does: 'gives the writes of one channel to another that has none',
    tryFirst: 'many-channels',
  },
  'uses-oldest-seed': {
    does: 'walks past the nearest snapshot to the oldest, and keeps the writes of both',
    tryFirst: 'linear',
  },
  'leaks-siblings': {
    does: 'walks the listing of a thread and not the chain of parents',
    tryFirst: 'fork-input',
  },
  'duplicates-writes': {
    does: 'stores every write a second time under another position',
    tryFirst: 'linear',
  },
  'lossy-unicode': { does: 'stores text as Latin-1', tryFirst: 'text' },
  'shares-namespaces': {
    does: 'keeps the writes of all namespaces of a thread together',
    tryFirst: 'subgraph',
  },
  'keeps-writes-on-delete': {
    does: 'deletes the checkpoints of a thread and not its writes',
    tryFirst: 'copy-delete-reuse',
  },
  'acknowledges-before-writes': {
    does: 'acknowledges writes that it then stores under no checkpoint when one was put since',
    tryFirst: 'linear',
  },
  'writes-to-ancestor': {
    does: 'puts the writes of a checkpoint on its parent, which already has a child',
    tryFirst: 'linear',
  },
  'skips-generation': {
    does: 'gives as parent the parent of the parent, once in a while',
    tryFirst: 'linear',
  },
  'drops-snapshots': {
    does: 'stores no snapshot, so that every read walks to the root',
    tryFirst: 'read-by-phase',
  },
  'stale-snapshot': {
    does: 'stores the first snapshot of a channel again in place of every later one',
    tryFirst: 'linear',
  },
  'ignores-checkpoint-id': { does: 'gives the head whatever checkpoint is asked for', tryFirst: 'linear' },
  'loses-metadata': { does: 'stores no metadata but the source and the step', tryFirst: 'list' },
  'swaps-values': {
    does: 'gives the values of the first two writes of a checkpoint to each other',
    tryFirst: 'several-writes',
  },
} as const satisfies Readonly<Record<string, Liar>>;

export type LiarName = keyof typeof LIARS;
export const LIAR_NAMES = Object.keys(LIARS) as LiarName[];
