// The journal of a run: where it is made when no one names it, and what is said of what it already held.

import { mkdirSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { usageError } from '../../harness/record/errors.js';
import type { OpenedJournal } from '../../harness/record/journal.js';

/**
 * A new folder for a run below the current one, with its journal's path.
 *
 * @throws CommandError (usage) when it cannot be made.
 */
export function newRunJournal(command: string): string {
  const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const runs = join(process.cwd(), '.deltaproof');
  const folder = join(runs, `${command}-${stamp}-${process.pid}`);
  try {
    if (!existsSync(runs)) mkdirSync(runs);
    mkdirSync(folder);
  } catch (error) {
    throw usageError(
      `A folder for the run cannot be made here (${(error as Error).message}); name a journal with --output.`,
    );
  }
  return join(folder, 'journal.jsonl');
}

/** Lines that were cut off or that are none. */
export function journalWarnings(opened: OpenedJournal, path: string): string[] {
  return [
    ...(opened.tornBytes > 0
      ? [
          `${path} ended in a line that was cut off; its ${opened.tornBytes} bytes were moved to ${path}.torn.`,
        ]
      : []),
    ...opened.malformed.map(
      ({ number, problem }) => `${path}:${number} is not a journal line and counts as nothing: ${problem}.`,
    ),
  ];
}
