import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deltaRow, exampleManifest, exampleVerdict, fullRow } from '../fixtures/journals/rows.js';
import { exampleScenarioRow } from '../fixtures/journals/scenario-rows.js';
import { encodeLine } from '../harness/record/journal-lines.js';
import { METRIC_NAMES } from '../harness/record/metrics.js';
import type { JournalLine } from '../harness/record/journal-line.js';
import type { ChannelsRow } from '../harness/record/row.js';
import { readJournal } from './read-journal.js';

const STOP = { skipBadLines: false, metrics: METRIC_NAMES };
const SKIP = { skipBadLines: true, metrics: METRIC_NAMES };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'read-journal-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function journal(...lines: readonly (JournalLine | string)[]): string {
  const path = join(folder, 'run.jsonl');
  writeFileSync(
    path,
    Buffer.concat(lines.map((line) => (typeof line === 'string' ? Buffer.from(line) : encodeLine(line)))),
  );
  return path;
}

test('rows are paired and counted, manifests and verdicts left aside', () => {
  const path = journal(exampleManifest(), fullRow(1), deltaRow(10, 1), exampleVerdict(), deltaRow(10, 1));

  const { journal: read, warnings } = readJournal(path, STOP);

  expect(read).toMatchObject({ path, totalRows: 3, tornLines: 0, skippedLines: 0 });
  expect(read.pairing.pairs).toHaveLength(1);
  expect(read.pairing.latest).toHaveLength(2);
  expect(warnings).toEqual([]);
});

test('rows keep the metrics asked for and no raw samples', () => {
  const path = journal(fullRow(1, { logical_bytes: 7, write_p50_ms: 8 }));

  const [row] = readJournal(path, { ...STOP, metrics: ['logical_bytes'] }).journal.pairing.latest as [
    ChannelsRow,
  ];

  expect(row.measurement?.metrics).toEqual({ logical_bytes: 7 });
  expect(row.measurement?.samples_ms.write).toEqual([]);
});

test('a malformed line stops the reading with its file, its number and its problem', () => {
  const path = journal(fullRow(1), 'not JSON\n', fullRow(2));

  expect(() => readJournal(path, STOP)).toThrow(
    expect.objectContaining({
      exitCode: 2,
      message: `${path}:2 is not a journal line: it is not JSON; repair the line, or add --skip-bad-lines to leave it out.`,
    }),
  );
});

test('malformed lines can be left out with a warning each, and hide no other line', () => {
  const path = journal(fullRow(1), 'not JSON\n', deltaRow(10, 1), '{"kind":"note"}\n', fullRow(2));

  const { journal: read, warnings } = readJournal(path, SKIP);

  expect(read).toMatchObject({ totalRows: 3, skippedLines: 2 });
  expect(warnings).toEqual([
    `${path}:2 is not a journal line: it is not JSON; it is left out.`,
    expect.stringMatching(
      /:4 is not a journal line: kind is not as a journal line has it .*; it is left out\.$/,
    ),
  ]);
});

test('a torn last line is a warning and never a stop', () => {
  const path = journal(fullRow(1), encodeLine(fullRow(2)).toString('utf8').slice(0, 100));

  const { journal: read, warnings } = readJournal(path, STOP);

  expect(read).toMatchObject({ totalRows: 1, tornLines: 1, skippedLines: 0 });
  expect(warnings).toEqual([`${path}:2 was cut off while it was written; it is left out.`]);
});

test.each<[string, JournalLine | string]>([
  ['row', fullRow(1, {}, { schema_version: 2 })],
  ['manifest', exampleManifest({ schema_version: 2 })],
  ['line of another shape', '{"kind":"row","schema_version":2,"more":true}\n'],
])('a %s of a newer schema version is refused, even where bad lines are left out', (_, line) => {
  const path = journal(fullRow(1), line);

  expect(() => readJournal(path, SKIP)).toThrow(
    `${path}:2 is of schema version 2, and this deltaproof understands versions up to 1; ` +
      'use the deltaproof that wrote it, or a newer one.',
  );
});

test('a malformed line that names no number as its schema version is only malformed', () => {
  const path = journal('null\n', '{"schema_version":"2"}\n', '{"schema_version":1}\n');

  expect(readJournal(path, SKIP).journal.skippedLines).toBe(3);
});

test('a journal without rows is said', () => {
  const empty = journal();
  expect(readJournal(empty, STOP).warnings).toEqual([`${empty} holds no rows.`]);

  const manifestOnly = journal(exampleManifest());
  expect(readJournal(manifestOnly, STOP).warnings).toEqual([`${manifestOnly} holds no rows.`]);

  const ofVerify = journal(exampleManifest(), exampleScenarioRow());
  expect(readJournal(ofVerify, STOP).warnings).toEqual([
    `${ofVerify} holds no rows; it is of deltaproof verify, which prints its verdicts with --resume --output ${ofVerify}.`,
  ]);
});

test('a missing file, a folder and a path through a file are one sentence each', () => {
  const missing = join(folder, 'absent.jsonl');
  const through = join(journal(fullRow(1)), 'run.jsonl');

  expect(() => readJournal(missing, STOP)).toThrow(
    expect.objectContaining({ exitCode: 2, message: `The journal ${missing} does not exist.` }),
  );
  expect(() => readJournal(folder, STOP)).toThrow(
    expect.objectContaining({ exitCode: 2, message: `${folder} is a folder; name a journal file in it.` }),
  );
  expect(() => readJournal(through, STOP)).toThrow(
    expect.objectContaining({ exitCode: 2, message: expect.stringContaining('cannot be read: ENOTDIR') }),
  );
});

test('text of a damaged line cannot drive the terminal', () => {
  const row = JSON.parse(encodeLine(fullRow(1)).toString('utf8'));
  row.provenance.packages['\u001b[2J'] = 7;

  const { warnings } = readJournal(journal(`${JSON.stringify(row)}\n`), SKIP);

  expect(warnings[0]).toContain('provenance.packages.\\u001b[2J is not as a journal line has it');
  expect(warnings[0]).not.toContain('\u001b');
});

test('the broken journal of the fixtures gives what is intact in it', () => {
  const path = fileURLToPath(new URL('../fixtures/journals/broken.jsonl', import.meta.url));

  expect(() => readJournal(path, STOP)).toThrow(':2 is not a journal line: it is not UTF-8;');
  expect(readJournal(path, SKIP).journal).toMatchObject({ totalRows: 10, tornLines: 1, skippedLines: 2 });
});
