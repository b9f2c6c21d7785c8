// A case of the production benchmark in this process: what it measures, and what makes it refuse its numbers.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StateSnapshot } from '@langchain/langgraph';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { expectedHistory } from '../../fixtures/agents/expected-history.js';
import { agentWorkload } from '../../fixtures/agents/registry.js';
import { LIES } from '../../fixtures/faults/registry.js';
import { AgentService } from '../../fixtures/gateway/agent-service.js';
import { exampleProductionCase } from '../../fixtures/journals/production-rows.js';
import { PeakRss } from '../../harness/process/usage.js';
import type { ProductionCase } from '../../harness/record/case.js';
import { AGENT_WORKLOADS, type Backend } from '../../harness/record/names.js';
import { productionMeasurementSchema } from '../../harness/record/production-measurement.js';
import { WRAPPER_OPENERS, type Wrap } from '../../harness/runtime/wrappers.js';
import { GraphStateAccessor } from '../../harness/runtime/state-accessor.js';
import { releaseChannelMode } from '../../harness/runtime/runtime.support.test.js';
import { storeOpener } from '../../harness/savers/saver.js';
import { measureReader, measureWriter } from './measure.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deltaproof-production-'));
  releaseChannelMode();
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

const TURNS = 6;
const FULL = exampleProductionCase({
  updates: TURNS,
  payload_bytes: 40,
  history_limits: [3, 12],
  read_repetitions: 2,
});
const DELTA: ProductionCase = { ...FULL, mode: 'delta', snapshot_frequency: 5 };

const EXPECTED = { threadId: 't', turns: TURNS, runId: String };

async function subjectOf(c: ProductionCase, wrap: Wrap | null = null) {
  const open = await storeOpener(c.backend);
  return {
    parts: agentWorkload(c.workload)(c),
    open: () => open({ dir: folder, server: null }),
    wrap,
  };
}

async function write(c: ProductionCase, wrap: Wrap | null = null) {
  return measureWriter(c, await subjectOf(c, wrap), new PeakRss());
}

describe.each(AGENT_WORKLOADS)('%s', (workload) => {
  it.each([
    ['memory', FULL],
    ['memory', DELTA],
    ['sqlite', FULL],
    ['sqlite', DELTA],
  ] as const)('on %s is measured, and is what its script says (case %#)', async (backend: Backend, base) => {
    const c = { ...base, backend, workload };
    const { failure, measurement } = await write(c);
    expect(failure).toBeNull();
    expect(productionMeasurementSchema.parse(measurement)).toEqual(measurement);
    const { expected, live, warm } = measurement.materialized_sha256;
    expect([live, warm]).toEqual([expected, expected]);
    expect(measurement.wire_sha256.map((body) => body.writer === body.expected)).toEqual([true, true, true]);
    expect(measurement.mode_verdict).toBe('holds');
    expect(measurement.samples_ms.turn).toHaveLength(TURNS - 2);
    for (const { cold, warm_samples_ms: samples } of measurement.reads)
      expect([cold.length, samples.length]).toEqual([5, c.read_repetitions]);
    expect(measurement.metrics).toMatchObject({
      checkpoint_rows: expectedHistory(agentWorkload(workload)(c), EXPECTED).length,
      turn_p50_ms: expect.any(Number) as number,
      history_3_warm_p50_ms: expect.any(Number) as number,
      history_12_cold_saver_ms: expect.any(Number) as number,
    });
    const walks = measurement.metrics.turn_walk_total_ms ?? 0;
    expect(base.mode === 'full' ? walks === 0 : walks > 0).toBe(true);
  });
});

it('is read by a fresh opening of the store with the same bodies', async () => {
  const { measurement } = await write(DELTA);
  releaseChannelMode();
  const { failure, state, bodies, metrics } = await measureReader(DELTA, await subjectOf(DELTA), false);
  expect(failure).toBeNull();
  expect(state).toEqual(measurement.materialized_sha256.expected);
  expect(bodies.map(({ sha256 }) => sha256)).toEqual(measurement.wire_sha256.map((body) => body.expected));
  expect(metrics).toHaveProperty('process_state_cold_ms');
});

it.each([
  [3, 0],
  [4, 1],
])(
  'compiles nothing for %i assistants where 3 fit, and anew for each read with one more',
  async (assistants, builds) => {
    const { failure, measurement } = await write({
      ...FULL,
      backend: 'memory',
      assistants,
      accessor_graph_max: 3,
    });
    expect([failure, measurement.metrics.assistant_read_builds]).toEqual([null, builds]);
  },
);

