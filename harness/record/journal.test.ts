import {
  closeSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  deltaRow,
  exampleManifest,
  exampleVerdict,
  failedBecause,
  fullRow,
} from '../../fixtures/journals/rows.js';
import { CommandError } from './errors.js';
import { encodeLine, readJournalLines } from './journal-lines.js';
import { append, openJournal, type AppendCalls, type OpenedJournal } from './journal.js';
import type { JournalLine } from './journal-line.js';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'journal-'));
  path = join(folder, 'run.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const LINES: readonly JournalLine[] = [
  exampleVerdict({ message: 'one' }),
  exampleVerdict({ message: 'größer € 😀 \u2028' }),
  exampleVerdict({ message: 'three' }),
];
const NEW = exampleVerdict({ message: 'new' });

function bytesOf(...lines: readonly JournalLine[]): Buffer {
  return Buffer.concat(lines.map(encodeLine));
}

function linesOf(file: string): unknown[] {
  return Array.from(readJournalLines(file), (line) => (line.kind === 'line' ? line.value : line.kind));
}

/** Opens what is there, appends one line and closes. */
function resumeAndAppend(): OpenedJournal {
  const opened = openJournal(path, 'resume');
  opened.journal.append(NEW);
  opened.journal.close();
  return opened;
}

describe('appending', () => {
  test('lines are in the file, whole and in order, as soon as they were appended', () => {
    const lines = [exampleManifest(), fullRow(1), deltaRow(10, 1, {}, failedBecause('timed_out')), NEW];
    const { journal } = openJournal(path, 'new');

    lines.forEach((line, index) => {
      journal.append(line);
      expect(readFileSync(path)).toEqual(bytesOf(...lines.slice(0, index + 1)));
    });
    journal.close();
    expect(linesOf(path)).toEqual(lines);
    expect(readdirSync(folder)).toEqual(['run.jsonl']);
  });

  test('a line is written to its last byte before it is synced, however little goes at a time', () => {
    const fd = openSync(path, 'a');
    const write = vi.fn((to: number, bytes: Uint8Array) => writeSync(to, bytes.subarray(0, 7)));
    const sync = vi.fn((to: number) => {
      expect(readFileSync(path)).toEqual(bytesOf(NEW));
      fsyncSync(to);
    });

    append(fd, encodeLine(NEW), { write, sync });

    expect(write).toHaveBeenCalledTimes(Math.ceil(encodeLine(NEW).length / 7));
    expect(sync.mock.calls).toEqual([[fd]]);
    closeSync(fd);
  });

  const noSpace = new Error('ENOSPC: no space left on device, write');
  const fullDisk: AppendCalls = {
    write: (fd, bytes) => {
      if (bytes.length < encodeLine(NEW).length) throw noSpace;
      return writeSync(fd, bytes.subarray(0, 10));
    },
    sync: fsyncSync,
  };
  const noSync: AppendCalls = {
    write: writeSync,
    sync: () => {
      throw noSpace;
    },
  };

  test.each([
    ['a disk that is full after half a line', fullDisk],
    ['a sync that fails after a whole line', noSync],
  ])('%s leaves the file as it was and ends with exit code 1', (_, calls) => {
    writeFileSync(path, bytesOf(...LINES));
    const fd = openSync(path, 'a');

    const failing = () => append(fd, encodeLine(NEW), calls);

    expect(failing).toThrow(
      new CommandError(
        'The journal cannot be written (ENOSPC: no space left on device, write); it was left as it was before this line.',
        1,
        { cause: noSpace },
      ),
    );
    expect(failing).toThrow(expect.objectContaining({ exitCode: 1 }));
    expect(readFileSync(path)).toEqual(bytesOf(...LINES));
    append(fd, encodeLine(NEW));
    expect(readFileSync(path)).toEqual(bytesOf(...LINES, NEW));
    closeSync(fd);
  });
});

