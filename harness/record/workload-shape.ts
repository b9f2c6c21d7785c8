// What the plan must know of a workload without loading it: how many checkpoints an update stores, what they hold, and
// whether the closed form of stored bytes applies. A test holds every shape against what a real run stores.

import type { ChannelsCase } from './case.js';
import type { ThreadShape } from './expected-bytes.js';
import type { Workload } from './names.js';

/** Bytes of envelope that LangChain's JSON puts around a message with a 22-character id: mean of human and ai. */
const CONVERSATION_ENVELOPE_BYTES = 197.5;

interface WorkloadShape {
  /**
   * For each checkpoint that one update stores, in order, how many of the update's elements it holds already. Its
   * length is R, the checkpoints per update; its last number is how many elements an update adds.
   */
  heldAfter(c: Pick<ChannelsCase, 'pipeline_nodes'>): readonly number[];
  /** Mean bytes of an element as stored, for `payloadBytes` bytes of content. */
  elementBytes(payloadBytes: number): number;
  /** Mean bytes of a checkpoint payload beside the elements. */
  checkpointEnvelopeBytes(c: Pick<ChannelsCase, 'pipeline_nodes'>): number;
  /** Why the closed form is only an upper bound; null where it is exact to 1%. */
  readonly upperBoundBecause: string | null;
}

/** START -> noop: the checkpoints of the input, after START and after the node. */
const ONE_NODE = { heldAfter: () => [0, 1, 1], checkpointEnvelopeBytes: () => 306 };

const conversationBytes = (payloadBytes: number) => payloadBytes + CONVERSATION_ENVELOPE_BYTES;

const SHAPES: Readonly<Record<Workload, WorkloadShape>> = {
  append: { ...ONE_NODE, elementBytes: conversationBytes, upperBoundBecause: null },
  pipeline: {
    heldAfter: ({ pipeline_nodes }) => [0, 1, ...Array.from({ length: pipeline_nodes ?? 1 }, () => 1)],
    elementBytes: conversationBytes,
    // Every node has a channel version and an entry of seen versions; from the tenth on its name is longer.
    checkpointEnvelopeBytes: ({ pipeline_nodes }) =>
      254.2 + 57.05 * (pipeline_nodes ?? 1) + 4.8 * Math.max(0, (pipeline_nodes ?? 1) - 9),
    upperBoundBecause: null,
  },
  'chat-tools': {
    heldAfter: () => [0, 1, 2, 3, 4],
    // Mean over human, ai with a call, tool result and ai.
    elementBytes: (payloadBytes) => payloadBytes + 238.25,
    checkpointEnvelopeBytes: () => 406.85,
    upperBoundBecause: null,
  },
  edit: {
    ...ONE_NODE,
    elementBytes: conversationBytes,
    upperBoundBecause: 'messages are removed and replaced, and the history starts over every 25 updates',
  },
  'multi-channel': {
    ...ONE_NODE,
    // A message, a note of the same length, and a twentieth of a log entry.
    elementBytes: (payloadBytes) => conversationBytes(payloadBytes) + 1.05 * (payloadBytes + 45),
    upperBoundBecause: 'three channels have snapshots of their own',
  },
  // Nothing is known of it: as if each turn added a message by one node.
  custom: {
    ...ONE_NODE,
    elementBytes: conversationBytes,
    upperBoundBecause: "what a graph of one's own stores is not known",
  },
  files: {
    ...ONE_NODE,
    elementBytes: (payloadBytes) => conversationBytes(payloadBytes) + 4 * payloadBytes + 24,
    upperBoundBecause: 'twenty files are written over and over, so their map stops growing',
  },
};

/** The thread of a case as the closed form takes it. */
export function threadShape(c: ChannelsCase): ThreadShape {
  const shape = SHAPES[c.workload];
  return {
    updates: c.updates,
    elementBytes: shape.elementBytes(c.payload_bytes),
    checkpointEnvelopeBytes: shape.checkpointEnvelopeBytes(c),
    snapshotFrequency: c.snapshot_frequency,
    heldAfter: shape.heldAfter(c),
  };
}

/** Why the closed form of this workload is an upper bound only; null where it holds to 1%. */
export function upperBoundReason(workload: Workload): string | null {
  return SHAPES[workload].upperBoundBecause;
}
