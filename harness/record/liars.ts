// Savers that lie, by name: each wraps an honest one and loses, adds or moves something without a word. Data only; a
// test pins the list to `fixtures/faults`.

export const LIARS = {
  'drops-last-write': 'drops the last write of every batch of two or more',
  'drops-third-put-writes': 'forgets every third call of putWrites',
  'reverses-write-order': 'gives the writes of a checkpoint in reverse',
  'reverses-task-writes': 'numbers the writes of a task from the last to the first',
  'skips-seed-writes': 'leaves out of a walk the writes that hang on its seed',
  'includes-own-writes': 'adds to a walk the writes of the checkpoint it starts from',
  'stops-after-fifty': 'ends a walk after fifty writes',
  'caches-history': 'walks once per thread and gives that history ever after',
  'leaks-channel': 'gives the writes of one channel to another that has none',
  'uses-oldest-seed': 'walks past the nearest snapshot to the oldest, and keeps the writes of both',
  'leaks-siblings': 'walks the listing of a thread and not the chain of parents',
  'duplicates-writes': 'stores every write a second time under another position',
  'lossy-unicode': 'stores text as Latin-1',
  'shares-namespaces': 'keeps the writes of all namespaces of a thread together',
  'keeps-writes-on-delete': 'deletes the checkpoints of a thread and not its writes',
  'acknowledges-before-writes':
    'acknowledges writes that it then stores under no checkpoint when one was put since',
  'writes-to-ancestor': 'puts the writes of a checkpoint on its parent, which already has a child',
  'skips-generation': 'gives as parent the parent of the parent, once in a while',
  'drops-snapshots': 'stores no snapshot, so that every read walks to the root',
  'stale-snapshot': 'stores the first snapshot of a channel again in place of every later one',
  'ignores-checkpoint-id': 'gives the head whatever checkpoint is asked for',
  'loses-metadata': 'stores no metadata but the source and the step',
  'swaps-values': 'gives the values of the first two writes of a checkpoint to each other',
} as const;

export type LiarName = keyof typeof LIARS;
export const LIAR_NAMES = Object.keys(LIARS) as LiarName[];
