// The service under load: readers over HTTP at a fixed rate of arrival, beside a thread that is written.

import { Worker } from 'node:worker_threads';
import type { AgentParts } from '../../fixtures/agents/scripted-agent.js';
import type { ProductionCase } from '../../harness/record/case.js';
import type { NamedMetrics } from '../../harness/record/metrics.js';
import { percentile, roundMs } from '../../harness/record/percentile.js';
import type { ProductionMeasurement } from '../../harness/record/production-measurement.js';
import { LOAD_SECONDS } from '../../harness/record/sampling.js';
import { runId, type BodyCheck } from './check-bodies.js';
import type { LoadAnswer, LoadOrder } from './load-clients.js';
import { LOADED_THREAD, THREAD, type ServiceUnderTest } from './service-under-test.js';

const STATE = { route: 'state' } as const;

type Load = NonNullable<ProductionMeasurement['load']>;

export interface LoadTaken {
  readonly record: Load;
  readonly metrics: NamedMetrics<LoadMetric>;
}

type LoadMetric = 'load_turn_p50_ms' | `load_read_${'p50' | 'p95' | 'p99' | 'max'}_ms`;

/** Null where the case has no load. @throws Error where a request is not answered. */
export async function underLoad(
  c: ProductionCase,
  parts: AgentParts,
  { routes, service, assistant }: ServiceUnderTest,
  check: BodyCheck,
): Promise<LoadTaken | null> {
  if (c.load === undefined || routes.url === null) return null;
  const { clients, rate_per_second: ratePerSecond } = c.load;
  const order: LoadOrder = {
    url: `${routes.url}/threads/${THREAD}/state`,
    clients,
    ratePerSecond,
    requests: ratePerSecond * LOAD_SECONDS,
  };
  const worker = new Worker(new URL('./load-clients.js', import.meta.url), { workerData: order });
  const clientsEnd: { answer: LoadAnswer | null; problem: unknown } = { answer: null, problem: null };
  worker.once('message', (answer: LoadAnswer) => {
    clientsEnd.answer = answer;
  });
  worker.once('error', (problem) => {
    clientsEnd.problem = problem;
  });
  const exited = new Promise((resolve) => worker.once('exit', resolve));
  const turns: number[] = [];
  while (clientsEnd.answer === null && clientsEnd.problem === null) {
    const startMs = performance.now();
    const input = { messages: [parts.script(turns.length).question.message()] };
    await service.run({ id: runId(turns.length), threadId: LOADED_THREAD, assistant, input });
    turns.push(performance.now() - startMs);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await exited;
  if (clientsEnd.answer === null) throw clientsEnd.problem;
  const { histogram, bodies, p50Ms, p95Ms, p99Ms, maxMs } = clientsEnd.answer;
  for (const body of bodies) check.takeBody(STATE, body);
  return {
    record: { requests: order.requests, latency_hdr_us: histogram, turns: turns.length },
    metrics: {
      load_turn_p50_ms: percentile(turns.map(roundMs), 50),
      load_read_p50_ms: p50Ms,
      load_read_p95_ms: p95Ms,
      load_read_p99_ms: p99Ms,
      load_read_max_ms: maxMs,
    },
  };
}
