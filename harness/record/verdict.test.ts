import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EXIT, VERDICTS, exitCodeOf, type ExitCode } from './verdict.js';

/** From the one that outranks all to the one that all outrank. */
const PRECEDENCE: readonly ExitCode[] = [130, 2, 7, 1, 4, 6, 5, 3];

test('the exit codes are those of the specification', () => {
  expect(EXIT).toEqual({
    fine: 0,
    fault: 1,
    usage: 2,
    gate: 3,
    correctness: 4,
    undecided: 5,
    incomplete: 6,
    missing: 7,
    interrupted: 130,
  });
});

test('a command to which nothing applies ends fine', () => {
  expect(exitCodeOf([])).toBe(0);
  expect(exitCodeOf([EXIT.fine, EXIT.fine])).toBe(0);
});

test('of two codes that apply, the one that stands first in 130, 2, 7, 1, 4, 6, 5, 3, 0 counts', () => {
  const ranked = [...PRECEDENCE, EXIT.fine];
  const wrong = ranked.flatMap((first, position) =>
    ranked
      .slice(position)
      .filter((second) => exitCodeOf([first, second]) !== first || exitCodeOf([second, first]) !== first)
      .map((second) => [first, second]),
  );

  expect(wrong).toEqual([]);
  expect(ranked.toSorted((a, b) => a - b)).toEqual(Object.values(EXIT).toSorted((a, b) => a - b));
});

test('however many apply, and in whatever order, the first of the precedence counts', () => {
  const codes = fc.array(fc.constantFrom(...Object.values(EXIT)), { minLength: 1 });

  fc.assert(
    fc.property(codes, (applying) => {
      const first = [...PRECEDENCE, EXIT.fine].find((code) => applying.includes(code));
      expect(exitCodeOf(new Set(applying))).toBe(first);
    }),
  );
});

test('there are three verdicts', () => {
  expect(VERDICTS).toEqual(['holds', 'violated', 'undecided']);
});
