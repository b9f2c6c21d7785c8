// A deep copy that keeps classes, such as those of messages, so that what a reducer changes can be seen on the original.

/** Copies what data is made of; functions, and what hides state in private fields, are shared. */
export function copyOf<T>(value: T): T {
  return copied(value, new Map()) as T;
}

function copied(value: unknown, copies: Map<object, object>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const known = copies.get(value);
  if (known !== undefined) return known;
  if (value instanceof Date || value instanceof RegExp || isBinary(value)) return structuredClone(value);
  if (value instanceof Map) {
    const copy = new Map<unknown, unknown>();
    copies.set(value, copy);
    for (const [key, item] of value) copy.set(copied(key, copies), copied(item, copies));
    return copy;
  }
  if (value instanceof Set) {
    const copy = new Set<unknown>();
    copies.set(value, copy);
    for (const item of value) copy.add(copied(item, copies));
    return copy;
  }
  return copiedObject(value, copies);
}

function isBinary(value: object): boolean {
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer;
}

/** An array, a plain object or an instance, by its own properties. */
function copiedObject(value: object, copies: Map<object, object>): object {
  const copy = Array.isArray(value)
    ? []
    : (Object.create(Object.getPrototypeOf(value) as object | null) as object);
  copies.set(value, copy);
  // Also by symbols: LangChain tells messages by one.
  for (const key of Reflect.ownKeys(value)) {
    const descriptor = Object.getOwnPropertyDescriptor(value, key) as PropertyDescriptor;
    if (Object.hasOwn(descriptor, 'value')) descriptor.value = copied(descriptor.value, copies);
    Object.defineProperty(copy, key, descriptor);
  }
  return copy;
}
