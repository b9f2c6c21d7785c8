// Reads of a delta thread at several phases of its cadence: one place, the head, would show only N mod K.

import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { rngFor } from '../../fixtures/workloads/text.js';
import type { MeasuredWorkload } from '../../fixtures/workloads/workload.js';
import type { ReplayPosition } from '../../harness/chain/replay-position.js';
import type { ChildFailure } from '../../harness/process/case-messages.js';
import type { ChannelsCase } from '../../harness/record/case.js';
import type { StateDigest } from '../../harness/record/digest.js';
import type { PinnedRead } from '../../harness/record/channels-measurement.js';
import { PINNED_READ_SAMPLES, RANDOM_PHASES } from '../../harness/record/sampling.js';
import { StateCheck } from './check-states.js';
import type { MeteredGraph } from './metered-graphs.js';
import { timeReads } from '../../harness/timing/time-reads.js';
import { THREAD } from './timing.js';

/** A checkpoint to read: the last one of its update. */
export interface PinnedCheckpoint {
  readonly checkpointId: string;
  /** From 1. */
  readonly update: number;
  readonly position: ReplayPosition;
}

/**
 * The newest update at phase 0, 1, K/2, K-1 and at some seeded random phases, or at the phase that comes nearest:
 * several supersteps of one update may write the channel, and a short thread has no late phase. By ascending phase;
 * none in full mode, and where `positions` are not known.
 */
export function choosePinned(
  c: ChannelsCase,
  headIds: readonly string[],
  positions: ReadonlyMap<string, ReplayPosition> | null,
): PinnedCheckpoint[] {
  const k = c.snapshot_frequency;
  if (k === null || positions === null) return [];
  const heads = headIds.flatMap((checkpointId, index): PinnedCheckpoint[] => {
    const position = positions.get(checkpointId);
    return position === undefined ? [] : [{ checkpointId, update: index + 1, position }];
  });
  const rng = rngFor(c.seed, 'phases', k);
  const drawn = Array.from({ length: RANDOM_PHASES }, () => uniformInt(rng, 0, k - 1));
  const chosen = [0, 1, Math.floor(k / 2), k - 1, ...drawn].map((phase) => {
    const distance = ({ position }: PinnedCheckpoint) => Math.abs(position.updatesSinceSnapshot - phase);
    return heads.reduce<PinnedCheckpoint | undefined>(
      (best, head) => (best === undefined || distance(head) <= distance(best) ? head : best),
      undefined,
    );
  });
  return [...new Set(chosen)]
    .filter((pinned) => pinned !== undefined)
    .toSorted((a, b) => a.position.updatesSinceSnapshot - b.position.updatesSinceSnapshot);
}

/**
 * Reads each checkpoint by its id and holds what came against the model of a thread that ended there.
 *
 * @param live digests of what each update returned, where there is no model.
 */
export async function readPinned(
  c: ChannelsCase,
  workload: MeasuredWorkload,
  { graph, meter }: MeteredGraph,
  pinned: readonly PinnedCheckpoint[],
  live: readonly StateDigest[] = [],
): Promise<{ readonly reads: PinnedRead[]; readonly failure: ChildFailure | null }> {
  const reads: PinnedRead[] = [];
  let failure: ChildFailure | null = null;
  for (const { checkpointId, update, position } of pinned) {
    const check = new StateCheck(workload, { ...c, updates: update }, live[update - 1]);
    const config = { configurable: { ...THREAD.configurable, checkpoint_id: checkpointId } };
    meter.take();
    const samples = await timeReads(
      async () => (await graph.getState(config)).values,
      (state) => check.take('pinned', state),
      PINNED_READ_SAMPLES,
    );
    const walk = meter.take().walks.at(-1) ?? { ancestorsVisited: 0, writesReplayed: 0 };
    failure ??= check.failure && {
      ...check.failure,
      message: `${check.failure.message} It was read by the checkpoint id of update ${update}.`,
    };
    reads.push({
      update,
      updates_since_snapshot: position.updatesSinceSnapshot,
      ancestors_visited: walk.ancestorsVisited,
      writes_replayed: walk.writesReplayed,
      seed_bytes: position.seedBytes,
      samples_ms: samples,
    });
  }
  return { reads, failure };
}
