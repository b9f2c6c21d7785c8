// Two runs of one graph differ in the ids that it makes at random. They are named here by the order in which they first come,
// so that states that are equal but for them have equal digests.

import type { StateRecord } from './digest.js';

/** Fields of messages and tool calls whose text is an id. */
const ID_FIELDS = new Set(['id', 'tool_call_id']);
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

/**
 * The state with `id-1`, `id-2`, ... in the place of ids that the inputs did not bring: texts in fields of ids wherever they
 * stand as a whole, and UUIDs also inside of other texts. Channels and fields are gone through in the order of their names.
 *
 * @param given everything that the inputs were; what is in it stays.
 * @returns how many ids were renamed beside the state.
 */
export function renameIds(
  state: StateRecord,
  given: unknown,
): { readonly state: StateRecord; readonly renamed: number } {
  const known = textsIn(given);
  const names = new Map<string, string>();
  const note = (id: string): void => {
    if (!known.has(id) && !names.has(id)) names.set(id, `id-${names.size + 1}`);
  };
  visit(state, (text, field) => {
    if (field !== null && ID_FIELDS.has(field)) note(text);
    else for (const [id] of text.matchAll(UUID)) note(id);
  });
  const renamedText = (text: string): string =>
    names.get(text) ?? text.replaceAll(UUID, (id) => names.get(id) ?? id);
  return { state: mapped(state, renamedText) as StateRecord, renamed: names.size };
}

function textsIn(value: unknown): ReadonlySet<string> {
  const texts = new Set<string>();
  visit(value, (text) => {
    texts.add(text);
    for (const [id] of text.matchAll(UUID)) texts.add(id);
  });
  return texts;
}

/** Tells every text with the field it is the value of. Objects that contain themselves are entered once. */
function visit(value: unknown, onText: (text: string, field: string | null) => void): void {
  const entered = new Set<unknown>();
  const enter = (inner: unknown, field: string | null): void => {
    if (typeof inner === 'string') return onText(inner, field);
    if (typeof inner !== 'object' || inner === null || entered.has(inner)) return;
    entered.add(inner);
    if (Array.isArray(inner)) return inner.forEach((element) => enter(element, null));
    for (const name of Object.keys(inner).toSorted()) enter((inner as Record<string, unknown>)[name], name);
  };
  enter(value, null);
}

/** Plain lists and objects alone are copied; the keys of a map are texts too. */
function mapped(value: unknown, rename: (text: string) => string): unknown {
  if (typeof value === 'string') return rename(value);
  if (Array.isArray(value)) return value.map((element) => mapped(element, rename));
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [rename(name), mapped(inner, rename)]),
  );
}
