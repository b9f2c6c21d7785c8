// The stage itself, with a scenario of two turns on LangGraph's own memory saver, honest and lying.

import { describe, expect, it } from 'vitest';
import { dropsThirdPutWrites } from '../../fixtures/faults/drops-third-put-writes.js';
import { itemsGraph, NOOP } from '../../fixtures/scenarios/graph.js';
import { items } from '../../fixtures/scenarios/list-model.js';
import type { Cell } from '../record/scenario-cell.js';
import { openStore } from '../savers/saver.js';
import { playCell } from './play.js';
import { rereadCell } from './reread.js';
import type { Stage, StateScenario } from './scenario.js';

const CELL: Cell = { mode: 'delta', snapshot_frequency: 1000, reducer: 'plain' };

function scenario(run: (stage: Stage) => Promise<void>): StateScenario {
  return { name: 'linear', kind: 'state', channels: ['items'], graphs: { main: itemsGraph(NOOP) }, run };
}

const twoTurns = scenario(async (stage) => {
  await stage.turn({ step: 'one', input: { items: ['a'] }, expected: items('a').expected });
  await stage.turn({ step: 'two', input: { items: ['b'] }, expected: items('a', 'b').expected });
});

async function played(script: StateScenario, lie = (saver: Stage['saver']) => saver) {
  const store = await openStore('memory', { dir: '', server: null });
  return playCell(script, CELL, { ...store, saver: lie(store.saver) }, 1);
}

const seen = (findings: Awaited<ReturnType<typeof played>>['findings']) =>
  findings.map(({ step, witness, signature }) => [step, witness, signature]);

describe('a scenario that is played', () => {
  it('compares every step live and as head, and finds nothing on an honest saver', async () => {
    const { findings, comparisons, steps } = await played(twoTurns);
    expect({ findings: seen(findings), comparisons }).toEqual({ findings: [], comparisons: 5 });
    expect(steps.map(({ step, head }) => [step, head])).toEqual([
      ['one', true],
      ['two', true],
    ]);
  });

  it('shows a write that begins on a checkpoint with a durable child', async () => {
    const { findings } = await played({
      ...twoTurns,
      run: async (stage) => {
        const first = await stage.turn({
          step: 'one',
          input: { items: ['a'] },
          expected: items('a').expected,
        });
        await stage.turn({ step: 'two', input: { items: ['b'] }, expected: items('a', 'b').expected });
        const at = { configurable: { thread_id: 'main', checkpoint_ns: '', checkpoint_id: first } };
        await stage.saver.putWrites(at, [['notes', 'late']], 'a task');
      },
    });
    expect(seen(findings)).toEqual([['calls', 'calls', 'put_writes after a child']]);
    expect(findings[0]?.evidence.join('\n')).toMatch(/^put_writes .*, channels notes, from \d+ to \d+\nput /);
  });

  it('is read again by checkpoint id and unpinned', async () => {
    const store = await openStore('memory', { dir: '', server: null });
    const { steps } = await playCell(twoTurns, CELL, store, 1);
    const again = await rereadCell(twoTurns, CELL, store, steps, ['pinned', 'last']);
    expect({ findings: seen(again.findings), comparisons: again.comparisons }).toEqual({
      findings: [],
      comparisons: 3,
    });
    const nothing = { channels: { items: [] }, parallel: [] };
    const wrong = steps.map((step) => ({ ...step, expected: nothing, expectedAsHead: nothing }));
    const findings = await rereadCell(twoTurns, CELL, store, wrong, ['pinned', 'last']);
    expect(seen(findings.findings)).toEqual([
      ['one', 'pinned', 'items: extra[a]'],
      ['two', 'pinned', 'items: extra[a,b]'],
      ['two', 'last', 'items: extra[a,b]'],
    ]);
  });

  it('shows what a saver lost, with the rows that prove it', async () => {
    const { findings } = await played(twoTurns, dropsThirdPutWrites);
    expect(findings.length).toBeGreaterThan(0);
    expect(findings[0]?.evidence[0]).toMatch(/^checkpoint [0-9a-f-]{36}, parent [0-9a-f-]{36}, \d+ bytes/);
  });

  it('notes what the script did not expect, and goes on no further', async () => {
    const throws = scenario(async (stage) => {
      await stage.turn({ step: 'one', input: { nothing: true }, throws: true, expected: items().expected });
      throw new Error('unreachable');
    });
    expect(seen((await played(throws)).findings)).toEqual([['one', 'live', 'does not throw']]);
    const breaks = scenario(() => Promise.reject(new RangeError('no such turn')));
    expect(seen((await played(breaks)).findings)).toEqual([
      ['script', 'live', 'throws[RangeError: no such turn]'],
    ]);
  });

  it('shows the rows of the thread that differs, not of another', async () => {
    const wrong = scenario(async (stage) => {
      await stage.turn({ step: 'right', input: { items: ['a'] }, expected: items('a').expected });
      const step = { step: 'wrong', thread: 'other', input: { items: ['b'] } };
      await stage.turn({ ...step, expected: items('c').expected });
    });
    const { findings, steps } = await played(wrong);
    const head = steps.find(({ step }) => step === 'wrong')?.checkpointId ?? 'none';
    expect(findings[0]?.evidence[0]).toContain(`checkpoint ${head},`);
  });

  it('ends a scene that is broken and not the others', async () => {
    const scenes = scenario(async (stage) => {
      for (const thread of ['first', 'second']) {
        await stage.scene(async () => {
          const throws = thread === 'first';
          const input = { items: [thread] };
          await stage.turn({ step: thread, thread, input, throws, expected: items(thread).expected });
          await stage.check({ step: `${thread}, on`, thread, expected: items(thread).expected });
        });
      }
    });
    const { findings, steps } = await played(scenes);
    expect(seen(findings)).toEqual([['first', 'live', 'does not throw']]);
    expect(steps.map(({ step }) => step)).toEqual(['second', 'second, on']);
  });
});
