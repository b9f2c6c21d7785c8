// A channel in a state definition of whatever kind: what it is in full mode, and the definition with delta in its place.

import { CannotLiftError } from './cannot-lift.js';
import type { DeltaForm, FullForm, Reduce } from './delta-form.js';

export interface Liftable<Definition> {
  readonly full: FullForm;
  /** A new definition; the other channels are those of the old one. */
  readonly withDelta: (delta: DeltaForm) => Definition;
}

/** @throws CannotLiftError where there is no channel of that name. */
export function entryOf<Entry>(entries: Readonly<Record<string, Entry>>, channel: string): Entry {
  const entry = Object.hasOwn(entries, channel) ? entries[channel] : undefined;
  if (entry !== undefined) return entry;
  const names = Object.keys(entries).map((name) => `"${name}"`);
  const others = names.length === 0 ? 'none at all' : `only ${names.join(', ')}`;
  throw new CannotLiftError(
    `The state definition has no channel "${channel}", ${others}: say with the option "channel" which one to lift.`,
  );
}

/** What a channel is made of that `BinaryOperatorAggregate` stands for. */
interface ChannelLike {
  readonly lc_graph_name: string;
  readonly operator?: Reduce;
  readonly initialValueFactory?: () => unknown;
}

/** @throws CannotLiftError where the channel is delta already, or has no reducer. */
export function fullFormOf(value: unknown, channel: string): FullForm {
  // By name, as LangGraph tells channels apart: a graph may come from another copy of the package.
  const { lc_graph_name: kind, operator, initialValueFactory } = value as ChannelLike;
  if (kind === 'DeltaChannel') throw alreadyDelta(channel);
  if (kind !== 'BinaryOperatorAggregate' || operator === undefined) throw noReducer(channel, kind);
  return { reduce: operator, initialValue: initialValueFactory };
}

export function alreadyDelta(channel: string): CannotLiftError {
  return new CannotLiftError(
    `The channel "${channel}" is delta already and cannot be lifted: give the definition that full mode uses.`,
  );
}

export function noReducer(channel: string, kind: string): CannotLiftError {
  return new CannotLiftError(
    `The channel "${channel}" is a ${kind}, which has no reducer: delta stores writes to be reduced again, so it cannot be lifted.`,
  );
}
