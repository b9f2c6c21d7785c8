// How a verification shows itself on stderr: a line per scenario, nothing when quiet.

import { visible } from '../../harness/record/scrub.js';
import { EXIT } from '../../harness/record/verdict.js';
import type { Verification } from '../../summarize/judge-scenarios.js';
import { verdictCell } from '../../summarize/verification-table.js';
import { widthOf, type Streams } from './command.js';

export class VerifyProgress {
  readonly #total: number;
  readonly #stderr: Streams['stderr'];
  readonly #quiet: boolean;
  #done: number;
  #barShown = false;

  constructor(total: number, before: number, stderr: Streams['stderr'], quiet: boolean) {
    this.#total = total;
    this.#done = before;
    this.#stderr = stderr;
    this.#quiet = quiet;
  }

  /** One scenario on all its backends. */
  finished(scenario: string, { judgements, exitCode }: Verification): void {
    this.#done += 1;
    const outcomes = judgements
      .map((judgement) => `${judgement.backend} ${verdictCell(judgement)}`)
      .join(', ');
    const line = `[${this.#done}/${this.#total}] ${scenario}: ${outcomes}`;
    const wrong = exitCode !== EXIT.fine;
    if (wrong) this.note(visible(line));
    else if (!this.#quiet && this.#stderr.isTTY === true) this.#bar(visible(line));
    else if (!this.#quiet) this.note(visible(line));
  }

  /** A line of its own, also when quiet. */
  note(text: string): void {
    this.end();
    this.#stderr.write(`${text}\n`);
  }

  /** Clears the line that a terminal shows. */
  end(): void {
    if (this.#barShown) this.#stderr.write('\r\u001b[K');
    this.#barShown = false;
  }

  #bar(line: string): void {
    this.#stderr.write(`\r\u001b[K${line.slice(0, widthOf(this.#stderr) - 1)}`);
    this.#barShown = true;
  }
}
