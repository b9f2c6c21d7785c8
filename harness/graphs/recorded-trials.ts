// Trials of a reducer made of what a real graph wrote to its channel.

import type { RunnableConfig } from '@langchain/core/runnables';
import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import fc from 'fast-check';
import { overwriteOf } from './overwrite.js';
import type { ReducerTrial } from './reducer-properties.js';

/**
 * What was written to a channel of a thread on the way to a checkpoint (the head where the config names none), oldest
 * first; an `Overwrite` as it is. Writes of parallel tasks come in the order in which the saver gives them.
 */
export async function recordedWrites(
  saver: Pick<BaseCheckpointSaver, 'getTuple'>,
  config: RunnableConfig,
  channel: string,
): Promise<unknown[]> {
  const steps: unknown[][] = [];
  const visited = new Set<string>();
  // The writes of the checkpoint itself are those of its child, if it will have one.
  let ancestor = (await saver.getTuple(config))?.parentConfig;
  while (ancestor !== undefined) {
    const tuple = await saver.getTuple(ancestor);
    // Pruned, or a chain that bites its tail: what is there has been taken.
    if (tuple === undefined || visited.has(tuple.checkpoint.id)) break;
    visited.add(tuple.checkpoint.id);
    const writes = (tuple.pendingWrites ?? []).filter(([, written]) => written === channel);
    steps.push(writes.map(([, , value]) => value));
    ancestor = tuple.parentConfig;
  }
  return steps.toReversed().flat();
}

/**
 * Beginnings of recorded writes in batches that are split at random places; null where there is nothing to reduce. A
 * channel never gives an `Overwrite` to its reducer: the writes after it are tried on its value.
 */
export function recordedTrials(
  writes: readonly unknown[],
  initialValue: () => unknown,
): fc.Arbitrary<ReducerTrial> | null {
  const runs: { state: unknown; writes: unknown[] }[] = [{ state: initialValue(), writes: [] }];
  for (const write of writes) {
    const overwrite = overwriteOf(write);
    if (overwrite === null) runs.at(-1)?.writes.push(write);
    else runs.push({ state: overwrite.value ?? initialValue(), writes: [] });
  }
  const tried = runs.filter((run) => run.writes.length > 0);
  if (tried.length === 0) return null;
  return fc.constantFrom(...tried).chain((run) =>
    fc.integer({ min: 1, max: run.writes.length }).chain((length) => {
      const places = Array.from({ length: length - 1 }, (_, index) => index + 1);
      return fc.subarray(places).map((cuts) => {
        const ends = [...cuts, length];
        const batches = ends.map((end, index) => run.writes.slice(ends[index - 1] ?? 0, end));
        return { state: run.state, batches };
      });
    }),
  );
}
