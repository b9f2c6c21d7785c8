// A saver and a graph of one's own, as a user starts them: files in a folder of the user's, without packages beside them.

import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { linesOf, rowsOf, start, useFolder } from './program.support.test.js';

const EXAMPLES = fileURLToPath(new URL('../fixtures/examples/', import.meta.url));
const TIMEOUT_MS = 120_000;
const UPDATES = 6;
const SWEEP = `channels --updates ${UPDATES} --snapshot-frequencies 2 --repetitions 1 --quiet`;

const folder = useFolder();
const deltaproof = (line: string) => start(folder.path, line.split(' '));
beforeEach(() => {
  for (const file of ['file-saver.mjs', 'chat-graph.mjs'])
    copyFileSync(join(EXAMPLES, file), join(folder.path, file));
});

/** The example graph with some of its text replaced. */
function changedGraph(text: string | RegExp, by: string): string {
  const source = readFileSync(join(EXAMPLES, 'chat-graph.mjs'), 'utf8');
  const changed = source.replace(text, by);
  if (changed === source) throw new Error(`The example has no ${String(text)}.`);
  writeFileSync(join(folder.path, 'changed.mjs'), changed);
  return './changed.mjs';
}

describe("a saver of one's own", () => {
  it('is measured in both modes and in fresh processes', { timeout: TIMEOUT_MS }, async () => {
    const { exitCode, stdout } = await deltaproof(
      `${SWEEP} --saver ./file-saver.mjs --output ${folder.journal}`,
    );
    expect(exitCode).toBe(0);
    expect(stdout).toContain('custom-files append N=6 p=128 words seed 1');
    const rows = rowsOf(folder.journal);
    expect(rows.map(({ case: c }) => [c.backend, c.custom_saver, c.mode])).toEqual([
      ['custom', { name: 'files', persistent: true }, 'full'],
      ['custom', { name: 'files', persistent: true }, 'delta'],
    ]);
    for (const { measurement, provenance } of rows) {
      expect(measurement).toMatchObject({
        mode_verdict: 'holds',
        storage_stats_error: null,
        oracle: 'model',
      });
      expect(measurement?.metrics).toMatchObject({
        checkpoint_rows: 3 * UPDATES,
        write_rows: 3 * UPDATES,
        logical_bytes: null,
      });
      expect(measurement?.samples_ms.cold_process_read).toHaveLength(3);
      expect(measurement?.unavailable['metrics.logical_bytes']).toMatch(/^not_reported: /);
      expect(Object.keys(provenance.own_modules)).toEqual(['saver files']);
    }
    expect(rows[1]?.measurement?.metrics.snapshot_count).toBe(UPDATES / 2);
    expect(readFileSync(folder.journal, 'utf8')).not.toContain(folder.path);
  });

  it(
    'is put through the scenarios of others, and shows what they show of LangGraph',
    { timeout: TIMEOUT_MS },
    async () => {
      const { exitCode, stdout } = await deltaproof(
        `verify --saver ./file-saver.mjs --quiet --output ${folder.journal} --scenarios fan-out,write-order,idle-channel --snapshot-frequencies 3`,
      );
      expect(stdout).toContain('2 hold, 1 known, 0 violated, 0 undecided');
      expect(exitCode).toBe(0);
    },
  );

  it('is looked at by the public conformance tests', { timeout: TIMEOUT_MS }, async () => {
    await deltaproof(`verify --saver ./file-saver.mjs --scenarios conformance --output ${folder.journal}`);
    const row = linesOf(folder.journal).find((line) => line.kind === 'scenario');
    expect(row?.cells[0]?.comparisons).toBeGreaterThan(100);
    // What it does not do, as its file says: one row for each version of a channel, and rows of old releases.
    expect(row?.findings.map(({ step }) => step.replace(/^.* > /, ''))).toEqual([
      'should only store channel_values that have changed (based on newVersions)',
      'should migrate pending sends',
      'should migrate pending sends',
      'should migrate pending sends',
    ]);
  });

  it('that is not persistent is not read in a fresh process', { timeout: TIMEOUT_MS }, async () => {
    writeFileSync(
      join(folder.path, 'in-memory.mjs'),
      `import { MemorySaver } from '@langchain/langgraph-checkpoint';
       export default { name: 'in-memory', persistent: false, open: () => ({ saver: new MemorySaver() }) };`,
    );
    const { exitCode } = await deltaproof(`${SWEEP} --saver ./in-memory.mjs --output ${folder.journal}`);
    expect(exitCode).toBe(0);
    const [row] = rowsOf(folder.journal);
    expect(row?.measurement?.samples_ms).toMatchObject({ cold_process_read: [], cold_reopened_read: [] });
    expect(row?.measurement?.unavailable['metrics.cold_process_read_ms']).toMatch(/^not_applicable: /);
  });
});

