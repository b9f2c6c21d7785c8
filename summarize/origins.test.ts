import { expect, test } from 'vitest';
import { exampleMachine, exampleProvenance, fullRow, journalRows } from '../fixtures/journals/rows.js';
import type { ChannelsRow, Row } from '../harness/record/row.js';
import type { Provenance } from '../harness/record/provenance.js';
import { distinctOrigins, refuseToPool } from './origins.js';

function from(difference: Partial<Provenance>): ChannelsRow {
  return fullRow(1, {}, { provenance: exampleProvenance(difference) });
}

/** The refusal of a plain row in a.jsonl and another one in b.jsonl. */
function refusal(other: Row): string {
  return message(() => refuseToPool([journalRows([fullRow(1)], 'a.jsonl'), journalRows([other], 'b.jsonl')]));
}

const REVISION = '0123456789abcdef0123456789abcdef01234567';

function message(run: () => void): string {
  try {
    run();
  } catch (error) {
    expect(error).toMatchObject({ name: 'CommandError', exitCode: 2 });
    return (error as Error).message;
  }
  return 'not refused';
}

test.each<[Partial<Provenance>, string]>([
  [{ machine: exampleMachine('bbbbbbbbbbbbbbbb') }, 'machine (aaaaaaaaaaaaaaaa and bbbbbbbbbbbbbbbb)'],
  [{ deltaproof_version: '0.2.0' }, 'deltaproof version (0.1.0 and 0.2.0)'],
  [{ node_version: '22.0.0' }, 'Node version (20.20.0 and 22.0.0)'],
  [{ git_revision: 'f'.repeat(40) }, `revision (${REVISION} and ${'f'.repeat(40)})`],
  [{ git_dirty: true }, `revision (${REVISION} and ${REVISION} with uncommitted changes)`],
  [{ git_revision: null, git_dirty: null }, `revision (${REVISION} and none)`],
  [
    { packages: { '@langchain/langgraph': '1.7.4', 'better-sqlite3': '12.11.1' } },
    'version of @langchain/langgraph (1.7.3 and 1.7.4)',
  ],
])(
  'rows that differ in %o are refused by one sentence with both values and both files',
  (difference, fact) => {
    expect(refusal(from(difference))).toBe(
      `Rows that differ in ${fact} are not pooled (a.jsonl and b.jsonl); ` +
        'summarize them apart, or add --pool to pool them all the same.',
    );
  },
);

test('rows of another schema version are refused', () => {
  expect(refusal(fullRow(1, {}, { schema_version: 0 }))).toContain('differ in schema version (1 and 0) are');
});

test('rows that differ in several facts are refused with all of them', () => {
  expect(refusal(from({ node_version: '22.0.0', deltaproof_version: '0.2.0' }))).toContain(
    'differ in deltaproof version (0.1.0 and 0.2.0), Node version (20.20.0 and 22.0.0) are',
  );
});

test('rows of one journal that differ are refused, too', () => {
  const rows = [fullRow(2), from({ node_version: '22.0.0' })];

  expect(message(() => refuseToPool([journalRows(rows, 'a.jsonl')]))).toContain('(both are in a.jsonl)');
});

test('a row that a later row of its case supersedes decides nothing', () => {
  const rows = [from({ git_dirty: true }), fullRow(1)];

  expect(message(() => refuseToPool([journalRows(rows)]))).toBe('not refused');
});

test('equal rows of several journals, and no rows at all, are not refused', () => {
  expect(refusal(fullRow(1))).toBe('not refused');
  expect(message(() => refuseToPool([journalRows([])]))).toBe('not refused');
});

test('text from a journal cannot drive the terminal', () => {
  expect(refusal(from({ node_version: '\u001b[31m' }))).toContain('(20.20.0 and \\u001b[31m)');
});

test('each origin is listed once, with the journal where it was met first', () => {
  const other = from({ node_version: '22.0.0' });
  const origins = distinctOrigins([
    journalRows([fullRow(1)], 'a.jsonl'),
    journalRows([fullRow(1), { ...other, case: fullRow(2).case }], 'b.jsonl'),
    journalRows([other], 'c.jsonl'),
  ]);

  expect(origins.map(({ origin, path }) => [origin.node_version, path])).toEqual([
    ['20.20.0', 'a.jsonl'],
    ['22.0.0', 'b.jsonl'],
  ]);
});

test('rows that share the record of their origin are told apart by their schema version', () => {
  const row = fullRow(1);
  const older = { ...fullRow(2), provenance: row.provenance, schema_version: 0 };

  expect(distinctOrigins([journalRows([row, older])]).map(({ origin }) => origin.schema_version)).toEqual([
    1, 0,
  ]);
});
