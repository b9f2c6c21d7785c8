// Compares a state with what it must be and says where it first differs. Pure.

import { canonicalJson } from '../record/canonical.js';
import type { StateRecord } from '../record/digest.js';
import type { Difference } from '../record/row-parts.js';
import { cut, unionOfKeys } from './compare.js';

const SHOWN_CHARACTERS = 80;

/** The first element and field in which `actual` is not `expected`, channel by channel; null when they are equal. */
export function firstDifference(
  reading: string,
  expected: StateRecord,
  actual: StateRecord,
): Difference | null {
  for (const channel of unionOfKeys(expected, actual)) {
    const [want, got] = [expected[channel] ?? [], actual[channel] ?? []];
    const positions = unionOfKeys(want, got);
    for (const position of Array.isArray(want)
      ? positions.toSorted((a, b) => Number(a) - Number(b))
      : positions) {
      const found = elementDifference(elementAt(want, position), elementAt(got, position));
      if (found !== null) return { reading, channel, position, ...found };
    }
  }
  return null;
}

/** The difference as a sentence. */
export function describeDifference(d: Difference): string {
  const element = d.element_id === null ? '' : ` (id ${d.element_id})`;
  const where = `The state read ${d.reading} differs in ${d.channel} at ${d.position}${element}, ${d.field}`;
  return `${where}: expected ${d.expected || 'nothing'}, found ${d.actual || 'nothing'}.`;
}

function elementDifference(
  want: unknown,
  got: unknown,
): Pick<Difference, 'element_id' | 'field' | 'expected' | 'actual'> | null {
  const element_id = idOf(want) ?? idOf(got);
  if (want === undefined) return { element_id, field: '(extra element)', expected: '', actual: shown(got) };
  if (got === undefined) return { element_id, field: '(missing element)', expected: shown(want), actual: '' };
  if (!isRecord(want) || !isRecord(got)) {
    if (canonicalJson(want) === canonicalJson(got)) return null;
    return { element_id, field: '(value)', expected: shown(want), actual: shown(got) };
  }
  const field = unionOfKeys(want, got).find((name) => canonicalJson(want[name]) !== canonicalJson(got[name]));
  if (field === undefined) return null;
  return { element_id, field, expected: shown(want[field]), actual: shown(got[field]) };
}

function elementAt(elements: StateRecord[string], position: string): unknown {
  return (elements as Readonly<Record<string, unknown>>)[position];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function idOf(value: unknown): string | null {
  return isRecord(value) && typeof value['id'] === 'string' ? value['id'] : null;
}

function shown(value: unknown): string {
  return cut(canonicalJson(value), SHOWN_CHARACTERS);
}