describe("a graph of one's own", () => {
  it(
    'is measured against what it returned live, its random ids renamed',
    { timeout: TIMEOUT_MS },
    async () => {
      const { exitCode, stdout } = await deltaproof(
        `${SWEEP} --graph ./chat-graph.mjs --backends memory,sqlite --output ${folder.journal}`,
      );
      expect(exitCode).toBe(0);
      expect(stdout).toContain('sqlite custom-chat N=6');
      const rows = rowsOf(folder.journal);
      expect(rows).toHaveLength(4);
      for (const { measurement } of rows) {
        expect(measurement).toMatchObject({ oracle: 'live', mode_verdict: 'holds', renamed_ids: UPDATES });
        expect(measurement?.metrics.framework_ms).toBeNull();
      }
      const digests = rows.map(({ measurement }) => measurement?.materialized_sha256.live?.sha256);
      expect(new Set(digests).size).toBe(1);
      const delta = rows.filter(({ case: c }) => c.mode === 'delta');
      expect(delta.map(({ measurement }) => measurement?.pinned_reads.length)).toEqual([1, 1]);
    },
  );

  it('is put through the scenarios that it can carry', { timeout: TIMEOUT_MS }, async () => {
    const { exitCode, stdout } = await deltaproof(
      `verify --graph ./chat-graph.mjs --backends sqlite --quiet --output ${folder.journal} --snapshot-frequencies 3`,
    );
    expect(exitCode).toBe(0);
    expect(stdout).toContain('2 hold, 0 known, 0 violated, 0 undecided');
    const rows = linesOf(folder.journal).filter((line) => line.kind === 'scenario');
    expect(
      rows.map(({ scenario, custom_graph: graph }) => `${scenario} ${String(graph?.name)}`).toSorted(),
    ).toEqual(['own-graph chat', 'own-reducers chat']);
    expect(rows.flatMap(({ cells }) => cells).every(({ comparisons }) => comparisons > 0)).toBe(true);
  });

  it('that ignores its mode fails as mode_not_in_effect', { timeout: TIMEOUT_MS }, async () => {
    const graph = changedGraph('{ mode, snapshotFrequency }))', "{ mode: 'full' }))");
    const { exitCode, stderr } = await deltaproof(
      `channels --updates 2 --snapshot-frequencies 2 --repetitions 1 --backends memory --graph ${graph} --output ${folder.journal}`,
    );
    expect(exitCode).toBe(6);
    expect(stderr).toContain('The graph that chat builds for delta mode has no delta channel.');
    const failed = rowsOf(folder.journal).filter(({ success }) => !success);
    expect(failed.map(({ failure }) => failure?.reason)).toEqual(['mode_not_in_effect']);
  });

  it('whose full and delta do not agree voids the pair', { timeout: TIMEOUT_MS }, async () => {
    const graph = changedGraph('`You said: ${messages.at(-1).text}`', '`You said in ${mode}`');
    const { exitCode } = await deltaproof(
      `${SWEEP} --backends memory --graph ${graph} --output ${folder.journal}`,
    );
    expect(exitCode).toBe(4);
    expect(linesOf(folder.journal).filter(({ kind }) => kind === 'verdict')).toHaveLength(1);
  });

  it('whose reducer changes its input is told so', { timeout: TIMEOUT_MS }, async () => {
    writeFileSync(
      join(folder.path, 'pushes.mjs'),
      `import { DeltaValue, END, ReducedValue, START, StateGraph, StateSchema } from '@langchain/langgraph';
       import { z } from 'zod';
       const schema = z.array(z.string()).default(() => []);
       const reduce = (list, more) => (list.push(...more), list);
       const channel = (mode, snapshotFrequency) => mode === 'full'
         ? new ReducedValue(schema, { inputSchema: schema, reducer: (list, more) => [...list, ...more] })
         : new DeltaValue(schema, { inputSchema: schema, snapshotFrequency, reducer: (list, writes) => writes.reduce(reduce, list) });
       export const build = ({ saver, mode, snapshotFrequency }) =>
         new StateGraph(new StateSchema({ items: channel(mode, snapshotFrequency) }))
           .addNode('noop', () => ({})).addEdge(START, 'noop').addEdge('noop', END).compile({ checkpointer: saver });
       export const input = (turn) => ({ items: ['turn ' + turn] });`,
    );
    const { exitCode, stdout } = await deltaproof(
      `verify --graph ./pushes.mjs --backends memory --scenarios own-reducers --quiet`,
    );
    expect(exitCode).toBe(4);
    expect(stdout).toContain('items: the input is not changed');
  });
});

