// The ancestors of a checkpoint, by their links: who follows time instead takes a sibling for an ancestor.

import type { BaseCheckpointSaver, CheckpointTuple } from '@langchain/langgraph-checkpoint';
import type { Config } from '../savers/call-types.js';
import {
  CheckpointLineageIntegrityError,
  CheckpointNotFoundError,
  CheckpointParentMissingError,
} from './errors.js';
import { configAt, placeOf, placeOfTuple } from './place.js';

export interface LineageLimits {
  /** Checkpoints that are walked at most; 10,000 by default. */
  readonly maxDepth?: number;
  /** Checkpoints that the scan of a thread without links looks at; 400 by default. */
  readonly scanLimit?: number;
}

const DEFAULT_LIMITS = { maxDepth: 10_000, scanLimit: 400 };

/**
 * The addressed checkpoint, or the head, and its ancestors, newest first.
 *
 * @throws CheckpointNotFoundError when the addressed checkpoint is not there; CheckpointParentMissingError after the last
 *   one where a checkpoint names no parent and is no root; CheckpointLineageIntegrityError for links that cannot be
 *   trusted.
 */
export async function* ancestors(
  saver: BaseCheckpointSaver,
  config: Config,
  { maxDepth = DEFAULT_LIMITS.maxDepth }: LineageLimits = {},
): AsyncGenerator<CheckpointTuple> {
  const seen = new Set<string>();
  const start = placeOf(config);
  let next: Config | undefined = configAt(start);
  while (next !== undefined) {
    const place = placeOf(next);
    const tuple: CheckpointTuple | undefined = await saver.getTuple(next);
    if (tuple === undefined) {
      throw seen.size === 0
        ? new CheckpointNotFoundError(place)
        : new CheckpointLineageIntegrityError(place, 'dangling_parent');
    }
    const found = placeOfTuple(tuple);
    if (place.checkpointId !== null && found.checkpointId !== place.checkpointId) {
      throw new CheckpointLineageIntegrityError(place, 'wrong_target');
    }
    if (seen.has(tuple.checkpoint.id)) throw new CheckpointLineageIntegrityError(found, 'cycle');
    if (seen.size === maxDepth) throw new CheckpointLineageIntegrityError(start, 'too_deep');
    seen.add(tuple.checkpoint.id);
    yield tuple;
    next = tuple.parentConfig;
    if (next === undefined && !isRoot(tuple)) throw new CheckpointParentMissingError(found);
  }
}

/**
 * The nearest of the checkpoint and its ancestors that `isSought`; null where none is. Only where a link is missing, as in
 * threads of old releases, the checkpoints before it are scanned by time, the newest first.
 *
 * @throws CheckpointNotFoundError and CheckpointLineageIntegrityError as {@link ancestors}.
 */
export async function findAncestor(
  saver: BaseCheckpointSaver,
  config: Config,
  isSought: (tuple: CheckpointTuple) => boolean,
  limits: LineageLimits = {},
): Promise<CheckpointTuple | null> {
  try {
    for await (const tuple of ancestors(saver, config, limits)) if (isSought(tuple)) return tuple;
  } catch (error) {
    if (!(error instanceof CheckpointParentMissingError)) throw error;
    const { place } = error;
    const { scanLimit: limit = DEFAULT_LIMITS.scanLimit } = limits;
    const listed = saver.list(configAt({ ...place, checkpointId: null }), { limit, before: configAt(place) });
    for await (const tuple of listed) if (isSought(tuple)) return tuple;
  }
  return null;
}

/** A run begins at step -1, one that is stored at its end at -2, an update at 0, and a copy has no parent either. */
function isRoot({ metadata }: CheckpointTuple): boolean {
  return metadata?.source === 'fork' || (metadata?.step ?? Number.NaN) <= 0;
}
