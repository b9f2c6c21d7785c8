// The forecast of an agent's thread against threads that were run: an order of magnitude, which is what a plan needs.

import { describe, expect, it } from 'vitest';
import { agentWorkload } from '../../fixtures/agents/registry.js';
import { runTurns, startGateway } from '../../fixtures/gateway/gateway.support.test.js';
import { exampleProductionCase } from '../../fixtures/journals/production-rows.js';
import { storageStatistics } from '../chain/storage-statistics.js';
import { openMemory } from '../savers/memory.js';
import { expectedAgentBytes, expectedAgentMs } from './agent-shape.js';
import type { ProductionCase } from './case.js';
import { AGENT_WORKLOADS } from './names.js';

const TURNS = 12;
const FULL = exampleProductionCase({ backend: 'memory', updates: TURNS, payload_bytes: 100 });

async function storedBytes(c: ProductionCase): Promise<number> {
  const store = await openMemory();
  const mode = { mode: c.mode, snapshotFrequency: c.snapshot_frequency };
  const { service } = startGateway({ saver: store.saver, mode });
  await runTurns(service, TURNS, 0, agentWorkload(c.workload)(c));
  const stored = storageStatistics(await store.records('t'));
  return stored.checkpointPayloadBytes + stored.metadataBytes + stored.writeBytes;
}

describe.each(AGENT_WORKLOADS)('%s', (workload) => {
  it.each([
    { mode: 'full', snapshot_frequency: null },
    { mode: 'delta', snapshot_frequency: 2 },
    { mode: 'delta', snapshot_frequency: 10 },
    { mode: 'delta', snapshot_frequency: 1000 },
  ] as const)('holds within a factor of two what is forecast at %j', async (setting) => {
    const c: ProductionCase = { ...FULL, workload, ...setting };
    const ratio = expectedAgentBytes(c) / (await storedBytes(c));
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(2);
  });
});

it('takes longer with more turns, longer pages and longer walks, and less with a cache', () => {
  const delta: ProductionCase = {
    ...FULL,
    backend: 'postgres',
    mode: 'delta',
    snapshot_frequency: 100,
    updates: 200,
  };
  const ms = (change: Partial<ProductionCase>) => expectedAgentMs({ ...delta, ...change });
  expect(ms({ updates: 400 })).toBeGreaterThan(ms({}));
  expect(ms({ history_limits: [10, 100] })).toBeGreaterThan(ms({}));
  expect(ms({ snapshot_frequency: 1000 })).toBeGreaterThan(ms({}));
  expect(ms({ history_cache: 'memory' })).toBeLessThan(ms({}));
  const load = { clients: 2, rate_per_second: 5 };
  expect(ms({ transport: 'http', load }) - ms({})).toBe(10_000);
});
