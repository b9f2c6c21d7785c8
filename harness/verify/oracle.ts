// Compares a state with what it must be and says where it first differs. Pure.

import { canonicalJson } from '../record/canonical.js';
import { MESSAGE_FIELDS, type MessageRecord } from '../record/digest.js';
import type { Difference } from '../record/row.js';

const SHOWN_CHARACTERS = 80;

/** The first message and field in which `actual` is not `expected`, or null when they are equal in every field. */
export function firstDifference(
  reading: string,
  expected: readonly MessageRecord[],
  actual: readonly MessageRecord[],
): Difference | null {
  for (let index = 0; index < Math.max(expected.length, actual.length); index += 1) {
    const [want, got] = [expected[index], actual[index]];
    const at = { reading, index, message_id: idOf(want ?? got) };
    if (want === undefined) return { ...at, field: '(extra message)', expected: '', actual: shown(got) };
    if (got === undefined) return { ...at, field: '(missing message)', expected: shown(want), actual: '' };
    const field = MESSAGE_FIELDS.find((name) => canonicalJson(want[name]) !== canonicalJson(got[name]));
    if (field !== undefined) return { ...at, field, expected: shown(want[field]), actual: shown(got[field]) };
  }
  return null;
}

/** The difference as a sentence. */
export function describeDifference(d: Difference): string {
  const where = `The state read ${d.reading} differs at message ${d.index + 1} (id ${d.message_id ?? 'none'}), ${d.field}`;
  return `${where}: expected ${d.expected || 'nothing'}, found ${d.actual || 'nothing'}.`;
}

function idOf(record: MessageRecord | undefined): string | null {
  return typeof record?.id === 'string' ? record.id : null;
}

function shown(value: unknown): string {
  const text = canonicalJson(value);
  return text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS - 1)}…`;
}
