// The floor of a case: what its rows cost without saver and serialization, measured in the same child.

import type { ReplayPosition } from '../../harness/chain/replay-position.js';
import type { ChannelsCase } from '../../harness/record/case.js';
import { roundMs } from '../../harness/record/percentile.js';
import { scrub } from '../../harness/record/scrub.js';
import type { OpenStore } from '../../harness/savers/saver.js';
import { timeReads } from '../../harness/timing/time-reads.js';
import { THREAD } from './timing.js';

export type Floor =
  | {
      readonly kind: 'measured';
      /** Transactions of all rows. */
      readonly writeMs: number;
      /** The same with a look at the newest rows before each update, as the updates have it. */
      readonly storageMs: number;
      /** Ascending. */
      readonly readSamplesMs: number[];
    }
  | { readonly kind: 'no_driver' }
  /** `problem` is null where the rows are not understood, which the storage diagnosis has said. */
  | { readonly kind: 'failed'; readonly problem: string | null };

/** A floor that cannot be measured leaves the timing valid. */
export async function measureFloor(
  store: OpenStore,
  c: ChannelsCase,
  headIds: readonly string[],
  positions: ReadonlyMap<string, ReplayPosition> | null,
): Promise<Floor> {
  if (store.openFloor === null) return { kind: 'no_driver' };
  const head = positions?.get(headIds.at(-1) ?? '');
  if (head === undefined) return { kind: 'failed', problem: null };
  try {
    const floor = await store.openFloor({
      threadId: THREAD.configurable.thread_id,
      heads: headIds,
      readsChain: c.mode === 'delta',
      seedId: head.oldestSeedId,
    });
    try {
      const { writeMs, headReadMs } = await floor.replayWrites();
      const readSamplesMs = await timeReads(
        () => floor.readHead(),
        () => {},
      );
      return {
        kind: 'measured',
        writeMs: roundMs(writeMs),
        storageMs: roundMs(writeMs + headReadMs),
        readSamplesMs,
      };
    } finally {
      await floor.close();
    }
  } catch (error) {
    return { kind: 'failed', problem: scrub(`The floor could not be measured: ${(error as Error).message}`) };
  }
}
