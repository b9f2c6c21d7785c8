// When the garbage collector stopped this process.

import { PerformanceObserver, type PerformanceEntry } from 'node:perf_hooks';
import type { Span } from '../../harness/record/spans.js';

/** Watches from its making until {@link stop}. */
export class GcPauses {
  #pauses: Span[] = [];
  readonly #observer = new PerformanceObserver((list) => this.#add(list.getEntries()));

  constructor() {
    this.#observer.observe({ entryTypes: ['gc'] });
  }

  /** The pauses since the last call, on the clock of `performance.now()`; known one turn of the event loop after they end. */
  take(): Span[] {
    this.#add(this.#observer.takeRecords());
    const pauses = this.#pauses;
    this.#pauses = [];
    return pauses;
  }

  stop(): void {
    this.#observer.disconnect();
  }

  #add(entries: readonly PerformanceEntry[]): void {
    for (const { startTime, duration } of entries) {
      this.#pauses.push({ startMs: startTime, endMs: startTime + duration });
    }
  }
}
