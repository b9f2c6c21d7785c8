import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import { describe, expect, it } from 'vitest';
import { wrap } from '../../fixtures/faults/wrap.js';
import { generatedHistories } from '../../fixtures/histories/generated.js';
import { historyScenario } from '../../fixtures/histories/play.js';
import type { Cell } from '../record/scenario-cell.js';
import { openMemory } from '../savers/memory.js';
import type { OpenStore } from '../savers/saver.js';
import { tryHistories, type Generation } from './generate.js';
import { playCell } from './play.js';

const DELTA: Cell = { mode: 'delta', snapshot_frequency: 1000, reducer: 'messages_delta' };
const FULL: Cell = { mode: 'full', snapshot_frequency: null, reducer: 'messages_state' };

function generation(changes: Partial<Generation> = {}): Generation {
  return { seed: 1, count: 20, isKnown: () => false, openEmpty: openMemory, ...changes };
}

/** Loses what is written after an update and then a replay: a turn, an update and a replay show it, and nothing shorter. */
async function planted(): Promise<OpenStore> {
  const store = await openMemory();
  let sources: unknown[] = [];
  const saver: BaseCheckpointSaver = wrap(store.saver, {
    put(config, checkpoint, metadata, versions) {
      sources.push(metadata.source);
      return store.saver.put(config, checkpoint, metadata, versions);
    },
    async putWrites(config, writes, taskId, taskPath) {
      const update = sources.indexOf('update');
      const isLost = update !== -1 && sources.indexOf('fork', update) !== -1;
      const kept = isLost ? writes.filter(([channel]) => channel !== 'items') : writes;
      await (store.saver.putWrites as (...all: unknown[]) => Promise<void>)(config, kept, taskId, taskPath);
    },
    deleteThread(threadId) {
      sources = [];
      return store.saver.deleteThread(threadId);
    },
  });
  return { ...store, saver, second: () => ({ saver }) };
}

describe('generated histories', () => {
  it.each([FULL, DELTA])('hold on the memory saver, $mode', { timeout: 60_000 }, async (cell) => {
    const { findings, comparisons } = await tryHistories(generatedHistories, cell, generation());
    expect(findings).toEqual([]);
    expect(comparisons).toBeGreaterThan(200);
  });

  it('find a bug that three operations show, and shrink to these', { timeout: 120_000 }, async () => {
    const found = await tryHistories(
      generatedHistories,
      DELTA,
      generation({ count: 200, openEmpty: planted }),
    );
    const file = found.findings[0]?.evidence.at(-1) ?? '';
    const history = JSON.parse(/\{.*\}/.exec(file)?.[0] ?? '{}') as { operations: { op: string }[] };
    expect(history.operations.map(({ op }) => op).toSorted()).toEqual(['replay', 'turn', 'update']);
    expect(found.findings[0]?.evidence.join('\n')).toMatch(/history \d+ of seed 1, shrunk:\nimport /);
  });

  it('tell what showed once and never again', { timeout: 180_000 }, async () => {
    let calls = 0;
    const losesOnce = async (): Promise<OpenStore> => {
      const store = await openMemory();
      const saver = wrap(store.saver, {
        async putWrites(...given) {
          calls += 1;
          if (calls !== 90)
            await (store.saver.putWrites as (...all: typeof given) => Promise<void>)(...given);
        },
      });
      return { ...store, saver, second: () => ({ saver }) };
    };
    const { findings } = await tryHistories(generatedHistories, DELTA, generation({ openEmpty: losesOnce }));
    expect(findings.length).toBeGreaterThan(0);
    expect(findings[0]?.evidence.join('\n')).toContain('shrunk; it did not show again:');
  });

  it('end with what breaks the trial itself', async () => {
    const openEmpty = async (): Promise<OpenStore> => {
      throw new Error('no room for a store');
    };
    await expect(tryHistories(generatedHistories, FULL, generation({ openEmpty }))).rejects.toThrow(
      'no room',
    );
  });

  it('are the same for a seed, and others for another', async () => {
    const comparisons = async (seed: number) =>
      (await tryHistories(generatedHistories, FULL, generation({ seed, count: 5 }))).comparisons;
    expect(await comparisons(3)).toBe(await comparisons(3));
    expect(await comparisons(3)).not.toBe(await comparisons(4));
  });

  it('go on over what is known, and tell each kind of it once', { timeout: 60_000 }, async () => {
    const known = await tryHistories(
      generatedHistories,
      DELTA,
      generation({ count: 40, openEmpty: planted, isKnown: ({ signature }) => signature.includes('items') }),
    );
    expect(known.findings.length).toBeGreaterThan(0);
    const kinds = known.findings.map(({ witness, signature }) => `${witness} ${signature}`);
    expect(new Set(kinds).size).toBe(kinds.length);
  });

  it('are played from the file that is printed', async () => {
    const history = { inFull: 0, operations: [{ op: 'update', at: 'head' }] } as const;
    expect((await playCell(historyScenario(history), DELTA, await openMemory(), 1)).findings).toEqual([]);
    expect(generatedHistories.fileOf(history).at(-1)).toBe(
      'export const found = historyScenario({"inFull":0,"operations":[{"op":"update","at":"head"}]});',
    );
  });
});
