import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { fullRow, failedBecause } from '../../fixtures/journals/rows.js';
import type { Row } from '../../harness/record/row.js';
import { Progress } from './progress.js';

class Screen extends Writable {
  readonly columns = 60;
  text = '';
  readonly isTTY: boolean;

  constructor(isTTY: boolean) {
    super();
    this.isTTY = isTTY;
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

/** Two cases of which the second is expected to cost three times the first. */
function progressOf(isTTY: boolean, quiet = false): { screen: Screen; progress: Progress; rows: Row[] } {
  const rows = [1, 2].map((repetition) => ({ ...fullRow(repetition), elapsed_ms: 2000 }));
  const screen = new Screen(isTTY);
  const cases = rows.map((row, index) => ({ case: row.case, expectedMs: index === 0 ? 1000 : 3000 }));
  return { screen, progress: new Progress(cases, 0, screen, quiet), rows };
}

function finish(progress: Progress, row: Row): void {
  progress.onEvent({ kind: 'started', case: row.case });
  progress.onEvent({ kind: 'finished', row, verdicts: [] });
}

describe('progress', () => {
  it('is a line a case where nobody watches a terminal, with the rest weighed by its cost', () => {
    const { screen, progress, rows } = progressOf(false);
    rows.forEach((row) => finish(progress, row));
    const [first, second] = screen.text.trimEnd().split('\n');
    // The first took twice its forecast, so the second, forecast at 3 s, is expected to take 6 s.
    expect(first).toMatch(/^\[1\/2\] .* repetition 1: ok in 2 s, 6 s left$/);
    expect(second).toMatch(/^\[2\/2\] .* repetition 2: ok in 2 s$/);
    expect(screen.text).not.toContain('\u001b');
  });

  it('is a bar no wider than the terminal, and gone at the end', () => {
    const { screen, progress, rows } = progressOf(true);
    rows.forEach((row) => finish(progress, row));
    progress.end();
    const frames = screen.text.split('\r\u001b[K');
    expect(frames.some((frame) => frame.startsWith('[#####.....] 1/2'))).toBe(true);
    expect(frames.every((frame) => frame.length < 60)).toBe(true);
    expect(frames.at(-1)).toBe('');
  });

  it('is nothing when quiet, but a failure is told in any case', () => {
    const { screen, progress, rows } = progressOf(true, true);
    finish(progress, rows[0] as Row);
    expect(screen.text).toBe('');
    finish(progress, { ...(rows[1] as Row), ...failedBecause('timed_out', 'It hung \u001b[31mred.') });
    expect(screen.text).toContain('failed (timed_out): It hung \\u001b[31mred.');
  });
});
