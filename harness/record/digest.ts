// What a message is for the proof, and the digest of a state made of messages.

import { createHash } from 'node:crypto';
import { canonicalJson } from './canonical.js';

/** Every field of a message that a digest covers, by the names LangChain gives them in memory. */
export const MESSAGE_FIELDS = [
  'id',
  'type',
  'content',
  'name',
  'tool_calls',
  'invalid_tool_calls',
  'tool_call_id',
  'status',
  'artifact',
  'additional_kwargs',
  'response_metadata',
  'usage_metadata',
] as const;

export type MessageField = (typeof MESSAGE_FIELDS)[number];

/** A message as plain data: the fields of {@link MESSAGE_FIELDS}, absent where undefined. */
export type MessageRecord = { readonly [field in MessageField]?: unknown };

/** A state as plain data, by channel: a list of elements (messages as {@link MessageRecord}s) or a map of them. */
export interface StateRecord {
  readonly [channel: string]: readonly unknown[] | Readonly<Record<string, unknown>>;
}

/** A digest and how many elements the state had, over all channels. */
export interface StateDigest {
  /** Lower-case hex sha256 over the canonical JSON of the state. */
  readonly sha256: string;
  readonly count: number;
}

/**
 * Takes the covered fields from a LangChain message of any class; anything else, also a plain object with the same
 * fields, becomes an empty record: a saver that does not give messages back as messages has changed the state.
 */
export function messageRecord(message: unknown): MessageRecord {
  if (typeof message !== 'object' || message === null) return {};
  const source = message as Record<string, unknown>;
  if (source['lc_serializable'] !== true || typeof source['getType'] !== 'function') return {};
  const present = MESSAGE_FIELDS.filter((field) => source[field] !== undefined);
  return Object.fromEntries(present.map((field) => [field, source[field]]));
}

/** sha256 over the canonical JSON (RFC 8785, tagged) of the state; lists keep their order. */
export function digestState(state: StateRecord): StateDigest {
  const count = Object.values(state).reduce((sum, elements) => sum + Object.keys(elements).length, 0);
  return { sha256: sha256Hex(canonicalJson(state)), count };
}

export function sha256Hex(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex');
}
