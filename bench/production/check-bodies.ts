// Holds the state and every body of a thread against what the script of its agent makes.

import { expectedHistory } from '../../fixtures/agents/expected-history.js';
import type { AgentParts } from '../../fixtures/agents/scripted-agent.js';
import type { WireState } from '../../fixtures/gateway/thread-state.js';
import type { ChildFailure } from '../../harness/process/case-messages.js';
import { canonicalJson } from '../../harness/record/canonical.js';
import type { ProductionCase } from '../../harness/record/case.js';
import {
  digestState,
  messageRecord,
  type StateDigest,
  type StateRecord,
} from '../../harness/record/digest.js';
import { pageName, type Page } from '../../harness/record/production-measurement.js';
import { digestWire, wireForm } from '../../harness/record/wire.js';
import { describeDifference, firstDifference } from '../../harness/verify/oracle.js';
import { THREAD } from './service-under-test.js';

/** The id of the run of a turn, from 0. */
export function runId(turn: number): string {
  return `run-${turn}`;
}

/** What a case reads: the state, then its pages of history. */
export function pagesOf(c: ProductionCase): Page[] {
  return [{ route: 'state' }, ...c.history_limits.map((limit): Page => ({ route: 'history', limit }))];
}

export class BodyCheck {
  readonly #right: StateRecord;
  /** Newest first. */
  readonly #history: readonly WireState[];
  readonly #expected: ReadonlyMap<string, string>;
  readonly #digests = new Map<string, string>();
  /** The last text of each page that was right: warm reads give the same one again and again. */
  readonly #rightTexts = new Map<string, string>();
  #failure: ChildFailure | null = null;

  constructor(c: ProductionCase, parts: AgentParts) {
    this.#history = expectedHistory(parts, {
      threadId: THREAD,
      turns: c.updates,
      runId: c.duration_checkpoints ? runId : null,
    });
    this.#expected = new Map(pagesOf(c).map((page) => [pageName(page), digestWire(this.#bodyOf(page))]));
    this.#right = stateOf(this.#history[0]?.values);
  }

  get expectedState(): StateDigest {
    return digestState(this.#right);
  }

  /** A state that LangGraph returned. @returns its digest. */
  takeState(reading: 'live' | 'warm' | 'cold_process', state: unknown): StateDigest {
    const actual = recordOf(state);
    const difference = firstDifference(reading, this.#right, actual);
    if (difference !== null) this.#fail(describeDifference(difference), difference);
    return digestState(actual);
  }

  /** A body as it came. The first wrong one of a page counts, else the last. */
  takeBody(page: Page, text: string): void {
    const name = pageName(page);
    if (this.#rightTexts.get(name) === text) return;
    const body: unknown = JSON.parse(text);
    const digest = digestWire(body);
    const expected = this.#expected.get(name);
    if ((this.#digests.get(name) ?? expected) === expected) this.#digests.set(name, digest);
    if (digest === expected) this.#rightTexts.set(name, text);
    else this.#fail(differenceOfBodies(name, wireForm(this.#bodyOf(page)), wireForm(body)));
  }

  #bodyOf(page: Page): unknown {
    return page.route === 'state' ? this.#history[0] : this.#history.slice(0, page.limit);
  }

  expected(page: Page): string {
    return this.#expected.get(pageName(page)) ?? '';
  }

  /** Of the bodies of a page. @throws Error when none was taken. */
  digest(page: Page): string {
    const digest = this.#digests.get(pageName(page));
    if (digest === undefined) throw new Error(`No body of ${pageName(page)} was read.`);
    return digest;
  }

  /** The first state or body that was not what it must be. */
  get failure(): ChildFailure | null {
    return this.#failure;
  }

  #fail(message: string, difference: ChildFailure['difference'] = null): void {
    this.#failure ??= { reason: 'wrong_state', message, difference };
  }
}

/** The state that LangGraph gives, with messages as records. */
function recordOf(state: unknown): StateRecord {
  const { messages, ...others } = state as { readonly messages: readonly unknown[] };
  return stateOf({ ...others, messages: messages.map(messageRecord) });
}

function stateOf(values: unknown): StateRecord {
  return values as StateRecord;
}

const SHOWN_CHARACTERS = 80;

/** Where two bodies first differ, as a sentence. */
function differenceOfBodies(name: string, expected: unknown, actual: unknown): string {
  const path = firstDifferentPath(expected, actual) ?? [];
  const at = (value: unknown) =>
    canonicalJson(
      path.reduce((inner: unknown, key) => (inner as Record<string, unknown>)?.[key], value) ?? null,
    ).slice(0, SHOWN_CHARACTERS);
  return `The body of ${name} differs at ${path.join('.') || 'its root'}: it is ${at(actual)} and must be ${at(expected)}.`;
}

function firstDifferentPath(a: unknown, b: unknown): string[] | null {
  if (canonicalJson(a ?? null) === canonicalJson(b ?? null)) return null;
  if (!isContainer(a) || !isContainer(b)) return [];
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const below = firstDifferentPath(a[key], b[key]);
    if (below !== null) return [key, ...below];
  }
  return [];
}

function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
