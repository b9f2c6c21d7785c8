// The scenarios that a graph of the user's own is put through. They run where there is one, and then no others do.

import type { ScenarioFacts } from './scenario-facts.js';

export const OWN_SCENARIOS = {
  'own-graph': {
    kind: 'state',
    about:
      'A graph of your own: turns, all durabilities, forks, replays, other cadences and modes, a second saver; read again as returned live, and full and delta agree.',
  },
  'own-reducers': {
    kind: 'contract',
    about: 'The reducers of your delta channels on what your graph wrote, in batches split at any place.',
  },
} as const satisfies Readonly<Record<string, ScenarioFacts>>;
