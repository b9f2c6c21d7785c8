// Whether a value comes back from LangGraph's serializer as it is: the serializer turns dates into texts, NaN into null and
// data that looks like its own marks into something else (L5, L7 and L8 of the known defects).

/** True for JSON data, LangChain messages and snapshots of delta channels that are made of such; false where unsure. */
export function isFaithful(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true;
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0);
    case 'object':
      return value === null || isFaithfulObject(value);
    default:
      return false;
  }
}

function isFaithfulObject(value: object): boolean {
  if (Array.isArray(value)) return value.every(isFaithful);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) {
    // `lc` marks what the serializer revives.
    return !('lc' in value) && Object.values(value).every((item) => item === undefined || isFaithful(item));
  }
  const {
    lc_serializable: isMessage,
    lc_kwargs: fields,
    lg_name: name,
    value: snapshot,
  } = value as Record<string, unknown>;
  if (isMessage === true) return isFaithful(fields);
  return name === 'DeltaSnapshot' && isFaithful(snapshot);
}
