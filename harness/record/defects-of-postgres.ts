// Defects of released packages that show on Postgres alone.

import type { KnownDefect } from './known-defect.js';

const POSTGRES = '@langchain/langgraph-checkpoint-postgres';
const BACKENDS = ['postgres'] as const;
/** What stands before the saver and leaves versions as they are. */
const INTEGERS = [
  null,
  'ordered',
  'history-cache',
  'redis-history-cache',
  'direct-walk',
  'cached-direct-walk',
] as const;

const ADVICE =
  'Put UniqueVersionsSaver of deltaproof/savers before the saver, or extend it and let getNextVersion give unique texts; threads that were begun with integers stay as they are.';

export const DEFECTS_OF_POSTGRES: readonly KnownDefect[] = [
  {
    id: 'L2',
    what: 'After a fork the branches count on with the same integer versions, and of two equal ones the first value stays: a branch reads what another one has stored, in full mode too',
    packages: { [POSTGRES]: '<=1.0.5' },
    sightings: [
      {
        scenarios: ['fork-input'],
        backends: BACKENDS,
        wrappers: INTEGERS,
        steps: /(?:second )?fork(?:, on)?/,
        signature: /items: missing\[(?:f1|g1|g1,g2)\] extra\[(?:t3|t3,f2|f1,f2)\]/,
      },
      {
        scenarios: ['fork-replay'],
        backends: BACKENDS,
        modes: ['full'],
        wrappers: INTEGERS,
        steps: /replay(?:, on)?/,
        signature: 'items: missing[last, run 3] extra[last, run 2]',
      },
      {
        scenarios: ['fork-update'],
        backends: BACKENDS,
        wrappers: INTEGERS,
        steps: /second update(?:, on)?/,
        signature: 'items: missing[u2] extra[u1]',
      },
      {
        scenarios: ['fork-root'],
        backends: BACKENDS,
        wrappers: INTEGERS,
        steps: /update|turn 3/,
        signature: 'items: missing[r1] extra[t1]',
      },
      {
        scenarios: ['regenerate'],
        backends: BACKENDS,
        modes: ['full'],
        wrappers: INTEGERS,
        steps: /regenerate|turn 3/,
        signature: 'messages: missing[a3] extra[a2]',
      },
      {
        // Full mode is what is compared with.
        scenarios: ['regenerate'],
        backends: BACKENDS,
        modes: ['delta'],
        wrappers: INTEGERS,
        witnesses: ['migration'],
        steps: 'turn 3',
        signature: /messages: (?:missing\[a2\] )?extra\[a3\]/,
      },
      {
        scenarios: ['edit-question'],
        backends: BACKENDS,
        wrappers: INTEGERS,
        steps: /edit|answer|turn 4/,
        signature:
          /messages: (?:missing\[(?:a4|a5|a4,q4,a5)\] )?extra\[a2(?:,q3,a3)?\] (?:order )?changed\[q2\]/,
      },
      {
        scenarios: ['late-resume'],
        backends: BACKENDS,
        wrappers: INTEGERS,
        steps: /turn 3|answer 3/,
        signature:
          /items: missing\[(?:answered one,t3(?:,answered three)?\] extra\[t2,answered two|answered three)\]/,
      },
      {
        scenarios: ['clock-steps-back'],
        backends: BACKENDS,
        wrappers: INTEGERS,
        steps: 'turn 5',
        signature: 'items: missing[t5]',
      },
      {
        // What shows depends on the graph; with unique versions nothing does.
        scenarios: ['own-graph'],
        backends: BACKENDS,
        wrappers: INTEGERS,
        steps: /(?:fork|replay)(?:, .*)?/,
        signature: /.*(?:missing|extra|changed).*/,
      },
      {
        // What shows depends on what the histories are; with unique versions nothing does.
        scenarios: ['histories'],
        backends: BACKENDS,
        wrappers: INTEGERS,
        signature: /(?:(?:; )?(?:items|messages): (?:missing\[.*\])?(?: ?extra\[.*\])?(?: ?order.*)?){1,2}/,
      },
    ],
    upstream: null,
    advice: ADVICE,
  },
  {
    id: 'L3',
    what: 'A replay of an older checkpoint, invoke(null, config), returns what the abandoned branch wrote beside what the replay writes',
    packages: { [POSTGRES]: '<=1.0.5' },
    sightings: [
      {
        scenarios: ['fork-replay'],
        backends: BACKENDS,
        modes: ['delta'],
        fromFrequency: 2,
        wrappers: INTEGERS,
        steps: /replay(?:, on)?/,
        signature: 'items: extra[last, run 2]',
      },
      {
        scenarios: ['regenerate'],
        backends: BACKENDS,
        modes: ['delta'],
        fromFrequency: 2,
        wrappers: INTEGERS,
        steps: /regenerate|turn 3/,
        signature: 'messages: extra[a2]',
      },
    ],
    upstream: null,
    advice: ADVICE,
  },
  {
    id: 'L10',
    what: 'A checkpoint that is put again under another parent keeps the first parent',
    packages: { [POSTGRES]: '<=1.0.5' },
    sightings: [
      {
        scenarios: ['other-parent'],
        backends: BACKENDS,
        signature: 'answers "1f000000-0000-6000-8000-000000000001"',
      },
    ],
    upstream: null,
    advice: 'Give a checkpoint a new id where its parent changes.',
  },
  {
    id: 'L11',
    what: 'A snapshot whose channel newVersions does not name is not stored',
    packages: { [POSTGRES]: '<=1.0.5' },
    sightings: [{ scenarios: ['unlisted-snapshot'], backends: BACKENDS, signature: 'answers "lost"' }],
    upstream: null,
    advice: 'Name every channel in newVersions whose value is to be stored.',
  },
  {
    id: 'L20',
    what: 'Most of a read is parsing: values come as the text of one array of arrays, which the driver takes several times as long for as for the same values in rows',
    packages: { [POSTGRES]: '<=1.0.5' },
    sightings: [
      { scenarios: ['read-parsing'], backends: BACKENDS, signature: 'answers "more than twice as long"' },
    ],
    upstream: null,
    advice: 'Keep states small, or let agents keep large contents outside of the state.',
  },
];
