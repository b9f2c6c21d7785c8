import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { exampleVerdict } from '../../fixtures/journals/rows.js';
import { CommandError } from './errors.js';
import { encodeLine } from './journal-lines.js';
import { checkJournalPath, openJournal, type OpenMode } from './journal.js';

const MODES: readonly OpenMode[] = ['new', 'resume', 'overwrite'];
const LINE = exampleVerdict();

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'journal-open-'));
  path = join(folder, 'run.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The usage error that `run` throws. */
function usageErrorOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof CommandError && error.exitCode === 2) return error.message;
    throw error;
  }
  throw new Error('Nothing was thrown.');
}

/** The same refusal before the run and when it opens the journal; nothing is made or changed by either. */
function refusal(at: string, mode: OpenMode): string {
  const before = readdirSync(folder, { recursive: true });
  const message = usageErrorOf(() => checkJournalPath(at, mode));
  expect(usageErrorOf(() => openJournal(at, mode))).toBe(message);
  expect(readdirSync(folder, { recursive: true })).toEqual(before);
  return message;
}

describe('opening', () => {
  test.each(MODES)(
    'a file that is not there is made, in mode %s, and the check before makes nothing',
    (mode) => {
      checkJournalPath(path, mode);
      expect(readdirSync(folder)).toEqual([]);

      const { journal, lines } = openJournal(path, mode);
      journal.append(LINE);
      journal.close();

      expect(lines).toEqual([]);
      expect(readFileSync(path)).toEqual(encodeLine(LINE));
    },
  );

  test('a new journal refuses an existing file and says the ways out', () => {
    writeFileSync(path, 'something');

    expect(refusal(path, 'new')).toBe(
      `--output ${path} exists; add --resume to complete it, --overwrite to replace it, or name another file.`,
    );
    expect(readFileSync(path, 'utf8')).toBe('something');
  });

  test('a new journal refuses an empty file as well', () => {
    writeFileSync(path, '');

    expect(refusal(path, 'new')).toMatch(/ exists; /);
  });

  test('overwriting empties the file and returns nothing of it', () => {
    writeFileSync(path, Buffer.concat([encodeLine(LINE), Buffer.from('{"torn')]));

    const { journal, lines, tornBytes } = openJournal(path, 'overwrite');

    expect([lines, tornBytes]).toEqual([[], 0]);
    expect(readFileSync(path, 'utf8')).toBe('');
    journal.append(LINE);
    journal.close();
    expect(readFileSync(path)).toEqual(encodeLine(LINE));
    expect(readdirSync(folder)).toEqual(['run.jsonl']);
  });

  test('overwriting a journal that is being written is refused before anything is dropped', () => {
    const { journal } = openJournal(path, 'new');
    journal.append(LINE);

    expect(usageErrorOf(() => openJournal(path, 'overwrite'))).toMatch(/ is being written by process \d+; /);

    expect(readFileSync(path)).toEqual(encodeLine(LINE));
    journal.close();
  });
});

describe.each(MODES)('a path that cannot be a journal is refused in mode %s', (mode) => {
  test('because it is a folder', () => {
    mkdirSync(path);

    expect(refusal(path, mode)).toBe(`--output ${path} is a folder; name a file in it.`);
  });

  test('because its folder is missing', () => {
    const at = join(folder, 'absent', 'run.jsonl');

    expect(refusal(at, mode)).toBe(`The folder of --output ${at} does not exist; create it first.`);
  });

  test('because its folder is a file', () => {
    writeFileSync(path, '');
    const at = join(path, 'run.jsonl');

    expect(refusal(at, mode)).toBe(`--output ${at} is not inside a folder.`);
  });

  test.runIf(process.platform !== 'win32')('because it is a pipe', () => {
    execFileSync('mkfifo', [path]);

    expect(refusal(path, mode)).toBe(`--output ${path} is not a regular file.`);
  });

  test.runIf(process.platform !== 'win32')('because it is a device', () => {
    expect(usageErrorOf(() => checkJournalPath('/dev/null', mode))).toBe(
      '--output /dev/null is not a regular file.',
    );
  });

  test('because its name is too long for a lock beside it', () => {
    const at = join(folder, 'x'.repeat(250));

    expect(usageErrorOf(() => openJournal(at, mode))).toMatch(
      /^--output .* cannot be written: ENAMETOOLONG.*\.$/,
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  test('because a folder above its own is a file', () => {
    writeFileSync(path, '');

    expect(refusal(join(path, 'deeper', 'run.jsonl'), mode)).toMatch(/cannot be written: ENOTDIR/);
  });

  test('because its name is too long', () => {
    expect(refusal(join(folder, 'x'.repeat(300)), mode)).toMatch(/cannot be written/);
  });

  test('because it is a link to itself', () => {
    symlinkSync('run.jsonl', path);

    expect(refusal(path, mode)).toMatch(/cannot be written/);
  });
});

describe.runIf(process.platform !== 'win32')('links', () => {
  test('a journal is written through a link to it', () => {
    const link = join(folder, 'link.jsonl');
    writeFileSync(path, encodeLine(LINE));
    symlinkSync(path, link);

    const { journal, lines } = openJournal(link, 'resume');
    journal.append(LINE);
    journal.close();

    expect(lines).toEqual([LINE]);
    expect(readFileSync(path)).toEqual(Buffer.concat([encodeLine(LINE), encodeLine(LINE)]));
    expect(readlinkSync(link)).toBe(path);
    expect(readdirSync(folder).toSorted()).toEqual(['link.jsonl', 'run.jsonl']);
  });

  test.each(['new', 'resume', 'overwrite'] as const)('one that leads nowhere is refused (%s)', (mode) => {
    symlinkSync(join(folder, 'target.jsonl'), path);

    expect(refusal(path, mode)).toBe(`--output ${path} is a link that leads nowhere.`);
    expect(readdirSync(folder)).toEqual(['run.jsonl']);
  });
});
