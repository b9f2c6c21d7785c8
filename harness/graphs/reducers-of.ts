// The delta channels of a compiled graph, with what a trial of their reducers needs to know.

import type { DeltaChannel } from '@langchain/langgraph';
import type { DeltaForm } from './delta-form.js';

/** A compiled graph, or an agent, which keeps its graph inside. */
export type GraphOrAgent =
  | { readonly channels: Readonly<Record<string, unknown>> }
  | { readonly graph: { readonly channels: Readonly<Record<string, unknown>> } };

/**
 * The delta channels of a compiled graph or of an agent by name: reducer, initial value and cadence in updates. Empty for
 * a graph in full mode. Channels of subgraphs are not among them; a subgraph can be asked by itself.
 */
export function reducersOf(graph: GraphOrAgent): ReadonlyMap<string, DeltaForm> {
  const { channels } = 'channels' in graph ? graph : graph.graph;
  const delta = Object.entries(channels).flatMap(([name, channel]): [string, DeltaForm][] => {
    if (!isDeltaChannel(channel)) return [];
    const { reducer: reduce, initialValueFactory: initialValue, snapshotFrequency } = channel;
    return [[name, { reduce, initialValue, snapshotFrequency }]];
  });
  return new Map(delta);
}

/** By name, as LangGraph does: the graph may come from another copy of the package. */
function isDeltaChannel(channel: unknown): channel is DeltaChannel {
  return (channel as { lc_graph_name?: unknown } | null)?.lc_graph_name === 'DeltaChannel';
}