describe('resuming', () => {
  test('what stood in the journal is returned and kept', () => {
    writeFileSync(path, bytesOf(...LINES));

    const opened = resumeAndAppend();

    expect(opened).toMatchObject({ lines: LINES, tornBytes: 0, malformed: [] });
    expect(readFileSync(path)).toEqual(bytesOf(...LINES, NEW));
  });

  test('a journal that is not there yet begins', () => {
    expect(resumeAndAppend()).toMatchObject({ lines: [], tornBytes: 0, malformed: [] });
    expect(readFileSync(path)).toEqual(bytesOf(NEW));
  });

  test('a torn last line moves to .torn, byte by byte, and the next line stands alone', () => {
    const torn = Buffer.concat([Buffer.from('{"kind":"verdict","message":"€'), Buffer.from([0, 0xff, 0xc3])]);
    writeFileSync(path, Buffer.concat([bytesOf(...LINES), torn]));

    const opened = resumeAndAppend();

    expect(opened).toMatchObject({ lines: LINES, tornBytes: torn.length });
    expect(readFileSync(`${path}.torn`)).toEqual(Buffer.concat([torn, Buffer.from('\n')]));
    expect(readFileSync(path)).toEqual(bytesOf(...LINES, NEW));
  });

  test('a second torn line is set aside behind the first', () => {
    for (const torn of ['{"first', '{"second']) {
      writeFileSync(path, `${bytesOf(NEW).toString('utf8')}${torn}`);
      openJournal(path, 'resume').journal.close();
    }

    expect(readFileSync(`${path}.torn`, 'utf8')).toBe('{"first\n{"second\n');
    expect(readFileSync(path)).toEqual(bytesOf(NEW));
  });

  test.each([
    ['a journal line', bytesOf(...LINES).subarray(0, -1)],
    ['JSON of another kind', Buffer.concat([bytesOf(...LINES), Buffer.from('{"kind":"note"}')])],
  ])('a last line that is %s and only lacks its LF gets it', (_, bytes) => {
    writeFileSync(path, bytes);

    const opened = resumeAndAppend();

    expect(opened).toMatchObject({ lines: LINES, tornBytes: 0 });
    expect(readFileSync(path)).toEqual(Buffer.concat([bytes, Buffer.from('\n'), bytesOf(NEW)]));
    expect(readdirSync(folder)).toEqual(['run.jsonl']);
  });

  test('lines that are no journal lines are named by number, kept, and hide no other', () => {
    const bytes = Buffer.concat([
      bytesOf(NEW),
      Buffer.from([0x22, 0xc3, 0x28, 0x22, 0x0a]),
      bytesOf(NEW),
      Buffer.from('{"torn and glued{"kind"\n'),
      bytesOf(NEW),
    ]);
    writeFileSync(path, bytes);

    const opened = resumeAndAppend();

    expect(opened.lines).toEqual([NEW, NEW, NEW]);
    expect(opened.malformed).toEqual([
      { number: 2, problem: 'it is not UTF-8' },
      { number: 4, problem: 'it is not JSON' },
    ]);
    expect(readFileSync(path)).toEqual(Buffer.concat([bytes, bytesOf(NEW)]));
  });

  test('a journal that was cut at any byte has its complete lines and the new one, and nothing is lost', () => {
    const whole = bytesOf(...LINES);
    const ends = LINES.map((_, index) => bytesOf(...LINES.slice(0, index + 1)).length);
    const wrong: number[] = [];
    for (let cut = 0; cut <= whole.length; cut += 1) {
      writeFileSync(path, whole);
      truncateSync(path, cut);
      rmSync(`${path}.torn`, { force: true });

      const { lines, tornBytes, malformed } = resumeAndAppend();

      // A line is complete with its closing brace; its LF may be missing.
      const complete = ends.filter((end) => end - 1 <= cut).length;
      const torn = whole.subarray(ends[complete - 1] ?? 0, cut);
      const setAside = torn.length === 0 ? [] : [Buffer.concat([torn, Buffer.from('\n')])];
      const found = {
        lines,
        tornBytes,
        malformed,
        journal: linesOf(path),
        bytes: readFileSync(path),
        setAside: readdirSync(folder).includes('run.jsonl.torn') ? [readFileSync(`${path}.torn`)] : [],
      };
      const expected = {
        lines: LINES.slice(0, complete),
        tornBytes: torn.length,
        malformed: [],
        journal: [...LINES.slice(0, complete), NEW],
        bytes: bytesOf(...LINES.slice(0, complete), NEW),
        setAside,
      };
      if (!isDeepStrictEqual(found, expected)) wrong.push(cut);
    }
    expect(wrong).toEqual([]);
  });

  test('a torn line that cannot be set aside stays where it is, and the journal is not left locked', () => {
    const bytes = Buffer.concat([bytesOf(NEW), Buffer.from('{"torn')]);
    writeFileSync(path, bytes);
    mkdirSync(`${path}.torn`);

    expect(() => openJournal(path, 'resume')).toThrow(/^The torn end of .* cannot be set aside: EISDIR/);

    expect(readFileSync(path)).toEqual(bytes);
    rmSync(`${path}.torn`, { recursive: true });
    expect(resumeAndAppend()).toMatchObject({ tornBytes: 6 });
  });
});