describe('a module', () => {
  const write = (source: string): void => writeFileSync(join(folder.path, 'own.mjs'), source);

  it.each([
    [
      '--saver',
      'export const saver = 1;',
      'own.mjs has no default export; export default defineSaver({ name',
    ],
    [
      '--saver',
      'process.exit(3)',
      'The child that loads your modules exited with code 3 before it reported.',
    ],
  ])('for %s with %j is refused in one sentence', { timeout: TIMEOUT_MS }, async (option, source, said) => {
    write(source);
    const { exitCode, stderr, stdout } = await deltaproof(`channels ${option} ./own.mjs`);
    expect(stderr).toContain(`deltaproof: ${said}`);
    expect(stderr.trim().split('\n')).toHaveLength(2);
    expect(stderr).not.toContain(folder.path);
    expect([exitCode, stdout]).toEqual([2, '']);
  });

  it.each([
    ['--saver ./nowhere.mjs', /cannot be read: ENOENT/],
    ['--graph ./own.ts', /is no JavaScript module; it accepts a file that ends in \.mjs or \.js/],
    ['--backends custom', /--backends custom needs --saver FILE\./],
    ['--workloads custom', /--workloads custom needs --graph FILE\./],
    ['--saver ./file-saver.mjs --backends memory', /add custom or leave --saver out/],
  ])('is asked for by %s only where it makes sense', async (args, said) => {
    const { exitCode, stderr } = await deltaproof(`channels ${args}`);
    expect([exitCode, said.test(stderr)]).toEqual([2, true]);
  });

  it('that returns no saver fails its cases, and says why', { timeout: TIMEOUT_MS }, async () => {
    write('export default { name: "none", persistent: true, open: () => ({}) };');
    const { exitCode, stderr } = await deltaproof(
      `channels --saver ./own.mjs --updates 2 --snapshot-frequencies 1 --repetitions 1 --modes full --output ${folder.journal}`,
    );
    expect(exitCode).toBe(6);
    expect(stderr).toContain('It said: TypeError: open of none returned no saver: { saver, close } is due.');
  });

  it('is another one when its file has changed', { timeout: TIMEOUT_MS }, async () => {
    const args = `${SWEEP} --backends memory --graph ./chat-graph.mjs --modes full`;
    expect((await deltaproof(`${args} --output ${folder.journal}`)).exitCode).toBe(0);
    changedGraph("'answer', END", "'answer',  END");
    copyFileSync(join(folder.path, 'changed.mjs'), join(folder.path, 'chat-graph.mjs'));
    const { exitCode, stderr } = await deltaproof(`${args} --output ${folder.journal} --resume`);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('code of the graph chat');
  });
});
