// A saver's work without its effect. LangGraph is slower beside a saver that works than beside one that does not, since
// the saver's code and data push its own out of the processor's caches: what it costs is measured beside this.

import { DeltaSnapshot, type BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import type { OpenStore } from './saver.js';

/** Elements of a list that are serialized; more of them push no more out. */
const MOST_ELEMENTS = 50;
const COMMITTED = new Uint8Array(2048);

/**
 * What a saver does with the values it is given: serializes them and, where there is a driver below, commits a row. The
 * outcome is dropped. Everything happens before the function returns, as the serializer's work does before it first awaits.
 */
export function sameWork(
  { serde }: Pick<BaseCheckpointSaver, 'serde'>,
  commitBeside: OpenStore['commitBeside'],
): (given: readonly unknown[]) => void {
  return (given) => {
    for (const value of given) void serde.dumpsTyped(shortened(value));
    commitBeside?.(COMMITTED);
  };
}

/** A checkpoint, metadata or a write with the last elements only of its lists. */
function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(-MOST_ELEMENTS);
  if (value instanceof DeltaSnapshot) return new DeltaSnapshot(shortened(value.value));
  if (typeof value !== 'object' || value === null || !('channel_values' in value)) return value;
  const channels = Object.entries(value.channel_values as Record<string, unknown>);
  return {
    ...value,
    channel_values: Object.fromEntries(channels.map(([channel, of]) => [channel, shortened(of)])),
  };
}
