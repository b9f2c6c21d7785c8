import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkReportFiles, writeReportFile, type ReportFile } from './report-file.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'report-file-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function csv(...segments: string[]): ReportFile {
  return { option: '--csv', path: join(folder, ...segments) };
}

function usage(message: string): unknown {
  return expect.objectContaining({ name: 'CommandError', exitCode: 2, message });
}

test('a report is written where nothing was, and replaces what was there whole', () => {
  const file = csv('out.csv');

  checkReportFiles([file], []);
  writeReportFile(file, 'first, and longer');
  checkReportFiles([file], []);
  writeReportFile(file, 'second');

  expect(readFileSync(file.path, 'utf8')).toBe('second');
  expect(readdirSync(folder)).toEqual(['out.csv']);
});

test('a link keeps pointing where it does', () => {
  writeFileSync(join(folder, 'target.csv'), 'old');
  symlinkSync('target.csv', join(folder, 'link.csv'));

  writeReportFile(csv('link.csv'), 'new');

  expect(readFileSync(join(folder, 'target.csv'), 'utf8')).toBe('new');
});

test('a report that cannot be written is one sentence, and leaves the old one and no scrap', () => {
  // The name fits, the name of the temporary file beside it does not.
  const long = csv('x'.repeat(255));
  writeFileSync(long.path, 'old');

  expect(() => writeReportFile(long, 'new')).toThrow(
    expect.objectContaining({
      exitCode: 2,
      message: expect.stringMatching(/^--csv .* cannot be written: ENAMETOOLONG/),
    }),
  );
  expect(readFileSync(long.path, 'utf8')).toBe('old');
  expect(readdirSync(folder)).toHaveLength(1);
});

test('a report that cannot take its place leaves no scrap', () => {
  mkdirSync(join(folder, 'sub'));

  expect(() => writeReportFile(csv('sub'), 'new')).toThrow(/^--csv .* cannot be written: EISDIR/);
  expect(readdirSync(folder)).toEqual(['sub']);
});

test('a missing folder, a folder, a file as folder and a device are refused before anything is read', () => {
  writeFileSync(join(folder, 'file'), '');
  mkdirSync(join(folder, 'sub'));
  const refused = (file: ReportFile) => expect(() => checkReportFiles([file], []));

  refused(csv('absent', 'a.csv')).toThrow(
    usage(`The folder of --csv ${join(folder, 'absent', 'a.csv')} does not exist; create it first.`),
  );
  refused(csv('sub')).toThrow(usage(`--csv ${join(folder, 'sub')} is a folder; name a file in it.`));
  refused(csv('file', 'a.csv')).toThrow(/^--csv .* cannot be written: ENOTDIR/);
  refused({ option: '--markdown', path: '/dev/null' }).toThrow(
    usage('--markdown /dev/null is not a regular file; use - for stdout.'),
  );
  refused(csv('y'.repeat(300))).toThrow(/^--csv .* cannot be written: ENAMETOOLONG/);
});

test('a journal is never replaced by its report, under whatever name', () => {
  const journal = join(folder, 'run.jsonl');
  writeFileSync(journal, '');
  symlinkSync('run.jsonl', join(folder, 'link.csv'));

  expect(() => checkReportFiles([csv('link.csv')], [journal])).toThrow(
    usage(`--csv ${join(folder, 'link.csv')} is the journal ${journal}; name another file.`),
  );
});

test('two reports do not share a file', () => {
  const markdown = { option: '--markdown', path: join(folder, '.', 'out') };

  expect(() => checkReportFiles([csv('out'), markdown], [])).toThrow(
    usage(`--markdown ${join(folder, 'out')} is also the file of --csv; name two files.`),
  );
});
