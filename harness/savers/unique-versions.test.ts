import { NO_MODULES } from '../record/own-modules.js';
import { MemorySaver, type BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import { describe, expect, it } from 'vitest';
import { SCENARIO_SCRIPTS } from '../../fixtures/scenarios/registry.js';
import type { Cell } from '../record/scenario-cell.js';
import type { StateScenarioName } from '../record/scenarios.js';
import { playCell } from '../verify/play.js';
import type { StateScenario } from '../verify/scenario.js';
import { HAS_NO_SERVER, usePostgres } from './postgres.support.test.js';
import { UniqueVersionsSaver } from './unique-versions.js';

const next = (saver: UniqueVersionsSaver, current?: string | number): string | number =>
  saver.getNextVersion(current);

describe('versions', () => {
  it('are texts that sort as they were counted, over all digits', () => {
    const saver = new UniqueVersionsSaver(new MemorySaver());
    const versions: (string | number)[] = [];
    for (let count = 0; count < 1100; count += 1) versions.push(next(saver, versions.at(-1)));
    expect(versions.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(versions);
    for (const version of versions) expect(version).toMatch(/^\d{32}\.\d{14}$/);
    expect(Number.parseInt(String(versions.at(-1)), 10)).toBe(1100);
  });

  it('are not the same in two branches, of one process or of two', () => {
    const savers = [1, 2].map(() => new UniqueVersionsSaver(new MemorySaver()));
    const base = next(savers[0] as UniqueVersionsSaver);
    const branches = savers.flatMap((saver) => Array.from({ length: 500 }, () => next(saver, base)));
    expect(new Set(branches).size).toBe(1000);
    expect(new Set(branches.map((version) => Number.parseInt(String(version), 10)))).toEqual(new Set([2]));
  });

  it('go on as integers where a thread was begun with them', () => {
    const saver = new UniqueVersionsSaver(new MemorySaver());
    expect([next(saver, 1), next(saver, 41)]).toEqual([2, 42]);
  });
});

describe.skipIf(HAS_NO_SERVER)('two branches of a thread on Postgres', () => {
  const here = usePostgres();

  async function played(
    name: StateScenarioName,
    cell: Cell,
    wrap: (saver: BaseCheckpointSaver) => BaseCheckpointSaver,
  ) {
    const scenario = (await SCENARIO_SCRIPTS[name]({ modules: NO_MODULES, seed: 1 })) as StateScenario;
    const { store } = here();
    const { findings } = await playCell(scenario, cell, { ...store, saver: wrap(store.saver) }, 1);
    return [...new Set(findings.map(({ step, signature }) => `${step}: ${signature}`))].toSorted();
  }

  const FULL: Cell = { mode: 'full', snapshot_frequency: null, reducer: 'plain' };
  const delta = (k: number): Cell => ({ mode: 'delta', snapshot_frequency: k, reducer: 'plain' });
  const FORK_INPUT_LOST = ['fork, on: items: missing[f1] extra[t3]', 'fork: items: missing[f1] extra[t3]'];

  it.each([
    ['fork-input', FULL, FORK_INPUT_LOST],
    ['fork-input', delta(1), FORK_INPUT_LOST],
    ['fork-replay', FULL, ['replay: items: missing[last, run 3] extra[last, run 2]']],
  ] as const)('keep their own values in %s only behind it (case %#)', async (name, cell, lost) => {
    expect(await played(name, cell, (saver) => saver)).toEqual(expect.arrayContaining([...lost]));
    await here().db.query('TRUNCATE checkpoints, checkpoint_blobs, checkpoint_writes');
    expect(await played(name, cell, (saver) => new UniqueVersionsSaver(saver))).toEqual([]);
  });

  it.each([delta(2), delta(1000)])('keep their own values in delta mode (case %#)', async (cell) => {
    for (const name of ['fork-input', 'fork-replay'] as const) {
      expect(await played(name, cell, (saver) => new UniqueVersionsSaver(saver))).toEqual([]);
      await here().db.query('TRUNCATE checkpoints, checkpoint_blobs, checkpoint_writes');
    }
  });
});
