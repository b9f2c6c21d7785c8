// The part of a compiled graph that the runtime uses, and whether its channels are in the mode of the process.

import type { StateSnapshot } from '@langchain/langgraph';
import type { CheckpointMetadata } from '@langchain/langgraph-checkpoint';
import type { Config } from '../savers/call-types.js';

import { GuardedSaver } from './guarded-saver.js';
import { ModeNotInEffectError, UnguardedSaverError } from './errors.js';
import type { ChannelMode } from './terms.js';

/** A compiled `StateGraph`. */
export interface RuntimeGraph {
  readonly channels: Readonly<Record<string, unknown>>;
  readonly builder: { readonly channels: Readonly<Record<string, unknown>> };
  readonly checkpointer?: unknown;
  getState(config: Config, options?: { readonly subgraphs?: boolean }): Promise<StateSnapshot>;
  getStateHistory(config: Config, options?: HistoryPage): AsyncIterable<StateSnapshot>;
  updateState(config: Config, values: unknown, asNode?: string): Promise<Config>;
}

/** A compiled `StateGraph`, or what `createAgent` gives, which keeps one inside. */
export type GraphOrAgent = RuntimeGraph | { readonly graph: RuntimeGraph };

/** Which part of a history. */
export interface HistoryPage {
  /** At most so many entries; 0 is none, and without it all come. */
  readonly limit?: number;
  /** Only those before this checkpoint. */
  readonly before?: Config;
  /** Only those whose metadata has these values. */
  readonly filter?: Partial<CheckpointMetadata>;
}

export function graphOf(built: GraphOrAgent): RuntimeGraph {
  return 'graph' in built ? built.graph : built;
}

/**
 * @throws UnguardedSaverError where a delta graph has a saver that is not of this runtime; ModeNotInEffectError where its
 *   channels are in another mode or cadence.
 */
export function checkGraph(graph: RuntimeGraph, { mode, snapshotFrequency }: ChannelMode): void {
  for (const [name, channel] of Object.entries(graph.channels)) {
    const cadence = cadenceOf(channel);
    if (cadence === null || (mode === 'delta' && cadence === snapshotFrequency)) continue;
    throw new ModeNotInEffectError(
      mode === 'full'
        ? `Channel ${name} of the graph is a delta channel, and the process runs in full mode.`
        : `Channel ${name} of the graph has a snapshot every ${cadence} updates, and the process one every ${String(snapshotFrequency)}.`,
    );
  }
  const hasSaver = graph.checkpointer !== undefined && graph.checkpointer !== false;
  if (mode === 'delta' && hasSaver && !(graph.checkpointer instanceof GuardedSaver)) {
    throw new UnguardedSaverError();
  }
}

/** K of a delta channel, told by name as LangGraph does; null for every other channel. */
function cadenceOf(channel: unknown): number | null {
  const { lc_graph_name: kind, snapshotFrequency } = channel as {
    readonly lc_graph_name?: string;
    readonly snapshotFrequency?: number;
  };
  return kind === 'DeltaChannel' && snapshotFrequency !== undefined ? snapshotFrequency : null;
}
