// What LangGraph returned of a state, as plain data to compare.

import { messageRecord, type StateRecord } from '../record/digest.js';

/** The channels of a state value as plain data; a channel without a value has no elements. */
export function stateOf(values: unknown, channels: readonly string[]): StateRecord {
  const source = (typeof values === 'object' && values !== null ? values : {}) as Record<string, unknown>;
  return Object.fromEntries(channels.map((channel) => [channel, elementsOf(source[channel])]));
}

function elementsOf(value: unknown): StateRecord[string] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value.map(elementOf);
  if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
    return Object.fromEntries(Object.entries(value).map(([key, element]) => [key, elementOf(element)]));
  }
  // Something that no channel of a scenario holds, such as a wrapper that should have been taken off.
  return [value];
}

/** A message as its record, anything else as it is. */
function elementOf(element: unknown): unknown {
  const record = messageRecord(element);
  return Object.keys(record).length > 0 ? record : element;
}
