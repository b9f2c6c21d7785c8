// Defects of released packages in what LangGraph does above its savers.

import type { KnownDefect } from './known-defect.js';
import { ALL_BACKENDS } from './names.js';

const LANGGRAPH = '@langchain/langgraph';
const CHECKPOINT = '@langchain/langgraph-checkpoint';
/** Whatever the saver: it is not the cause. */
const EVERYWHERE = ALL_BACKENDS;

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
      {
        // This saver serializes late by itself: it first waits for a connection.
        scenarios: ['mutating-reducer'],
        backends: ['postgres'],
        modes: ['delta'],
        steps: /main, turn \d/,
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
        steps: /update|turn 2/,
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
  {
    id: 'L27',
    what: 'Checkpoint ids are made of the time: after the clock has stepped back, or on a host whose clock is behind, a turn is not the head of its thread, and the next one goes on without it',
    packages: { [CHECKPOINT]: '<=1.2.2' },
    sightings: [
      {
        scenarios: ['clock-steps-back'],
        backends: EVERYWHERE,
        steps: /turn [45]/,
        signature: 'items: missing[t4]',
      },
    ],
    upstream: null,
    advice:
      'Keep the clocks of all hosts together and let them slew, not step; go on with a thread by the config that its last run returned.',
  },
  {
    id: 'L28',
    what: 'Of two runs at the same time on one thread both are acknowledged, and the head has only one of them',
    packages: { [LANGGRAPH]: '<=1.7.3' },
    sightings: [
      {
        scenarios: ['two-writers'],
        backends: EVERYWHERE,
        steps: 'both',
        signature: /items: missing\[[ab]\]/,
      },
    ],
    upstream: null,
    advice: 'Let one run at a time write a thread: a lock or a queue for each thread id.',
  },
  {
    id: 'L29',
    what: 'A late answer to an interrupt is stored with the old checkpoint: in delta mode the checkpoints that came after it replay the answer too',
    packages: { [LANGGRAPH]: '<=1.7.3' },
    sightings: [
      {
        scenarios: ['late-resume'],
        backends: EVERYWHERE,
        modes: ['delta'],
        fromFrequency: 3,
        witnesses: ['pinned', 'fresh_pinned'],
        steps: /turn 2|answer 2/,
        signature: 'items: extra[answered one]',
      },
      {
        scenarios: ['late-resume'],
        backends: EVERYWHERE,
        witnesses: ['calls'],
        signature: 'put_writes after a child',
      },
    ],
    upstream: null,
    advice: 'Answer interrupts at the head only; for an older one begin a branch with updateState first.',
  },
];
