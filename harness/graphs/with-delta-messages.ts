// A user's own state definition in either mode: as it is in full, with its channel of messages as a delta channel in
// delta. The change that a user considers, made on the definition alone; graphs, nodes and savers stay theirs.

import { isInteropZodObject } from '@langchain/core/utils/types';
import {
  Annotation,
  MessagesValue,
  StateSchema,
  type AnnotationRoot,
  type BaseChannel,
  type StateDefinition,
  type StateDefinitionInit,
  type StateSchemaFields,
} from '@langchain/langgraph';
import type { Mode } from '../record/names.js';
import { CannotLiftError } from './cannot-lift.js';
import { deltaFormOf, type ReducerChoice } from './delta-form.js';
import { liftChannels } from './lift-channels.js';
import { liftFields } from './lift-fields.js';
import { agentFieldsOf, liftZod } from './lift-zod.js';
import type { Liftable } from './liftable.js';

export interface DeltaMessagesOptions {
  readonly mode: Mode;
  /** K: a snapshot is stored every K updates of the channel. Needed in delta, without meaning in full. */
  readonly snapshotFrequency?: number | null | undefined;
  /**
   * The reducer of the delta channel.
   *
   * - `messages_delta`: LangGraph's `messagesDeltaReducer`. By default where the channel's own reducer is
   *   `messagesStateReducer` (`MessagesValue`, `MessagesAnnotation`, `MessagesZodState`, the messages of `createAgent`),
   *   since that is the switch LangGraph offers: it passes over a batch once, and only for it LangGraph gives an id to
   *   every message before it is stored. It is another reducer: it ignores the removal of an unknown id, and puts a
   *   message that one write removes and adds again at the end (L12). Those differences are then part of the comparison.
   * - `lifted`: the channel's own reducer, applied to a batch one write after the other. By default for every other
   *   reducer. Both modes then mean the same, and storage alone differs. Two things to know: a reducer that copies the
   *   list costs a copy for every write that is replayed; and one that gives ids or times itself, as
   *   `messagesStateReducer` does with messages that are not message objects, gives others at every read.
   */
  readonly reducer?: ReducerChoice | undefined;
  /** The channel to lift; `messages` by default. */
  readonly channel?: string | undefined;
  /**
   * Who is given the definition; `StateGraph` by default. `createAgent` adds messages of its own where a definition has
   * none, so there a definition without them, or none at all, is lifted too.
   */
  readonly usedBy?: 'StateGraph' | 'createAgent' | undefined;
}

/**
 * The state definition in the mode of `options`: the same object in full, and in delta a new one in which the channel is
 * a delta channel and all others are as they were.
 *
 * Takes a `StateSchema`, an `Annotation.Root`, a zod object of either version, a map of channels, and for `createAgent`
 * also `undefined`. What cannot be lifted is refused in both modes, so that a comparison never runs by half. Every other
 * definition that names the channel (`input` and `output` of the graph, `input` of a node) must be lifted with the same
 * options, or LangGraph refuses the graph.
 *
 * The type is that of the definition, so that nodes keep theirs; in delta a zod object has become a `StateSchema`.
 *
 * @throws CannotLiftError in one whole sentence: no such channel, delta already, no reducer, an unknown kind of
 *   definition, one that createAgent does not read, or no cadence.
 */
export function withDeltaMessages<Definition extends StateDefinitionInit>(
  definition: Definition,
  options: DeltaMessagesOptions,
): Definition;
export function withDeltaMessages(
  definition: undefined,
  options: DeltaMessagesOptions,
): StateSchema<{ messages: typeof MessagesValue }> | undefined;
export function withDeltaMessages(definition: unknown, options: DeltaMessagesOptions): unknown {
  const { mode, snapshotFrequency, reducer, channel = 'messages', usedBy = 'StateGraph' } = options;
  const { full, withDelta } =
    usedBy === 'createAgent' ? ofAgent(definition, channel) : ofGraph(definition, channel);
  if (mode === 'full') return definition;
  return withDelta(deltaFormOf(full, cadence(snapshotFrequency), reducer));
}

function ofGraph(definition: unknown, channel: string): Liftable<unknown> {
  if (StateSchema.isInstance(definition)) return ofFields(definition.fields as StateSchemaFields, channel);
  if (isInteropZodObject(definition)) return liftZod(definition, channel);
  if (isAnnotationRoot(definition)) {
    const { full, withDelta } = liftChannels(definition.spec, channel);
    return { full, withDelta: (delta) => Annotation.Root(withDelta(delta)) };
  }
  if (isChannelMap(definition)) return liftChannels(definition, channel);
  throw new CannotLiftError(
    `A StateSchema, an Annotation.Root, a zod object or a map of channels can be lifted, and this is ${kindOf(definition)}.`,
  );
}

/** What createAgent makes of the definition. */
function ofAgent(definition: unknown, channel: string): Liftable<unknown> {
  const messages = { messages: MessagesValue };
  if (definition === undefined) return ofFields(messages, channel);
  if (StateSchema.isInstance(definition)) {
    return ofFields({ ...messages, ...(definition.fields as StateSchemaFields) }, channel);
  }
  if (isInteropZodObject(definition)) return ofFields({ ...messages, ...agentFieldsOf(definition) }, channel);
  throw new CannotLiftError(
    `createAgent reads a StateSchema or a zod object as its stateSchema and would ignore this, which is ${kindOf(definition)} and cannot be lifted for it.`,
  );
}

function ofFields(fields: StateSchemaFields, channel: string): Liftable<unknown> {
  const { full, withDelta } = liftFields(fields, channel);
  return { full, withDelta: (delta) => new StateSchema(withDelta(delta)) };
}

/** By name, as LangGraph does: the definition may come from another copy of the package. */
function isAnnotationRoot(value: unknown): value is AnnotationRoot<StateDefinition> {
  return isObject(value) && value['lc_graph_name'] === 'AnnotationRoot';
}

function isChannelMap(value: unknown): value is StateDefinition {
  if (!isObject(value) || Array.isArray(value)) return false;
  const entries = Object.values(value);
  return entries.length > 0 && entries.every((entry) => typeof entry === 'function' || isChannel(entry));
}

function isChannel(value: unknown): value is BaseChannel {
  return isObject(value) && value['lg_is_channel'] === true;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function kindOf(definition: unknown): string {
  if (isAnnotationRoot(definition)) return 'an Annotation.Root';
  if (Array.isArray(definition)) return 'a list';
  if (!isObject(definition)) return definition === null ? 'null' : `of type ${typeof definition}`;
  const names = Object.keys(definition).slice(0, 5);
  return names.length === 0 ? 'an object without keys' : `an object with the keys ${names.join(', ')}`;
}

function cadence(snapshotFrequency: number | null | undefined): number {
  if (Number.isInteger(snapshotFrequency) && Number(snapshotFrequency) > 0) return Number(snapshotFrequency);
  throw new CannotLiftError(
    `A delta channel needs a snapshotFrequency, a whole number of updates from 1 on, and this is ${String(snapshotFrequency)}.`,
  );
}
