// How a long run shows itself on stderr: a bar with an ETA on a terminal, a line per case elsewhere, nothing when
// quiet. The ETA weighs cases by their expected cost and corrects itself by what the finished ones took.

import { describeCase, type Case } from '../../harness/record/case.js';
import { visible } from '../../harness/record/scrub.js';
import type { RunEvent } from '../../harness/controller.js';
import { widthOf, type Streams } from './command.js';
import { formatDuration } from './durations.js';

const BAR_CELLS = 10;

export interface ProgressCase {
  readonly case: Case;
  readonly expectedMs: number;
}

export class Progress {
  readonly #stderr: Streams['stderr'];
  readonly #quiet: boolean;
  readonly #expectedMs: ReadonlyMap<Case, number>;
  readonly #total: number;
  #remainingMs: number;
  #doneExpectedMs = 0;
  #doneMs = 0;
  #done = 0;
  #failed = 0;
  #barShown = false;

  /** @param before cases that were done by earlier runs; they count as done. */
  constructor(cases: readonly ProgressCase[], before: number, stderr: Streams['stderr'], quiet: boolean) {
    this.#done = before;
    this.#stderr = stderr;
    this.#quiet = quiet;
    this.#expectedMs = new Map(cases.map((planned) => [planned.case, planned.expectedMs]));
    this.#total = before + cases.length;
    this.#remainingMs = cases.reduce((sum, planned) => sum + planned.expectedMs, 0);
  }

  onEvent(event: RunEvent): void {
    switch (event.kind) {
      case 'started':
        this.#showBar(describeCase(event.case));
        return;
      case 'finished':
        this.#finished(event);
        return;
      case 'store_not_kept':
        this.note(`The store of ${describeCase(event.case)} was not kept: ${event.problem}.`);
        return;
    }
  }

  /** A line of its own, above the bar; also when quiet, since it tells of something wrong or of the way on. */
  note(text: string): void {
    this.#clearBar();
    this.#stderr.write(`${text}\n`);
  }

  end(): void {
    this.#clearBar();
  }

  #finished({ row, verdicts }: Extract<RunEvent, { kind: 'finished' }>): void {
    const expectedMs = this.#expectedMs.get(row.case) ?? 0;
    this.#done += 1;
    this.#doneMs += row.elapsed_ms;
    this.#doneExpectedMs += expectedMs;
    this.#remainingMs -= expectedMs;
    if (!row.success) this.#failed += 1;
    if (row.failure !== null) {
      const [reason, message] = [row.failure.reason, visible(row.failure.message)];
      this.note(`${describeCase(row.case)} failed (${reason}): ${message}`);
      // Where the message has what the child said the rest is the trace behind it.
      const { stderr_tail: tail } = row.failure;
      if (!tail.some((line) => row.failure?.message.includes(line)))
        tail.slice(-3).forEach((line) => this.note(`    ${line}`));
    } else if (!this.#quiet && this.#stderr.isTTY !== true) {
      this.note(
        `[${this.#done}/${this.#total}] ${describeCase(row.case)}: ok in ${formatDuration(row.elapsed_ms)}${this.#eta()}`,
      );
    }
    verdicts.forEach((verdict) => this.note(`${verdict.cell}: ${visible(verdict.message)}`));
    this.#showBar('');
  }

  #eta(): string {
    if (this.#done === this.#total || this.#doneExpectedMs === 0) return '';
    const pace = this.#doneMs / this.#doneExpectedMs;
    return `, ${formatDuration(this.#remainingMs * pace)} left`;
  }

  #showBar(current: string): void {
    if (this.#quiet || this.#stderr.isTTY !== true) return;
    const filled = this.#total === 0 ? BAR_CELLS : Math.floor((this.#done / this.#total) * BAR_CELLS);
    const bar = `${'#'.repeat(filled)}${'.'.repeat(BAR_CELLS - filled)}`;
    const failed = this.#failed > 0 ? `, ${this.#failed} failed` : '';
    const line = `[${bar}] ${this.#done}/${this.#total}${failed}${this.#eta()}  ${current}`;
    this.#stderr.write(`\r\u001b[K${line.slice(0, widthOf(this.#stderr) - 1)}`);
    this.#barShown = true;
  }

  #clearBar(): void {
    if (this.#barShown) this.#stderr.write('\r\u001b[K');
    this.#barShown = false;
  }
}
