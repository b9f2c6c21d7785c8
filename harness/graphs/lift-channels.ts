// The channel in a map of channels, which is what an `Annotation.Root` holds.

import type { StateDefinition } from '@langchain/langgraph';
import { deltaChannel } from './delta-form.js';
import { entryOf, fullFormOf, type Liftable } from './liftable.js';

/** @throws CannotLiftError where the channel is missing, delta already or without a reducer. */
export function liftChannels(channels: StateDefinition, channel: string): Liftable<StateDefinition> {
  const entry = entryOf(channels, channel);
  return {
    full: fullFormOf(typeof entry === 'function' ? entry() : entry, channel),
    withDelta: (delta) => ({ ...channels, [channel]: deltaChannel(delta) }),
  };
}
