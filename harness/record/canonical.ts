// Canonical JSON of any JavaScript value (RFC 8785 after tagging), so that equal states have equal bytes.
// JSON drops or refuses some values; those are replaced by tagged forms first. Not a serializer: nothing reads it back.

import canonicalize from 'canonicalize';

/** Key of a tagged form. A plain object that owns this key is itself tagged, so data cannot imitate a tag. */
const TAG = '$deltaproof';

const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Canonical JSON of `value`: keys sorted, numbers as ECMAScript prints them (RFC 8785).
 *
 * Values that JSON would drop, merge or refuse are tagged first: `undefined`, `NaN`, `Infinity`, `-0`, BigInt, Date,
 * Map, Set, Uint8Array, symbols, functions, strings and keys with a lone surrogate. An object property that is
 * `undefined` equals an absent one; an array element that is `undefined` does not equal `null`.
 *
 * @throws TypeError when `value` contains a cycle.
 */
export function canonicalJson(value: unknown): string {
  return canonicalize(tagged(value, [])) as string;
}

function tagged(value: unknown, ancestors: readonly object[]): unknown {
  switch (typeof value) {
    case 'string':
      return taggedString(value);
    case 'number':
      return taggedNumber(value);
    case 'boolean':
      return value;
    case 'undefined':
      return { [TAG]: 'undefined' };
    case 'bigint':
      return { [TAG]: 'bigint', value: value.toString() };
    case 'symbol':
    case 'function':
      return { [TAG]: typeof value, value: String(value) };
    case 'object':
      return value === null ? null : taggedObject(value, ancestors);
  }
}

function taggedString(value: string): unknown {
  if (!LONE_SURROGATE.test(value)) return value;
  return { [TAG]: 'utf16', value: Buffer.from(value, 'utf16le').toString('hex') };
}

function taggedNumber(value: number): unknown {
  if (Number.isFinite(value) && !Object.is(value, -0)) return value;
  return { [TAG]: 'number', value: Object.is(value, -0) ? '-0' : String(value) };
}

function taggedObject(value: object, ancestors: readonly object[]): unknown {
  if (ancestors.includes(value)) throw new TypeError('A value with a cycle has no canonical form.');
  const inside = [...ancestors, value];
  if (Array.isArray(value)) return Array.from(value, (item: unknown) => tagged(item, inside));
  if (value instanceof Date) return { [TAG]: 'date', value: tagged(value.getTime(), inside) };
  if (value instanceof Uint8Array) return { [TAG]: 'bytes', value: Buffer.from(value).toString('hex') };
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return taggedBinary(value);
  if (value instanceof Map) {
    return { [TAG]: 'map', value: Array.from(value, (entry) => tagged(entry, inside)) };
  }
  if (value instanceof Set) return { [TAG]: 'set', value: Array.from(value, (item) => tagged(item, inside)) };
  return taggedRecord(value, inside);
}

/** A buffer, or a view on one with elements wider than a byte; both by their bytes. */
function taggedBinary(value: ArrayBuffer | ArrayBufferView): unknown {
  const bytes = ArrayBuffer.isView(value)
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : Buffer.from(value);
  return { [TAG]: value.constructor.name, value: bytes.toString('hex') };
}

function taggedRecord(value: object, inside: readonly object[]): unknown {
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  // Keys that JSON or an object literal would change go through a list of entries, which keeps them as data.
  if (entries.some(([key]) => key === TAG || key === '__proto__' || LONE_SURROGATE.test(key))) {
    const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
    return { [TAG]: 'record', value: sorted.map(([key, item]) => [taggedString(key), tagged(item, inside)]) };
  }
  return Object.fromEntries(entries.map(([key, item]) => [key, tagged(item, inside)]));
}
