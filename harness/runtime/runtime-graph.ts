// The part of a compiled graph that the runtime uses, and whether its channels are in the mode of the process.

import type { StateSnapshot } from '@langchain/langgraph';
import type { CheckpointMetadata } from '@langchain/langgraph-checkpoint';
import type { Config } from '../savers/call-types.js';
import type { GuardedSaver } from './guarded-saver.js';
import type { ChannelMode } from './terms.js';
import { ModeNotInEffectError, UnguardedSaverError } from './errors.js';

/** A compiled `StateGraph`. */
export interface RuntimeGraph {
  readonly channels: Readonly<Record<string, unknown>>;
  readonly builder: { readonly channels: Readonly<Record<string, unknown>> };
  readonly checkpointer?: unknown;
  getSubgraphs?(namespace?: string, recurse?: boolean): Iterable<readonly [string, unknown]>;
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

/** @throws TypeError for what is no compiled graph. */
export function graphOf(built: GraphOrAgent): RuntimeGraph {
  const graph = typeof built === 'object' && 'graph' in built ? built.graph : built;
  if (typeof (graph as Partial<RuntimeGraph> | undefined)?.channels === 'object') return graph;
  throw new TypeError('build gave no compiled StateGraph and no agent.');
}

/**
 * @param saver the one that `build` was given.
 * @throws UnguardedSaverError where the graph has another one; ModeNotInEffectError where its channels, or those of the
 *   subgraphs that LangGraph finds in it, are in another mode or cadence.
 */
export function checkGraph(graph: RuntimeGraph, saver: GuardedSaver): void {
  const { mode } = saver.channelMode;
  const channels = Object.entries(graph.channels);
  checkCadences(graph, saver.channelMode);
  for (const [, subgraph] of graph.getSubgraphs?.(undefined, true) ?? []) {
    checkCadences(subgraph as Pick<RuntimeGraph, 'channels'>, saver.channelMode);
  }
  const reducing = channels.find(([, channel]) => kindOf(channel) === 'BinaryOperatorAggregate');
  if (
    mode === 'delta' &&
    reducing !== undefined &&
    channels.every(([, channel]) => cadenceOf(channel) === null)
  ) {
    throw new ModeNotInEffectError(
      `The process runs in delta mode and no channel of the graph is a delta channel: lift ${reducing[0]}, with withDeltaMessages of deltaproof/graphs.`,
    );
  }
  const { checkpointer = false } = graph;
  if (checkpointer !== false && checkpointer !== saver) throw new UnguardedSaverError();
}

function checkCadences(
  { channels }: Pick<RuntimeGraph, 'channels'>,
  { mode, snapshotFrequency }: ChannelMode,
): void {
  for (const [name, channel] of Object.entries(channels)) {
    const cadence = cadenceOf(channel);
    if (cadence === null || (mode === 'delta' && cadence === snapshotFrequency)) continue;
    throw new ModeNotInEffectError(
      mode === 'full'
        ? `Channel ${name} of the graph is a delta channel, and the process runs in full mode.`
        : `Channel ${name} of the graph has a snapshot every ${cadence} updates, and the process one every ${String(snapshotFrequency)}.`,
    );
  }
}

/** K of a delta channel; null for every other channel. */
function cadenceOf(channel: unknown): number | null {
  const { snapshotFrequency } = channel as { readonly snapshotFrequency?: number };
  return kindOf(channel) === 'DeltaChannel' && snapshotFrequency !== undefined ? snapshotFrequency : null;
}

/** By name, as LangGraph tells channels. */
function kindOf(channel: unknown): unknown {
  return (channel as { readonly lc_graph_name?: unknown }).lc_graph_name;
}
