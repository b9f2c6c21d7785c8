// What the checks found as plain text: a line each, and below it the line that mends it,
// once where it mends the next one too.

import { visible } from '../../../harness/record/scrub.js';
import type { CheckResult, Status } from './check.js';

export function renderChecks(results: readonly CheckResult[]): string {
  const width = (cells: readonly string[]) => Math.max(...cells.map((cell) => cell.length));
  const names = width(results.map(({ check }) => check));
  const statuses = width(results.map(({ status }) => status));
  const lines = results.flatMap(({ check, status, what, fix }, index) => {
    // A name stands once, before the first of its lines.
    const name = results[index - 1]?.check === check ? '' : check;
    return [
      `${name.padEnd(names)}  ${status.padEnd(statuses)}  ${what}`,
      ...(fix === null || results[index + 1]?.fix === fix
        ? []
        : [`${' '.repeat(names + statuses + 4)}fix: ${fix}`]),
    ];
  });
  return `${[...lines.map(visible), '', totals(results)].join('\n')}\n`;
}

function totals(results: readonly CheckResult[]): string {
  const count = (status: Status) => results.filter((result) => result.status === status).length;
  const [warnings, missing] = [count('warning'), count('missing')];
  const told = `${count('fine')} fine, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}, ${missing} missing`;
  return missing > 0 ? `${told}: what was asked for does not run here yet` : told;
}
