// How much memory a history takes, near enough to bound a cache by it: characters and a fixed amount for each value and
// key. Exact sizes are not to be had in JavaScript.

import type { ChannelHistory } from './history-cache.js';

const BYTES_PER_VALUE = 16;

/** Remembers what it has measured, since a history shares nearly all of its writes with the one before it. */
export class ApproximateBytes {
  readonly #known = new WeakMap<object, number>();

  ofHistory({ seed, writes }: ChannelHistory): number {
    const all = writes.reduce((sum, write) => sum + this.#of(write), this.#of(seed));
    // The cache refuses a size of 0.
    return all + BYTES_PER_VALUE;
  }

  #of(value: unknown): number {
    if (typeof value === 'string') return BYTES_PER_VALUE + value.length;
    if (typeof value !== 'object' || value === null) return BYTES_PER_VALUE;
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    // A circle counts once.
    this.#known.set(value, BYTES_PER_VALUE);
    const bytes = BYTES_PER_VALUE + this.#ofParts(value);
    this.#known.set(value, bytes);
    return bytes;
  }

  #ofParts(value: object): number {
    if (ArrayBuffer.isView(value)) return value.byteLength;
    const parts: Iterable<unknown> =
      value instanceof Map || value instanceof Set || Array.isArray(value) ? value : Object.entries(value);
    let bytes = 0;
    for (const part of parts) bytes += Array.isArray(part) ? this.#ofPair(part) : this.#of(part);
    return bytes;
  }

  /** A pair of an object or a map is made anew each time, so it is not remembered. */
  #ofPair(pair: readonly unknown[]): number {
    return pair.reduce<number>((sum, item) => sum + this.#of(item), 0);
  }
}