it('is the same over HTTP', async () => {
  const memory: ProductionCase = { ...FULL, backend: 'memory' };
  const { failure, measurement } = await write({ ...memory, transport: 'http' });
  expect(failure).toBeNull();
  expect(measurement.wire_sha256).toEqual((await write(memory)).measurement.wire_sha256);
});

it('tells what a history cache did, and what it held at each cold read', async () => {
  const wrap = await WRAPPER_OPENERS['history-cache']({ redisUrl: null });
  const { failure, measurement } = await write({ ...DELTA, history_cache: 'memory' }, wrap);
  expect(failure).toBeNull();
  expect(measurement.history_cache?.hits).toBeGreaterThan(0);
  const before = measurement.reads[0]?.cold.map((read) => read.history_cache_before?.entries ?? 0) ?? [];
  expect(before[0]).toBeGreaterThan(0);
});

it('stores no checkpoint with durations where that is turned off', async () => {
  const { failure, measurement } = await write({ ...FULL, duration_checkpoints: false });
  expect(failure).toBeNull();
  expect(measurement.metrics.checkpoint_rows).toBe(TURNS * 7);
});

function withoutParent(state: StateSnapshot) {
  const { parentConfig: _, ...others } = state;
  return others;
}

describe('a saver that lies is refused', () => {
  it.each([
    ['writes-to-ancestor', 'wrong_state', /^The state read live differs in messages/],
    ['skips-generation', 'wrong_state', /^The state read live differs in messages/],
    // The state is right, and what the routes say of it is not.
    ['loses-metadata', 'wrong_state', /^The body of state differs at metadata\.run_durations/],
    ['duplicates-writes', 'wrong_state', /^The body of history_12 differs at \d+\.tasks/],
    ['drops-snapshots', 'mode_not_in_effect', /^Delta mode stored no snapshot of messages/],
  ] as const)('%s as %s', async (liar, reason, message) => {
    const c: ProductionCase = { ...DELTA, backend: 'memory' };
    const subject = await subjectOf(c);
    const open = async () => {
      const store = await subject.open();
      return { ...store, saver: LIES[liar](store.saver) };
    };
    const { failure } = await measureWriter(c, { ...subject, open }, new PeakRss());
    expect(failure).toMatchObject({ reason, message: expect.stringMatching(message) as string });
  });
});

describe('a run is refused', () => {
  it.each([
    [
      'a value',
      (state: StateSnapshot) => ({ ...state, values: { ...state.values, todos: ['x'] } as object }),
    ],
    ['what is next', (state: StateSnapshot) => ({ ...state, next: ['tools'] })],
    ['the step', (state: StateSnapshot) => ({ ...state, metadata: { ...state.metadata, step: 99 } })],
    ['a parent', withoutParent],
    [
      'metadata that nobody expects',
      (state: StateSnapshot) => ({ ...state, metadata: { ...state.metadata, extra: 1 } }),
    ],
  ])('when the body has %s that is another', async (_, change) => {
    const get: GraphStateAccessor['get'] = Reflect.get(GraphStateAccessor.prototype, 'get');
    vi.spyOn(GraphStateAccessor.prototype, 'get').mockImplementation(async function (
      this: GraphStateAccessor,
      config,
    ) {
      return change(await get.call(this, config)) as StateSnapshot;
    });
    const { failure, measurement } = await write(FULL);
    expect(failure).toMatchObject({ reason: 'wrong_state' });
    expect(failure?.message).toMatch(/^The body of state differs at /);
    expect(measurement.wire_sha256.some((body) => body.writer !== body.expected)).toBe(true);
  });

  it('when a cold read compiles no graph', async () => {
    const accessorOf: AgentService['accessorOf'] = Reflect.get(AgentService.prototype, 'accessorOf');
    const kept = new Map<string, ReturnType<typeof accessorOf>>();
    vi.spyOn(AgentService.prototype, 'accessorOf').mockImplementation(function (this: AgentService, thread) {
      const known = kept.get(thread) ?? accessorOf.call(this, thread);
      kept.set(thread, known);
      return known;
    });
    await expect(write(FULL)).rejects.toThrow('A read of state compiled 0 accessor graphs where it is 1.');
  });
});
