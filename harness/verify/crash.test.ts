import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { killedAnywhere } from '../../fixtures/scenarios/killed.js';
import type { Finding } from '../record/scenario-row.js';
import { openMemory } from '../savers/memory.js';
import type { OpenStore } from '../savers/saver.js';
import { CrashLedger } from './crash-ledger.js';
import { lookAfterKills } from './crash.js';

const CELL = { mode: 'delta', snapshot_frequency: null, reducer: 'plain' } as const;
const THREAD = { configurable: { thread_id: 'main' } };

let folder: string;
let ledger: CrashLedger;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'crash-'));
  ledger = new CrashLedger(join(folder, 'acknowledged.jsonl'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What a start finds on a store that a writer has left so. */
async function found(store: OpenStore) {
  const findings: Finding[] = [];
  await lookAfterKills({
    scenario: killedAnywhere,
    cell: CELL,
    store,
    ledger,
    seed: 1,
    onFinding: (finding) => findings.push(finding),
  });
  return findings.map(({ step, witness, signature }) => [step, witness, signature]);
}

/** A turn that a writer ran; what it told of it is up to the test. */
async function run(store: OpenStore, turn: string): Promise<void> {
  const graph = killedAnywhere.build({
    saver: store.saver,
    mode: 'delta',
    snapshotFrequency: 10,
    reducer: 'plain',
  });
  await graph.invoke(killedAnywhere.input(turn), THREAD);
}

function began(turn: string): void {
  ledger.append({ event: 'began', what: 'turn', supersteps: killedAnywhere.supersteps(turn) });
}

describe('a start after a kill', () => {
  it('finds all that was acknowledged, and goes on', async () => {
    const store = await openMemory();
    began('t1');
    await run(store, 't1');
    ledger.append({ event: 'acknowledged' });
    expect(await found(store)).toEqual([]);
    expect(ledger.owed).toMatchObject({ turns: 2, starts: 2, inFlight: [] });
    expect(ledger.owed.elements).toHaveLength(10);
  });

  it('lets a turn be there whole that was not acknowledged, and not be there', async () => {
    const store = await openMemory();
    began('t1');
    await run(store, 't1');
    expect(await found(store)).toEqual([]);
    began('t3');
    expect(await found(store)).toEqual([]);
  });

  it('misses an acknowledged turn', async () => {
    const store = await openMemory();
    for (const turn of ['t1', 't2']) {
      began(turn);
      if (turn === 't1') await run(store, turn);
      ledger.append({ event: 'acknowledged' });
    }
    expect(await found(store)).toContainEqual([
      'start 1',
      'fresh_pinned',
      'items: missing[t2/in,t2/first,t2/a,t2/b,t2/last]',
    ]);
  });

  it('does not take what nobody has begun for a turn', async () => {
    const store = await openMemory();
    began('t1');
    await run(store, 't1');
    ledger.append({ event: 'acknowledged' });
    await run(store, 't7');
    expect(await found(store)).toContainEqual([
      'start 1',
      'fresh_pinned',
      'items: extra[t7/in,t7/first,t7/a,t7/b,t7/last]',
    ]);
  });

  it('does not count a line of the ledger that was cut short', () => {
    expect(ledger.owed.turns).toBe(0);
    began('t1');
    const owed = ledger.owed;
    appendFileSync(join(folder, 'acknowledged.jsonl'), '{"event":"acknowl');
    const next = new CrashLedger(join(folder, 'acknowledged.jsonl'));
    expect(next.owed).toEqual(owed);
    expect(owed.turns).toBe(1);
    next.append({ event: 'acknowledged' });
    expect(new CrashLedger(join(folder, 'acknowledged.jsonl')).owed).toEqual(next.owed);
    expect(next.owed.elements).toHaveLength(5);
  });
});
