// The state scenarios: threads, and what must be in them. In the order in which they run.

import { BACKENDS } from './names.js';
import type { Reducer } from './scenario-cell.js';
import type { ScenarioFacts } from './scenario-facts.js';

const MESSAGES: readonly Reducer[] = ['messages_state', 'messages_delta'];

export const STATE_SCENARIOS = {
  linear: { kind: 'state', about: 'Twelve turns, one element each; the plain case.' },
  'fan-out': {
    kind: 'state',
    about: 'Six nodes of one superstep write the same list; their order is part of the state.',
  },
  'fan-out-join': {
    kind: 'state',
    about: 'Four parallel nodes, then one that waits for all of them; continued for three turns.',
    quick: false,
  },
  send: {
    kind: 'state',
    about: 'A node sends twelve tasks to one worker node; they apply in the order of sending.',
    quick: false,
  },
  'several-writes': {
    kind: 'state',
    about: 'One task writes the same list four times; its own order is part of the state.',
  },
  'bulk-update': {
    kind: 'state',
    about: 'bulkUpdateState with two supersteps, the second of several updates, between two turns.',
  },
  'fork-input': {
    kind: 'state',
    about: 'A new input at an older checkpoint; the branch knows nothing of what came after it there.',
  },
  'fork-replay': {
    kind: 'state',
    about:
      'invoke(null) at a checkpoint before the last node runs that node again; the branch has the second run only.',
  },
  'fork-update': {
    kind: 'state',
    about: 'updateState twice from one checkpoint makes two branches that do not know of each other.',
    quick: false,
  },
  'fork-root': {
    kind: 'state',
    about:
      'updateState on the first checkpoint of a thread, which is before its first input, and a turn from there.',
    quick: false,
  },
  regenerate: {
    kind: 'state',
    about:
      'The last answer is given again from the checkpoint before it; the first one stays in its own branch alone.',
    reducers: MESSAGES,
  },
  'edit-question': {
    kind: 'state',
    about:
      'An earlier question is edited under its id, before it was answered, and the thread goes on from there.',
    reducers: MESSAGES,
    quick: false,
  },
  overwrite: {
    kind: 'state',
    about:
      'An Overwrite in the middle of a thread: what was before is gone, what comes after is added to it.',
  },
  'overwrite-first': {
    kind: 'state',
    about: 'The first write of a thread is an Overwrite; the state holds its value and never the wrapper.',
  },
  'overwrite-plain': {
    kind: 'state',
    about: 'An Overwrite of a list that is kept whole, beside one in the mode of the cell; first and later.',
    quick: false,
  },
  remove: {
    kind: 'state',
    about: 'One message is removed, then two at once.',
    reducers: MESSAGES,
    quick: false,
  },
  'remove-all': {
    kind: 'state',
    about:
      'All messages are removed for a summary in the same write; what stands before the removal in it goes too.',
    reducers: MESSAGES,
  },
  'remove-unknown': {
    kind: 'state',
    about:
      'The removal of an id that is not there: messagesStateReducer throws, messagesDeltaReducer passes over it.',
    reducers: MESSAGES,
  },
  're-add': {
    kind: 'state',
    about:
      'A message is removed and added again: in one write it keeps its place in full and moves to the end in delta.',
    reducers: MESSAGES,
  },
  replace: {
    kind: 'state',
    about: 'A message with a known id takes the place of the one that had it.',
    reducers: MESSAGES,
    quick: false,
  },
  'duplicate-id': {
    kind: 'state',
    about: 'Two messages of one write have the same id; the later one stands, where the first one was.',
    reducers: MESSAGES,
    quick: false,
  },
  'tool-calls': {
    kind: 'state',
    about: 'Turns of an agent with one tool: question, call, result, answer, each from a node of its own.',
    reducers: MESSAGES,
    quick: false,
  },
  'agent-tools': {
    kind: 'state',
    about: 'createAgent with six tool calls at once; their results stand in the order of the calls.',
    reducers: MESSAGES,
    packages: ['langchain'],
  },
  'update-state-fresh': {
    kind: 'state',
    about: 'updateState on a thread that has no checkpoint yet, then turns.',
  },
  'update-state-as-node': {
    kind: 'state',
    about: 'updateState in the name of the first node, after which a run goes on with the second.',
    quick: false,
  },
  'update-state-pinned': {
    kind: 'state',
    about: 'updateState at the head, which is named by its checkpoint id alone.',
  },
  interrupt: {
    kind: 'state',
    about: 'A node asks twice; the run is resumed twice, and what it wrote before and after stands once.',
  },
  'error-retry': {
    kind: 'state',
    about:
      'One of two parallel nodes throws; the run is tried again, and what the other wrote is taken from the store.',
  },
  durability: {
    kind: 'state',
    about:
      'Turns of three nodes stored as they go, while they go, and at the end only; mixed on one thread at last.',
  },
  'saver-fails': {
    kind: 'state',
    about:
      'One call of the saver fails, once, for ever, or after it has committed; whole supersteps are there, and the thread goes on.',
    cadences: [3, 1000],
    quick: false,
  },
  'late-resume': {
    kind: 'state',
    about: 'An interrupt is answered at its checkpoint after the thread has moved on: a branch of its own.',
  },
  'clock-steps-back': {
    kind: 'state',
    about: 'The clock steps back an hour between two turns; the newest turn stays the newest.',
  },
  'two-writers': {
    kind: 'state',
    about: 'Two processes run one thread at the same time; what both acknowledged is there.',
  },
  'deleted-while-running': {
    kind: 'state',
    about: 'The thread is deleted while it runs; it is gone then or whole, never a part of it.',
  },
  subgraph: {
    kind: 'state',
    about: 'A subgraph with a list of its own, in its own namespace, that goes on from turn to turn.',
  },
  'many-channels': {
    kind: 'state',
    about:
      'Three lists with cadences of their own, one written every turn, one every other, one every third.',
    quick: false,
  },
  'channel-stops': {
    kind: 'state',
    about:
      'A list that is written in the first three turns and never again, while another goes on for twenty.',
    quick: false,
  },
  'files-map': { kind: 'state', about: 'A map of files: added, replaced, emptied.' },
  'cadence-edges': {
    kind: 'state',
    about:
      'Just before, at and just after a snapshot: lists of K-1, K and K+1 updates, and around the second snapshot.',
    cadences: [1, 2, 3, 10, 1000],
    quick: false,
  },
  'long-chain': {
    kind: 'state',
    about: 'More than 1,100 checkpoints in one run, and in delta a walk over all of them.',
    cadences: [10, 5000],
    quick: false,
  },
  'migrate-to-delta': {
    kind: 'state',
    about:
      'A thread of full mode goes on in the mode of the cell; its old checkpoints are read in that mode too.',
  },
  'delta-read-by-full': {
    kind: 'state',
    about:
      'A graph of full mode reads a thread that the mode of the cell wrote, adds a turn, and that mode goes on.',
  },
  'cadence-changed': {
    kind: 'state',
    about:
      'The cadence of a thread changes between turns: that of the cell, 10, 1000, 3, and that of the cell again.',
    quick: false,
  },
  'cadences-alternating': {
    kind: 'state',
    about: 'Two savers on one store with different cadences take turns on one thread.',
    quick: false,
  },
  'copy-delete-reuse': {
    kind: 'state',
    about: 'The rows of a thread are copied to another id, the thread is deleted, and its id is used again.',
    backends: BACKENDS,
  },
  'threads-and-namespaces': {
    kind: 'state',
    about:
      'Two threads take turns, each with two subgraphs that keep a list of the same name in their own namespaces.',
    quick: false,
  },
  'history-pages': {
    kind: 'state',
    about:
      'The history by pages of several sizes: each entry is what the thread was when that entry was its head.',
    quick: false,
  },
  'mutating-reducer': {
    kind: 'state',
    about: 'A reducer that pushes into the list it is given; the same behind a saver that serializes late.',
  },
  'shared-default': {
    kind: 'state',
    about:
      'A reducer that pushes into the empty list that its channel begins with; a second thread must not see it.',
  },
  'in-place-edits': {
    kind: 'state',
    about:
      'A node changes the list in place beside what it returns; the same behind a saver that serializes late.',
  },
  'keep-latest': {
    kind: 'state',
    about: 'Everything but the newest checkpoint is deleted behind the saver.',
    backends: BACKENDS,
  },
  'keep-newest': {
    kind: 'state',
    about: 'Everything but the four newest checkpoints is deleted behind the saver.',
    quick: false,
    backends: BACKENDS,
  },
  'delete-oldest-half': {
    kind: 'state',
    about: 'The older half of the checkpoints is deleted behind the saver.',
    quick: false,
    backends: BACKENDS,
  },
  'tool-json': {
    kind: 'state',
    about:
      'Tool results whose artifact has the form of records of the serializer; they are data and stay so.',
    reducers: MESSAGES,
  },
  text: {
    kind: 'state',
    about:
      'Astral characters, lone surrogates, control characters, empty and 1 MB strings, keys like __proto__.',
  },
  values: {
    kind: 'state',
    about:
      'Values that JSON has no form for: BigInt, Date, NaN, Infinity, -0, bytes, Map, Set, undefined, cycles.',
  },
} as const satisfies Readonly<Record<string, ScenarioFacts>>;
