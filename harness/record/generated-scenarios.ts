// The scenarios that are made by a seed, so many of them as a run asks for.

import type { ScenarioFacts } from './scenario-facts.js';

export const GENERATED_SCENARIOS = {
  histories: {
    kind: 'generated',
    about:
      'Histories made by a seed: turns, fan-outs, Sends, forks, replays, updates, edits, interrupts, other cadences, savers and modes, deletion.',
    reducers: ['messages_state', 'messages_delta'],
    cadences: [3, 1000],
    quick: false,
  },
} as const satisfies Readonly<Record<string, ScenarioFacts>>;
