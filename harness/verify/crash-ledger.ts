// What a writer that may be killed at any instant has told the outside: a file of its own, one line an event, on disk
// before the writer goes on.

import { closeSync, existsSync, fsyncSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import type { Supersteps } from './supersteps.js';

type LedgerEvent =
  /** `turn`: a new one. `rest`: what a start found missing of one that was cut short. */
  | { readonly event: 'began'; readonly what: 'turn' | 'rest'; readonly supersteps: Supersteps }
  | { readonly event: 'acknowledged' }
  /** What a start has found, and what can be run of a turn that was cut short. */
  | { readonly event: 'found'; readonly elements: readonly string[]; readonly rest: Supersteps };

/** What must be in the store. */
export interface Owed {
  /** All that was acknowledged, or found since. */
  readonly elements: readonly string[];
  /** Begun and not acknowledged: any number of its supersteps may be there. */
  readonly inFlight: Supersteps;
  /** Left of a turn that was cut short before this start. */
  readonly rest: Supersteps;
  readonly turns: number;
  readonly starts: number;
}

const NOTHING: Owed = { elements: [], inFlight: [], rest: [], turns: 0, starts: 0 };

export class CrashLedger {
  readonly #path: string;
  #owed = NOTHING;

  /** A last line that a kill cut short is of something that the writer had not gone on from: it is taken off. */
  constructor(path: string) {
    this.#path = path;
    if (!existsSync(path)) return;
    const text = readFileSync(path, 'utf8');
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    truncateSync(path, Buffer.byteLength(whole));
    const events = whole.split('\n').slice(0, -1);
    this.#owed = events.map((line) => JSON.parse(line) as LedgerEvent).reduce(owedAfter, NOTHING);
  }

  get owed(): Owed {
    return this.#owed;
  }

  append(event: LedgerEvent): void {
    const file = openSync(this.#path, 'a');
    try {
      writeSync(file, `${JSON.stringify(event)}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    this.#owed = owedAfter(this.#owed, event);
  }
}

function owedAfter(owed: Owed, event: LedgerEvent): Owed {
  switch (event.event) {
    case 'began': {
      const turns = owed.turns + (event.what === 'turn' ? 1 : 0);
      return { ...owed, inFlight: event.supersteps, rest: [], turns };
    }
    case 'acknowledged':
      return { ...owed, elements: [...owed.elements, ...owed.inFlight.flat()], inFlight: [] };
    case 'found':
      return {
        ...owed,
        elements: event.elements,
        inFlight: [],
        rest: event.rest,
        starts: owed.starts + 1,
      };
  }
}
