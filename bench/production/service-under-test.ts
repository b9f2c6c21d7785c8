// The service of a case in this process: its store behind the meter, the checkpoint runtime, the routes, and a way to ask them.

import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import { AccessorGraphs } from '../../fixtures/gateway/accessor-graphs.js';
import { AgentService } from '../../fixtures/gateway/agent-service.js';
import { gateway } from '../../fixtures/gateway/app.js';
import type { Assistant } from '../../fixtures/gateway/assistant.js';
import { scriptedAgent, type AgentParts } from '../../fixtures/agents/scripted-agent.js';
import type { ProductionCase } from '../../harness/record/case.js';
import { CheckpointRuntime } from '../../harness/runtime/checkpoint-runtime.js';
import { CheckedWalkSaver } from '../../harness/runtime/checked-walk-saver.js';
import type { CachedHistorySaver } from '../../harness/runtime/history-cache/cached-history-saver.js';
import type { HistoryStats } from '../../harness/runtime/history-cache/history-stats.js';
import type { Wrap } from '../../harness/runtime/wrappers.js';
import { Meter } from '../../harness/savers/meter.js';
import type { OpenStore } from '../../harness/savers/saver.js';
import { openRoutes, type Routes } from './routes.js';

/** The measured thread, one that is there to be asked before it, and one that is written under load. */
export const THREAD = 'deltaproof';
export const OTHER_THREAD = 'deltaproof-other';
export const LOADED_THREAD = 'deltaproof-loaded';

/** What is put to the test: the parts of an agent, how to open the store of its case, and what stands before its saver. */
export interface Subject {
  readonly parts: AgentParts;
  readonly open: () => Promise<OpenStore>;
  /** Null for nothing. */
  readonly wrap: Wrap | null;
}

export interface ServiceUnderTest {
  readonly store: OpenStore;
  readonly meter: Meter;
  readonly service: AgentService;
  readonly accessorGraphs: AccessorGraphs;
  readonly assistant: Assistant;
  readonly routes: Routes;
  /** Of the history cache; null without one. */
  cacheStats(): HistoryStats | null;
  close(): Promise<void>;
}

export async function openService(
  c: ProductionCase,
  { parts, open, wrap }: Subject,
): Promise<ServiceUnderTest> {
  const store = await open();
  const meter = new Meter();
  // Inside of the runtime, so that its own reads count; the walk is checked below it, so that it counts as one.
  const walking: BaseCheckpointSaver = wrap?.(store.saver) ?? new CheckedWalkSaver(store.saver);
  const runtime = new CheckpointRuntime({
    mode: c.mode,
    snapshotFrequency: c.snapshot_frequency,
    saver: meter.meterSaver(walking),
  });
  const accessorGraphs = new AccessorGraphs(runtime, () => c.accessor_graph_max);
  const service = new AgentService({
    runtime,
    accessorGraphs,
    durationCheckpoints: c.duration_checkpoints,
  });
  const assistant: Assistant = {
    id: c.workload,
    config: {},
    build: (options) => scriptedAgent(parts, options),
  };
  for (const thread of [THREAD, OTHER_THREAD]) service.bind(thread, assistant);
  const routes = await openRoutes(gateway(service), c.transport);
  return {
    store,
    meter,
    service,
    accessorGraphs,
    assistant,
    routes,
    cacheStats: () => (walking as Partial<CachedHistorySaver>).stats?.() ?? null,
    async close() {
      await routes.close();
      await store.close();
    },
  };
}
