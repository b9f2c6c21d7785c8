// Replaces the whole state of a thread: a graph of the thread's own channels with one node that does nothing, so that the
// new head schedules no task. LangGraph writes the checkpoint, so parents, versions and counters are those of any update.

import {
  EmptyChannelError,
  END,
  Overwrite,
  START,
  StateGraph,
  type BaseChannel,
  type StateDefinition,
} from '@langchain/langgraph';
import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import type { Config } from '../savers/call-types.js';
import type { GuardedSaver } from './guarded-saver.js';
import { ModeNotInEffectError, StateValuesError } from './errors.js';
import type { RuntimeGraph } from './runtime-graph.js';

/** The one node; no state attribute of anybody's is called so. */
const NODE = 'deltaproof_state';

/** Reducers would merge what replaces. */
const REDUCING = new Set(['BinaryOperatorAggregate', 'DeltaChannel']);
const REPLACING = new Set(['LastValue', 'AnyValue', 'EphemeralValue', 'UntrackedValue']);

/** The state of a thread by channel, as `getState` gives it. */
export type ChannelValues = Readonly<Record<string, unknown>>;

/**
 * Makes `values` the state of the newest checkpoint, or of the checkpoint that `config` names. Channels of the graph that
 * `values` lacks and `current` has fall back to their default, or to null where they have none.
 *
 * @param values as `get` gives them: reducers do not see them, so messages must be message objects.
 * @param current the state that is replaced.
 * @returns the config of the new checkpoint.
 * @throws StateValuesError for names of no channel; ModeNotInEffectError for a channel that cannot be replaced, such as a topic.
 */
export async function replaceState(
  graph: RuntimeGraph,
  saver: GuardedSaver,
  { config, values, current }: { config: Config; values: ChannelValues; current: ChannelValues },
): Promise<Config> {
  const channels = stateChannels(graph);
  requireNames(values, channels);
  const writes = Object.entries(channels).flatMap(([name, channel]): [string, unknown][] => {
    if (Object.hasOwn(values, name)) return [[name, replacing(name, channel, values[name])]];
    return Object.hasOwn(current, name) ? [[name, replacing(name, channel, defaultOf(channel))]] : [];
  });
  return mutationGraph(graph, saver).updateState(config, Object.fromEntries(writes), NODE);
}

/** A graph of the same channels whose one node does nothing, so that what it writes leaves nothing to run. */
export function mutationGraph(
  graph: RuntimeGraph,
  saver: BaseCheckpointSaver,
): Pick<RuntimeGraph, 'updateState'> {
  return new StateGraph(stateChannels(graph) as StateDefinition)
    .addNode(NODE, () => ({}))
    .addEdge(START, NODE)
    .addEdge(NODE, END)
    .compile({ checkpointer: saver });
}

/** A slip in a name would reset the channel that was meant. */
function requireNames(values: unknown, channels: Readonly<Record<string, BaseChannel>>): void {
  const names = Object.keys(channels).join(', ');
  if (typeof values !== 'object' || values === null || Array.isArray(values)) {
    throw new StateValuesError(`The state of a thread is an object of its channels (${names}).`);
  }
  const unknown = Object.keys(values).find((name) => !Object.hasOwn(channels, name));
  if (unknown === undefined) return;
  throw new StateValuesError(`The graph has no channel ${unknown}; it has ${names}.`);
}

function stateChannels({ builder: { channels } }: RuntimeGraph): Readonly<Record<string, BaseChannel>> {
  if ('__root__' in channels)
    throw new ModeNotInEffectError('A state that is one value has no channels to replace.');
  return channels as Readonly<Record<string, BaseChannel>>;
}

function replacing(name: string, { lc_graph_name: kind }: BaseChannel, value: unknown): unknown {
  if (REDUCING.has(kind)) return new Overwrite(value);
  if (REPLACING.has(kind)) return value;
  throw new ModeNotInEffectError(`Channel ${name} is a ${kind}, whose value cannot be replaced.`);
}

/** Null for a channel without one, which LangGraph cannot empty again; but a reducing one can be, by undefined. */
function defaultOf(channel: BaseChannel): unknown {
  try {
    return channel.fromCheckpoint(undefined).get();
  } catch (error) {
    if (error instanceof Error && error.name === EmptyChannelError.unminifiable_name)
      return REDUCING.has(channel.lc_graph_name) ? undefined : null;
    throw error;
  }
}
