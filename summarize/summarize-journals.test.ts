import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deltaRow, exampleProvenance, failedBecause, fullRow } from '../fixtures/journals/rows.js';
import { encodeLine } from '../harness/record/journal-lines.js';
import type { Row } from '../harness/record/row.js';
import { summarizeJournals, type SummarizeOptions } from './summarize-journals.js';

const PLAIN: SummarizeOptions = { pool: false, skipBadLines: false, metrics: ['write_p50_ms'] };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'summarize-journals-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function journal(name: string, rows: readonly Row[]): string {
  const path = join(folder, name);
  writeFileSync(path, Buffer.concat(rows.map(encodeLine)));
  return path;
}

const PAIR = [fullRow(1, { write_p50_ms: 4 }), deltaRow(10, 1, { write_p50_ms: 1 })];
const OTHER_NODE = PAIR.map((row) => ({ ...row, provenance: exampleProvenance({ node_version: '22.0.0' }) }));

test('a journal becomes a summary without a warning', () => {
  const { summary, warnings, exitCode } = summarizeJournals([journal('a.jsonl', PAIR)], PLAIN);

  expect(summary.groups).toMatchObject([
    { paired_repetitions: 1, metrics: { write_p50_ms: { ratio_median: 0.25 } } },
  ]);
  expect(warnings).toEqual([]);
  expect(exitCode).toBe(0);
});

test('journals of different Node versions are pooled only when asked', () => {
  const paths = [journal('a.jsonl', PAIR), journal('b.jsonl', OTHER_NODE)];

  expect(() => summarizeJournals(paths, PLAIN)).toThrow(
    expect.objectContaining({
      exitCode: 2,
      message:
        `Rows that differ in Node version (20.20.0 and 22.0.0) are not pooled (${paths.join(' and ')}); ` +
        'summarize them apart, or add --pool to pool them all the same.',
    }),
  );
  expect(summarizeJournals(paths, { ...PLAIN, pool: true })).toMatchObject({
    summary: { pooled: true, groups: [{ paired_repetitions: 2 }] },
    exitCode: 0,
  });
});

test('a journal given twice counts once, whatever it is called', () => {
  const path = journal('a.jsonl', PAIR);
  const link = join(folder, 'link.jsonl');
  symlinkSync('a.jsonl', link);

  const { summary, warnings } = summarizeJournals([path, path, link], PLAIN);

  expect(summary.journals).toEqual(['a.jsonl']);
  expect(summary.groups).toMatchObject([{ paired_repetitions: 1 }]);
  expect(warnings).toEqual([
    `${path} is the same journal as ${path}; it counts once.`,
    `${link} is the same journal as ${path}; it counts once.`,
  ]);
});

test('nothing to compare is a warning of one sentence, and undecided unless a failure says more', () => {
  const empty = journal('empty.jsonl', []);
  const failed = journal('failed.jsonl', [fullRow(1, {}, failedBecause('silent'))]);

  expect(summarizeJournals([empty], PLAIN)).toMatchObject({
    warnings: [
      `${empty} holds no rows.`,
      'There is no pair of a full and a delta row to compare: no journal holds a row.',
    ],
    exitCode: 5,
  });
  expect(summarizeJournals([failed], PLAIN)).toMatchObject({
    warnings: ['There is no pair of a full and a delta row to compare: 1 of 1 row failed.'],
    exitCode: 6,
  });
});

test('an empty journal beside another is said and changes nothing', () => {
  const empty = journal('empty.jsonl', []);

  expect(summarizeJournals([empty, journal('a.jsonl', PAIR)], PLAIN)).toMatchObject({
    warnings: [`${empty} holds no rows.`],
    exitCode: 0,
  });
});

test('the good journal of the fixtures has the ratios that its maker says', () => {
  const path = fileURLToPath(new URL('../fixtures/journals/good.jsonl', import.meta.url));

  expect(summarizeJournals([path], PLAIN).summary.groups).toMatchObject([
    { snapshot_frequency: 10, paired_repetitions: 3, metrics: { write_p50_ms: { ratio_median: 0.6 } } },
    { snapshot_frequency: 50, paired_repetitions: 3, metrics: { write_p50_ms: { ratio_median: 0.75 } } },
  ]);
});
