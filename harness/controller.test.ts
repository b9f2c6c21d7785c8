import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exampleCase } from '../fixtures/journals/rows.js';
import { exampleRunSettings } from './controller/run-settings.support.test.js';
import { Places } from './controller/places.js';
import { runCases, type RunEvent, type RunSettings } from './controller.js';
import { makeWorkFolder } from './process/work-folder.js';
import { caseFileName, caseKey, type ChannelsCase } from './record/case.js';
import { CommandError } from './record/errors.js';
import type { JournalLine } from './record/journal-line.js';
import { type Row, rowSchema } from './record/row.js';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'deltaproof-test-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function caseOf(overrides: Partial<ChannelsCase> = {}): ChannelsCase {
  return exampleCase({
    backend: 'memory',
    updates: 1,
    payload_bytes: 1,
    payload_entropy: 'repeat',
    seed: 1,
    ...overrides,
  });
}
const delta = (snapshot_frequency: number) => caseOf({ mode: 'delta', snapshot_frequency });
const threeRepetitions = [1, 2, 3].map((repetition) => caseOf({ repetition }));

interface Run {
  readonly rows: readonly Row[];
  readonly lines: readonly JournalLine[];
  readonly events: readonly RunEvent[];
}

async function run(
  child: string,
  cases: readonly ChannelsCase[],
  overrides: Partial<RunSettings> = {},
): Promise<Run> {
  const lines: JournalLine[] = [];
  const events: RunEvent[] = [];
  const workFolder = makeWorkFolder(root);
  try {
    const rows = await runCases(cases, [], {
      worker: new URL(`../fixtures/children/${child}.mjs`, import.meta.url),
      ...exampleRunSettings(),
      places: new Places(workFolder, null),
      append: (line) => lines.push(line),
      onEvent: (event) => events.push(event),
      ...overrides,
    });
    return { rows, lines, events };
  } finally {
    workFolder.remove();
  }
}

describe('running a plan', () => {
  it('appends one valid row a case, in the order of the plan, with its run index', async () => {
    const { lines } = await run('reports', threeRepetitions);
    expect(lines.map((line) => rowSchema.parse(line))).toEqual(lines);
    expect(lines.map((line) => line.kind === 'row' && [line.run_index, line.case.repetition])).toEqual([
      [0, 1],
      [1, 2],
      [2, 3],
    ]);
  });

  it('tells of a row only once it is in the journal', async () => {
    const appended: JournalLine[] = [];
    await run('reports', threeRepetitions, {
      append: (line) => appended.push(line),
      onEvent: (event) => {
        if (event.kind === 'finished') expect(appended.at(-1)).toBe(event.row);
      },
    });
    expect(appended).toHaveLength(3);
  });

  it('makes a failure a row with its reason and goes on with the next case', async () => {
    const { rows } = await run('fails-on-delta', [delta(5), caseOf()]);
    expect(rows.map((row) => [row.success, row.failure?.reason ?? null])).toEqual([
      [false, 'exited'],
      [true, null],
    ]);
    expect(rows[0]?.failure).toMatchObject({
      child: 'writer',
      message: 'The writer exited with code 9 before it reported.',
    });
    expect(rows[0]?.measurement).toBeNull();
  });

  it('starts three readers on a persistent store, and none on one that lives in the writer', async () => {
    const { lines } = await run('reports', [caseOf({ backend: 'sqlite' }), caseOf()]);
    const samples = lines.map(
      (line) => line.kind === 'row' && line.measurement?.samples_ms.cold_process_read,
    );
    expect(samples).toEqual([[1, 1, 1], []]);
  });

  it('fails the row of a case whose reader finds another state, and keeps what was measured', async () => {
    const { rows } = await run('reads-wrongly', [caseOf({ backend: 'sqlite' })]);
    expect(rows[0]).toMatchObject({
      success: false,
      failure: { reason: 'wrong_state', child: 'reader 2', difference: { field: 'content' } },
      measurement: { metrics: { write_p50_ms: 1 } },
    });
  });

  it('fails the row of a child whose report contradicts itself', async () => {
    const { lines } = await run('contradicts-itself', [caseOf()]);
    expect(lines).toMatchObject([
      { success: false, failure: { reason: 'malformed_report' }, measurement: null },
    ]);
    expect(lines.map((line) => rowSchema.parse(line))).toEqual(lines);
  });

  it('removes every store, also of failed and timed-out cases, and touches nothing else', async () => {
    await run('fails-on-delta', [delta(5), caseOf()]);
    await run('hangs', [caseOf()], { timeoutMs: 300 });
    expect(readdirSync(root)).toEqual([]);
  });

  it('keeps stores where asked, under the name of their case', async () => {
    const keepStoresDir = join(root, 'kept');
    await run('fails-on-delta', [caseOf(), delta(5)], { keepStoresDir });
    expect(readFileSync(join(keepStoresDir, caseFileName(caseOf()), 'write.txt'), 'utf8')).toBe('full');
    expect(existsSync(join(keepStoresDir, caseFileName(delta(5)), 'write.txt'))).toBe(true);
  });

  it('does not lose a row whose store could not be kept', async () => {
    const { rows, events } = await run('fails-on-delta', [caseOf()], { keepStoresDir: '/dev/null/kept' });
    expect(rows).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({
      kind: 'store_not_kept',
      problem: expect.stringContaining('ENOTDIR'),
    });
  });

  it('runs several cases at a time when asked', async () => {
    const { events } = await run('reports', threeRepetitions, { jobs: 3 });
    expect(events.slice(0, 3).map((event) => event.kind)).toEqual(['started', 'started', 'started']);
    expect(events.filter((event) => event.kind === 'finished')).toHaveLength(3);
  });
});

describe('pairs whose modes differ where no model decides', () => {
  it('are void, once, in a verdict line after the row that showed it; other cadences stand', async () => {
    const { lines } = await run('disagrees-by-mode', [delta(10), caseOf(), delta(5)]);
    expect(lines.map((line) => line.kind)).toEqual(['row', 'row', 'verdict', 'row']);
    expect(lines[2]).toMatchObject({
      rule: 'pair_digest',
      verdict: 'violated',
      snapshot_frequency: 10,
      repetition: 1,
    });
  });
});

describe('stopping', () => {
  it('finishes the case in flight and starts nothing new when asked politely', async () => {
    const stop = new AbortController();
    const { rows } = await run('reports', threeRepetitions, {
      stopStarting: stop.signal,
      onEvent: (event) => {
        if (event.kind === 'started') stop.abort();
      },
    });
    expect(rows.map((row) => caseKey(row.case))).toEqual([caseKey(caseOf())]);
  });

  it('kills the case in flight when asked at once, and writes no row for it', async () => {
    const stop = new AbortController();
    const started = performance.now();
    const { lines } = await run('hangs', threeRepetitions, {
      stopNow: stop.signal,
      onEvent: () => setTimeout(() => stop.abort(), 200),
    });
    expect(lines).toEqual([]);
    expect(performance.now() - started).toBeLessThan(5000);
    expect(readdirSync(root)).toEqual([]);
  });

  it('stops every child when the journal cannot be written, and passes the error on', async () => {
    const full = new CommandError('The journal cannot be written (ENOSPC).', 1);
    const append = () => {
      throw full;
    };
    await expect(run('reports', threeRepetitions, { append, jobs: 2 })).rejects.toBe(full);
    expect(readdirSync(root)).toEqual([]);
  });
});
