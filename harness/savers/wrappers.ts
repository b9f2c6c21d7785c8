// The wrappers by name, each loaded when it is asked for.

import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import type { WrapperName } from '../record/wrappers.js';

export const WRAPPER_OPENERS: Readonly<
  Record<WrapperName, () => Promise<(saver: BaseCheckpointSaver) => BaseCheckpointSaver>>
> = {
  ordered: async () => {
    const { OrderedSaver } = await import('./ordered.js');
    return (saver) => new OrderedSaver(saver);
  },
  'unique-versions': async () => {
    const { UniqueVersionsSaver } = await import('./unique-versions.js');
    return (saver) => new UniqueVersionsSaver(saver);
  },
};
