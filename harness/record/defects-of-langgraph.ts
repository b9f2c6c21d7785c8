// Defects of released packages in what LangGraph does above its savers.

import type { KnownDefect } from './known-defect.js';
import type { Backend } from './names.js';

const LANGGRAPH = '@langchain/langgraph';
const EVERYWHERE: readonly Backend[] = ['memory', 'sqlite'];

export const DEFECTS_OF_LANGGRAPH: readonly KnownDefect[] = [
  {
    id: 'L12',
    what: 'messagesDeltaReducer is not messagesStateReducer: only the latter throws for an unknown id, and keeps the place of a message that is removed and added in one write',
    packages: { [LANGGRAPH]: '<=1.7.3' },
    sightings: [
      {
        scenarios: ['re-add'],
        backends: EVERYWHERE,
        witnesses: ['migration'],
        steps: 'remove and add in one write',
        signature: 'messages: order',
      },
      {
        scenarios: ['remove-unknown'],
        backends: EVERYWHERE,
        witnesses: ['migration'],
        steps: 'remove unknown',
        signature:
          "full alone throws[Error: Attempting to delete a message with an ID that doesn't exist ('nobody')]",
      },
    ],
    upstream: null,
    advice: 'Look at what removes messages before a thread changes its mode.',
  },
  {
    id: 'L14',
    what: 'With a reducer that changes its input, a snapshot that is serialized late holds writes that are then replayed once more',
    packages: { [LANGGRAPH]: '<=1.7.3' },
    sightings: [
      {
        scenarios: ['mutating-reducer'],
        backends: EVERYWHERE,
        modes: ['delta'],
        steps: /late, turn \d/,
        signature: /items: extra\[(?:,?(?:one|two|three) t\d)+\]/,
      },
    ],
    upstream: null,
    advice: 'Let reducers return a new value.',
  },
  {
    id: 'L15',
    what: 'What a node changes in the state in place is kept in full mode and, until the next snapshot, lost in delta mode',
    packages: { [LANGGRAPH]: '<=1.7.3' },
    sightings: [
      {
        scenarios: ['in-place-edits'],
        backends: EVERYWHERE,
        signature: /items: extra\[(?:,?edited in place \d)+\]/,
      },
    ],
    upstream: null,
    advice: 'Let nodes return what they change.',
  },
  {
    id: 'L22',
    what: 'All threads of a graph begin with the same default value: a reducer that changes its input shows one thread to the next',
    packages: { [LANGGRAPH]: '<=1.7.3' },
    sightings: [
      {
        scenarios: ['shared-default'],
        backends: EVERYWHERE,
        signature: /items: extra\[one(?:,one)?(?:,two)?\]/,
      },
    ],
    upstream: null,
    advice: 'Let reducers return a new value.',
  },
  {
    id: 'L23',
    what: 'An input that a reducer refuses stays with the head as a pending write: getState of the thread throws until the next turn',
    packages: { [LANGGRAPH]: '<=1.7.3' },
    sightings: [
      {
        scenarios: ['remove-unknown'],
        backends: EVERYWHERE,
        reducers: ['messages_state'],
        witnesses: ['head', 'last', 'fresh_last'],
        signature: "throws[Error: Attempting to delete a message with an ID that doesn't exist ('nobody')]",
      },
    ],
    upstream: null,
    advice: 'Check ids before RemoveMessage is given to a thread.',
  },
  {
    id: 'L25',
    what: 'updateState at the head, named by its checkpoint id without checkpoint_ns, writes without a namespace: SQLite loses the update in delta mode (L4), memory refuses it',
    packages: { [LANGGRAPH]: '<=1.7.3' },
    sightings: [
      {
        scenarios: ['update-state-pinned'],
        backends: ['sqlite'],
        modes: ['delta'],
        fromFrequency: 2,
        signature: 'items: missing[u1]',
      },
      {
        scenarios: ['update-state-pinned'],
        backends: ['memory'],
        steps: 'script',
        signature: /throws\[Error: Invalid configurable value for key "checkpoint_ns": .*\]/,
      },
    ],
    upstream: null,
    advice: 'Pass the whole config of a state, or leave checkpoint_id out for the head.',
  },
];
