import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  deltaRow,
  exampleManifest,
  exampleVerdict,
  failedBecause,
  fullRow,
} from '../../fixtures/journals/rows.js';
import { encodeLine, physicalLines, readJournalLines, type ReadLine } from './journal-lines.js';
import type { JournalLine } from './journal-line.js';
import type { Row } from './row.js';

/** The size of one read; lines are made to end around it. */
const CHUNK_BYTES = 1 << 20;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'journal-lines-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function journal(bytes: Uint8Array | string): string {
  const path = join(folder, 'run.jsonl');
  writeFileSync(path, bytes);
  return path;
}

function read(bytes: Uint8Array | string): ReadLine[] {
  return [...readJournalLines(journal(bytes))];
}

/** What was read, in short: the value of a line, or what is wrong with it, behind its number. */
function outline(lines: readonly ReadLine[]): [number, unknown][] {
  return lines.map((line) => {
    if (line.kind === 'line') return [line.at.number, line.value];
    return [line.at.number, line.kind === 'torn' ? 'torn' : line.problem];
  });
}

/** A failed row with that text as its message, and short otherwise. */
function rowSaying(message: string): Row {
  return deltaRow(10, 1, {}, { ...failedBecause('exited', message), measurement: null });
}

const HARD_TEXT = 'é € 😀 \u2028 \u2029 \u0085 \u000b \u000c "\\" \n';

const LINES: readonly JournalLine[] = [
  exampleManifest({ skipped_cells: [HARD_TEXT] }),
  fullRow(1, { logical_bytes: 1 }),
  rowSaying(HARD_TEXT),
  exampleVerdict({ message: HARD_TEXT }),
  rowSaying(`the last line ends in ${HARD_TEXT}`),
];

test('lines are read back as they were encoded, separators of other kinds included', () => {
  expect(outline(read(Buffer.concat(LINES.map(encodeLine))))).toEqual(
    LINES.map((line, index) => [index + 1, line]),
  );
});

test('a journal cut at any byte yields exactly its complete lines, and the rest as one torn line', () => {
  const encoded = LINES.map(encodeLine);
  const whole = Buffer.concat(encoded);
  // A line is complete with its closing brace; its LF may be missing.
  const ends = encoded.map((_, index) => Buffer.concat(encoded.slice(0, index + 1)).length - 1);
  const wrong: number[] = [];
  const path = journal(whole);
  for (let cut = whole.length; cut >= 0; cut -= 1) {
    truncateSync(path, cut);
    const lines = [...readJournalLines(path)];
    const complete = ends.filter((end) => end <= cut).length;
    const tornBytes = cut - (complete === 0 ? 0 : (ends[complete - 1] ?? 0) + 1);
    const expected = [
      ...LINES.slice(0, complete).map((line, index) => [index + 1, line]),
      ...(tornBytes > 0 ? [[complete + 1, 'torn']] : []),
    ];
    if (!isDeepStrictEqual(outline(lines), expected)) wrong.push(cut);
  }
  expect(wrong).toEqual([]);
});

test('a last line without LF counts, and is told apart from a terminated one', () => {
  const bytes = Buffer.concat(LINES.map(encodeLine));

  expect(read(bytes.subarray(0, -1)).map(({ kind, at }) => [kind, at.terminated])).toEqual([
    ['line', true],
    ['line', true],
    ['line', true],
    ['line', true],
    ['line', false],
  ]);
});

test('a line that is not UTF-8 hides no other line', () => {
  const bytes = Buffer.concat([
    encodeLine(fullRow(1)),
    Buffer.from([0x22, 0xc3, 0x28, 0x22, 0x0a]),
    encodeLine(fullRow(2)),
    Buffer.from([0xff, 0xfe, 0x0a]),
    encodeLine(fullRow(3)),
  ]);

  expect(outline(read(bytes))).toEqual([
    [1, fullRow(1)],
    [2, 'it is not UTF-8'],
    [3, fullRow(2)],
    [4, 'it is not UTF-8'],
    [5, fullRow(3)],
  ]);
});

test('half a UTF-8 character at the end of the file is a torn line', () => {
  const bytes = Buffer.concat([encodeLine(fullRow(1)), Buffer.from('{"kind":"€').subarray(0, -1)]);

  expect(read(bytes).map(({ kind }) => kind)).toEqual(['line', 'torn']);
});

test('two rows glued together, a foreign document and an unknown kind are malformed, each on its own', () => {
  const row = encodeLine(fullRow(1)).subarray(0, -1);
  const bytes = Buffer.concat([row, row, Buffer.from('\n[1]\n{"kind":"note"}\n'), row]);

  const lines = outline(read(bytes));

  expect(lines.map(([number]) => number)).toEqual([1, 2, 3, 4]);
  expect(lines[0]?.[1]).toBe('it is not JSON');
  expect(lines[1]?.[1]).toMatch(/^it is not as a journal line has it/);
  expect(lines[2]?.[1]).toMatch(/^kind is not as a journal line has it/);
  expect(lines[3]?.[1]).toEqual(fullRow(1));
});

test('a whole document at the end that is no journal line is malformed, not torn', () => {
  expect(read('{"kind":"note"}').map(({ kind }) => kind)).toEqual(['malformed']);
});

test('CRLF and blank lines are tolerated, and lines keep their number in the file', () => {
  const row = encodeLine(fullRow(1)).toString('utf8').trimEnd();

  expect(outline(read(`\r\n${row}\r\n\n \t\r\n${row}\r`))).toEqual([
    [2, fullRow(1)],
    [5, fullRow(1)],
  ]);
});

test('an empty file has no lines', () => {
  expect(read('')).toEqual([]);
});

test('lines longer than a chunk are read whole, wherever a chunk cuts their characters', () => {
  const lines = ['€', 'a€', 'aa€'].map((start) => rowSaying(start + '€'.repeat(CHUNK_BYTES)));

  expect(outline(read(Buffer.concat([...lines.map(encodeLine), encodeLine(fullRow(1))])))).toEqual([
    [1, lines[0]],
    [2, lines[1]],
    [3, lines[2]],
    [4, fullRow(1)],
  ]);
});

test.each([-2, -1, 0, 1])(
  'a line whose LF is %i bytes from the end of a chunk does not run on',
  (distance) => {
    const padding = CHUNK_BYTES + distance - encodeLine(rowSaying('')).length;
    const first = rowSaying('x'.repeat(padding));

    expect(encodeLine(first)).toHaveLength(CHUNK_BYTES + distance);
    expect(outline(read(Buffer.concat([encodeLine(first), encodeLine(fullRow(1))])))).toEqual([
      [1, first],
      [2, fullRow(1)],
    ]);
  },
);

test('physical lines say where they stand and whether they ended', () => {
  const lines = Array.from(physicalLines(journal('é\n\nab')), ({ number, offset, bytes, terminated }) => [
    number,
    offset,
    Buffer.from(bytes).toString('utf8'),
    terminated,
  ]);

  expect(lines).toEqual([
    [1, 0, 'é', true],
    [2, 3, '', true],
    [3, 4, 'ab', false],
  ]);
});

test('a file that is not there throws the error of the file system', () => {
  expect(() => [...readJournalLines(join(folder, 'absent.jsonl'))]).toThrow(/ENOENT/);
});
