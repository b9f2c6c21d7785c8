// LangGraph's Overwrite, in each of the shapes in which a channel recognises it.

/** The value that replaces the channel's, or null for any other write. */
export function overwriteOf(write: unknown): { readonly value: unknown } | null {
  if (typeof write !== 'object' || write === null) return null;
  const { __overwrite__: marked, type, value } = write as Readonly<Record<string, unknown>>;
  if ('__overwrite__' in write) return { value: marked };
  return type === '__overwrite__' && 'value' in write ? { value } : null;
}
