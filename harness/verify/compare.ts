// How a state differs from what it must be, as a signature that is the same in every run: which elements are missing,
// extra, changed or out of order. Pure.

import { canonicalJson } from '../record/canonical.js';
import type { StateRecord } from '../record/digest.js';
import { isMachineError } from './machine-error.js';

/** A state as it must be. */
export interface Expected {
  readonly channels: StateRecord;
  /**
   * Groups of elements, by name, that parallel tasks of one superstep wrote. Their order is part of what must be; a
   * difference that lies within one group alone is told apart from every other.
   */
  readonly parallel?: readonly (readonly string[])[];
}

/** An element with what it is called and all that it is. */
export interface NamedElement {
  /** Its id, or itself where it is a string, or its key in a map. */
  readonly name: string;
  /** Canonical JSON. */
  readonly json: string;
}

/** An {@link Expected} as plain JSON, whatever its elements are. */
export interface NamedExpectation {
  readonly channels: Readonly<Record<string, readonly NamedElement[]>>;
  readonly parallel: readonly (readonly string[])[];
}

export interface StateDifference {
  readonly signature: string;
  readonly expected: string;
  readonly actual: string;
}

const SHOWN_NAMES = 8;
const SHOWN_NAME_CHARACTERS = 80;
const SHOWN_CHARACTERS = 400;
const SHOWN_ELEMENT_CHARACTERS = 200;

export function nameElements({ channels, parallel = [] }: Expected): NamedExpectation {
  const named = Object.entries(channels).map(([channel, elements]) => [channel, namedElements(elements)]);
  return { channels: Object.fromEntries(named) as NamedExpectation['channels'], parallel };
}

/** Null when `actual` is what it must be, in every channel that either has. */
export function compareStates(expected: NamedExpectation, actual: StateRecord): StateDifference | null {
  const parts: string[] = [];
  const shown: { expected: string[]; actual: string[] } = { expected: [], actual: [] };
  for (const channel of unionOfKeys(expected.channels, actual)) {
    const want = expected.channels[channel] ?? [];
    const got = namedElements(actual[channel] ?? []);
    const difference = compareElements(want, got, expected.parallel);
    if (difference === null) continue;
    parts.push(`${channel}: ${difference}`);
    const [changed] = changedNames(want, got);
    shown.expected.push(elementsShown(channel, want, changed));
    shown.actual.push(elementsShown(channel, got, changed));
  }
  if (parts.length === 0) return null;
  return {
    signature: parts.join('; '),
    expected: cut(shown.expected.join('; ')),
    actual: cut(shown.actual.join('; ')),
  };
}

/** The names of all, and the whole of the one that is there in both and differs. */
function elementsShown(
  channel: string,
  elements: readonly NamedElement[],
  changed: string | undefined,
): string {
  const names = `${channel} [${elements.map(({ name }) => name).join(', ')}]`;
  const element = elements.find(({ name }) => name === changed);
  return element === undefined
    ? names
    : `${element.name} ${cut(element.json, SHOWN_ELEMENT_CHARACTERS)} of ${names}`;
}

function namedElements(elements: StateRecord[string]): NamedElement[] {
  if (Array.isArray(elements)) {
    return elements.map((element: unknown) => ({ name: nameOf(element), json: canonicalJson(element) }));
  }
  // The order of keys is not part of a map.
  return Object.entries(elements)
    .map(([name, element]) => ({ name, json: canonicalJson(element) }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** What an element is called: itself, its id, or its JSON. */
export function nameOf(element: unknown): string {
  if (typeof element === 'string') return cut(element, SHOWN_NAME_CHARACTERS);
  if (typeof element === 'object' && element !== null && Object.hasOwn(element, 'id')) {
    const { id } = element as { id: unknown };
    if (typeof id === 'string') return id;
  }
  return cut(canonicalJson(element), SHOWN_NAME_CHARACTERS);
}

function compareElements(
  want: readonly NamedElement[],
  got: readonly NamedElement[],
  parallel: readonly (readonly string[])[],
): string | null {
  const missing = withoutEach(want, got);
  const extra = withoutEach(got, want);
  const parts: string[] = [];
  if (missing.length > 0) parts.push(`missing${listed(missing)}`);
  if (extra.length > 0) parts.push(`extra${listed(extra)}`);
  const common = {
    want: withoutNames(want, missing),
    got: withoutNames(got, extra),
  };
  const order = compareOrder(common.want, common.got, parallel);
  if (order !== null) parts.push(order);
  const changed = changedNames(common.want, common.got);
  if (changed.length > 0) parts.push(`changed${listed(changed)}`);
  return parts.length === 0 ? null : parts.join(' ');
}

/** Names of `elements` that have no counterpart among `others`, each occurrence for itself. */
function withoutEach(elements: readonly NamedElement[], others: readonly NamedElement[]): string[] {
  const counts = new Map<string, number>();
  for (const { name } of others) counts.set(name, (counts.get(name) ?? 0) + 1);
  return elements
    .map(({ name }) => name)
    .filter((name) => {
      const left = counts.get(name) ?? 0;
      counts.set(name, left - 1);
      return left <= 0;
    });
}

/** Takes one later occurrence of each name away. */
function withoutNames(elements: readonly NamedElement[], names: readonly string[]): NamedElement[] {
  const left = [...elements];
  for (const name of names) {
    left.splice(
      left.findLastIndex((element) => element.name === name),
      1,
    );
  }
  return left;
}

function compareOrder(
  want: readonly NamedElement[],
  got: readonly NamedElement[],
  parallel: readonly (readonly string[])[],
): string | null {
  if (want.every(({ name }, index) => name === got[index]?.name)) return null;
  const groups = new Map(parallel.flatMap((names, group) => names.map((name) => [name, `group ${group}`])));
  const ofGroup = ({ name }: NamedElement) => groups.get(name) ?? name;
  const within = want.every((element, index) => {
    const found = got[index];
    return found !== undefined && ofGroup(element) === ofGroup(found);
  });
  return within ? 'order within a superstep' : 'order';
}

function changedNames(want: readonly NamedElement[], got: readonly NamedElement[]): string[] {
  const jsons = new Map(got.map(({ name, json }) => [name, json]));
  return want.filter(({ name, json }) => (jsons.get(name) ?? json) !== json).map(({ name }) => name);
}

function listed(names: readonly string[]): string {
  if (names.length <= SHOWN_NAMES) return `[${names.join(',')}]`;
  return `[${names.slice(0, 3).join(',')},…,${names.at(-1) ?? ''}: ${names.length}]`;
}

/** At most so many characters, with a mark where it was longer. */
export function cut(text: string, characters = SHOWN_CHARACTERS): string {
  return text.length <= characters ? text : `${text.slice(0, characters - 1)}…`;
}

export function unionOfKeys(a: object, b: object): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])];
}

/**
 * An error as a signature: its first line, without what differs from run to run.
 *
 * @throws the error itself where it is the machine's or a server's: then nothing is decided.
 */
export function errorSignature(error: unknown): string {
  if (isMachineError(error)) throw error;
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const [line = ''] = text.split('\n');
  return `throws[${cut(line.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>'), 160)}]`;
}
