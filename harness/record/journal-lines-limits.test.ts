import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { failedBecause, fullRow } from '../../fixtures/journals/rows.js';
import { encodeLine, MAX_LINE_BYTES, physicalLines, readJournalLines } from './journal-lines.js';
import type { Row } from './row.js';

/** The size of one read. */
const CHUNK_BYTES = 1 << 20;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'journal-lines-limits-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => vi.restoreAllMocks());

function journal(bytes: Uint8Array | string): string {
  const path = join(folder, 'run.jsonl');
  writeFileSync(path, bytes);
  return path;
}

/** What was read, in short: the value of a line, or what is wrong with it, behind its number. */
function outlineOf(path: string): [number, unknown][] {
  return Array.from(readJournalLines(path), (line) => {
    if (line.kind === 'line') return [line.at.number, line.value];
    return [line.at.number, line.kind === 'torn' ? 'torn' : line.problem];
  });
}

/** A failed row with that text as its message, and short otherwise. */
function rowSaying(message: string): Row {
  return fullRow(1, {}, { ...failedBecause('exited', message), measurement: null });
}

describe('a line without end', () => {
  /** A hole reads as zeros and takes no room on the disk. */
  function withHole(before: Uint8Array, holeBytes: number, after: Uint8Array | string): string {
    const path = journal(before);
    truncateSync(path, before.length + holeBytes);
    writeFileSync(path, after, { flag: 'a' });
    return path;
  }

  test('of 64 MiB is read, and of one byte more is malformed and hides no other line', () => {
    const padding = MAX_LINE_BYTES - encodeLine(rowSaying('')).length + 1;
    const path = journal(encodeLine(rowSaying('x'.repeat(padding))));
    expect(Array.from(readJournalLines(path), ({ kind }) => kind)).toEqual(['line']);

    writeFileSync(path, encodeLine(rowSaying('x'.repeat(padding + 1))));
    writeFileSync(path, encodeLine(fullRow(1)), { flag: 'a' });
    expect(outlineOf(path)).toEqual([
      [1, 'it is longer than 64 MiB'],
      [2, fullRow(1)],
    ]);
  });

  test('is passed over wherever it stands, and the lines around it keep their place', () => {
    const row = encodeLine(fullRow(1));
    const path = withHole(row, 70 << 20, Buffer.concat([Buffer.from('\n'), row]));

    const lines = Array.from(physicalLines(path), (at) => [at.offset, at.bytes.length, at.tooLong]);

    expect(lines).toEqual([
      [0, row.length - 1, false],
      [row.length, 0, true],
      [row.length + (70 << 20) + 1, row.length - 1, false],
    ]);
  });

  test('at the end of the file is malformed, not torn', () => {
    const lines = [...readJournalLines(withHole(encodeLine(fullRow(1)), 70 << 20, ''))];

    expect(lines.map(({ kind, at }) => [kind, at.terminated])).toEqual([
      ['line', true],
      ['malformed', false],
    ]);
  });

  test('costs time in proportion to its length, and no memory', () => {
    const path = withHole(Buffer.from('x'), 600 << 20, '');
    const copied = vi.spyOn(Buffer, 'from');
    const joined = vi.spyOn(Buffer, 'concat');
    const peakBefore = process.resourceUsage().maxRSS;

    expect(outlineOf(path)).toEqual([[1, 'it is longer than 64 MiB']]);

    expect(copied.mock.calls.length).toBeLessThanOrEqual(MAX_LINE_BYTES / CHUNK_BYTES + 1);
    expect(joined).not.toHaveBeenCalled();
    expect(process.resourceUsage().maxRSS - peakBefore).toBeLessThan(200 << 10);
  });

  test('of many chunks is put together once', () => {
    const bytes = encodeLine(rowSaying('x'.repeat(20 * CHUNK_BYTES)));
    const path = journal(bytes);
    const joined = vi.spyOn(Buffer, 'concat');

    expect(Array.from(readJournalLines(path), ({ kind }) => kind)).toEqual(['line']);

    expect(joined).toHaveBeenCalledTimes(1);
  });
});

describe.runIf(process.platform !== 'win32')('what is not a regular file is refused in one sentence', () => {
  const refused = (path: string) =>
    expect.objectContaining({
      exitCode: 2,
      message: `${path} is not a regular file and cannot be read as a journal; copy it to a file first.`,
    });

  test('a device that never ends', () => {
    expect(() => [...readJournalLines('/dev/zero')]).toThrow(refused('/dev/zero'));
  });

  test('a pipe into which nobody writes', () => {
    const path = join(folder, 'pipe');
    execFileSync('mkfifo', [path]);

    expect(() => [...readJournalLines(path)]).toThrow(refused(path));
  });

  test('a folder, with the error of the file system', () => {
    expect(() => [...readJournalLines(folder)]).toThrow(expect.objectContaining({ code: 'EISDIR' }));
  });
});

test('an error that is about neither UTF-8 nor JSON is not taken for one', () => {
  const path = journal('{}\n');
  const broken = new RangeError('Maximum call stack size exceeded');
  vi.spyOn(JSON, 'parse').mockImplementation(() => {
    throw broken;
  });

  expect(() => [...readJournalLines(path)]).toThrow(broken);
});
