import {
  appendFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { exampleVerdict, failedBecause, fullRow } from '../../fixtures/journals/rows.js';
import { encodeLine, MAX_LINE_BYTES, readJournalLines } from './journal-lines.js';
import { openJournal, type Journal } from './journal.js';
import type { JournalLine } from './journal-line.js';

const LINE = exampleVerdict();
const SIZE = encodeLine(LINE).length;

let folder: string;
let path: string;
let journal: Journal;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'journal-changed-'));
  path = join(folder, 'run.jsonl');
  journal = openJournal(path, 'new').journal;
  journal.append(LINE);
});
afterEach(() => {
  journal.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What the run is told when it writes its next line; each further line is refused as well. */
function refusal(): unknown {
  const append = () => journal.append(LINE);
  expect(append).toThrow(expect.objectContaining({ name: 'CommandError', exitCode: 1 }));
  try {
    append();
  } catch (error) {
    return (error as Error).message;
  }
  return undefined;
}

function sentence(event: string): string {
  return `The journal ${path} ${event} while the run wrote it; the run stops here, because further rows would be lost.`;
}

describe('a journal that others touch while a run writes it', () => {
  test('is not written any more once it was deleted', () => {
    rmSync(path);

    expect(refusal()).toBe(sentence('was deleted or moved away'));
  });

  test('is not written any more once it was moved away', () => {
    renameSync(path, `${path}.old`);

    expect(refusal()).toBe(sentence('was deleted or moved away'));
    expect(readFileSync(`${path}.old`)).toEqual(encodeLine(LINE));
  });

  test('is not written any more once another file stands in its place, be it the same to the byte', () => {
    writeFileSync(`${path}.new`, encodeLine(LINE));
    renameSync(`${path}.new`, path);

    expect(refusal()).toBe(sentence('was replaced by another file'));
    expect(readFileSync(path)).toEqual(encodeLine(LINE));
  });

  test('is not written any more once it was deleted and made again, or became a folder', () => {
    rmSync(path);
    writeFileSync(path, encodeLine(LINE));
    expect(refusal()).toBe(sentence('was replaced by another file'));

    rmSync(path);
    mkdirSync(path);
    expect(refusal()).toBe(sentence('was replaced by another file'));
  });

  test('is not written any more once it was cut short', () => {
    truncateSync(path, 3);

    expect(refusal()).toBe(sentence(`was cut short by something else (it has 3 bytes instead of ${SIZE})`));
    expect(readFileSync(path)).toHaveLength(3);
  });

  test('is not written any more once something else has written to it', () => {
    appendFileSync(path, 'x');

    expect(refusal()).toBe(
      sentence(`was written to by something else (it has ${SIZE + 1} bytes instead of ${SIZE})`),
    );
  });

  test('is not written any more once its folder is a file', () => {
    renameSync(folder, `${folder}-moved`);
    writeFileSync(folder, '');

    expect(refusal()).toMatch(
      /^The journal .* can no longer be looked at \(ENOTDIR.*\) while the run wrote it; /,
    );

    rmSync(folder);
    renameSync(`${folder}-moved`, folder);
  });

  test('is written on where it only got a second name', () => {
    linkSync(path, `${path}.link`);

    journal.append(LINE);

    expect(readFileSync(path)).toHaveLength(2 * SIZE);
  });
});

test.runIf(process.platform !== 'win32')('a link that leads to another journal meanwhile is noticed', () => {
  const link = join(folder, 'link.jsonl');
  const [one, other] = [join(folder, 'one.jsonl'), join(folder, 'other.jsonl')];
  for (const file of [one, other]) writeFileSync(file, '');
  symlinkSync(one, link);
  const { journal: linked } = openJournal(link, 'resume');
  linked.append(LINE);
  rmSync(link);
  symlinkSync(other, link);

  expect(() => linked.append(LINE)).toThrow(/ was replaced by another file while the run wrote it; /);

  linked.close();
});

test.each(['resume', 'overwrite'] as const)('what stood in it before is no change (%s)', (mode) => {
  journal.close();
  writeFileSync(path, Buffer.concat([encodeLine(LINE), Buffer.from('{"torn')]));
  ({ journal } = openJournal(path, mode));

  journal.append(LINE);
  journal.append(LINE);

  expect(readFileSync(path)).toHaveLength((mode === 'resume' ? 3 : 2) * SIZE);
});

test('a last line that is longer than 64 MiB is kept at a resume and ended', () => {
  journal.close();
  truncateSync(path, SIZE + MAX_LINE_BYTES + 1);
  const opened = openJournal(path, 'resume');
  ({ journal } = opened);
  journal.append(LINE);

  expect(opened).toMatchObject({ lines: [LINE], tornBytes: 0 });
  expect(opened.malformed).toEqual([{ number: 2, problem: 'it is longer than 64 MiB' }]);
  expect(Array.from(readJournalLines(path), ({ kind }) => kind)).toEqual(['line', 'malformed', 'line']);
});

const TOO_LONG = fullRow(1, {}, failedBecause('exited', 'x'.repeat(MAX_LINE_BYTES)));

test.each<[string, JournalLine, RegExp]>([
  [
    'successful without a measurement',
    fullRow(1, {}, { measurement: null }),
    /^A line that is no journal line was to be written: measurement .*a successful row has a measurement\)\.$/,
  ],
  [
    'NaN',
    fullRow(1, { wal_bytes: Number.NaN }),
    /no journal line was to be written: measurement\.metrics\.wal_bytes /,
  ],
  [
    'of an unknown kind',
    { kind: 'note' } as unknown as JournalLine,
    /no journal line was to be written: kind /,
  ],
  ['too long', TOO_LONG, /^A line of \d+ bytes was to be written, but the journal's limit is 64 MiB\.$/],
])('a line that a reader would refuse is a mistake and not written: %s', (_, line, message) => {
  expect(() => journal.append(line)).toThrow(expect.objectContaining({ name: 'Error' }));
  expect(() => journal.append(line)).toThrow(message);

  expect(readFileSync(path)).toEqual(encodeLine(LINE));
  journal.append(LINE);
});
