// The scenarios whose writer is killed again and again on one store.

import type { ScenarioFacts } from './scenario-facts.js';

export const CRASH_SCENARIOS = {
  'killed-anywhere': {
    kind: 'crash',
    about:
      'A writer is killed at any instant and starts again with other settings; what was acknowledged is there.',
    backends: ['sqlite'],
    quick: false,
  },
  'killed-at-calls': {
    kind: 'crash',
    about: 'The same, killed just before or just after a call of put or putWrites.',
    backends: ['sqlite'],
    quick: false,
  },
} as const satisfies Readonly<Record<string, ScenarioFacts>>;
