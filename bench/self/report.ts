// Answers as a table for a terminal.

import type { Answer } from './question.js';

const OUTCOMES = { met: 'met', missed: 'missed', not_told: 'not told' } as const;

/** What the words of an answer mean. */
export const LEGEND = `ratio: median of the paired ratios, with an interval for it
met, missed: the whole interval is on that side of the goal
`;

/** A block of lines. */
export function renderAnswer(answer: Answer): string {
  const { name, asks, ratio, goal, subject_median_ms, baseline_median_ms, facts } = answer;
  const aspired = goal.aspired_below === null ? '' : `, hoped for: below ${goal.aspired_below}`;
  const lines = [
    ['ratio', `${number(ratio.median)}  ${intervalOf(answer)}  n=${ratio.n}`],
    ['goal', `at most ${goal.at_most}: ${OUTCOMES[goal.outcome]}${aspired}`],
    ['medians_ms', `${number(subject_median_ms)} / ${number(baseline_median_ms)}`],
    ...Object.entries(facts).map(([fact, value]) => [fact, String(value)]),
  ];
  const width = Math.max(...lines.map(([label = '']) => label.length));
  const body = lines.map(([label = '', text = '']) => `  ${label.padEnd(width)}  ${text}\n`);
  return `${name}: ${asks}\n${body.join('')}`;
}

function intervalOf({ ratio: { interval } }: Answer): string {
  if (interval === null) return '(no interval)';
  const coverage = `${Math.round(interval.coverage * 1000) / 10}%`;
  return `[${number(interval.low)}..${number(interval.high)}] ${coverage} ${interval.method}`;
}

function number(value: number | null): string {
  return value === null ? '-' : value.toFixed(value < 100 ? 3 : 0);
}
