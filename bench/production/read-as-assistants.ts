// Reads of the state as one assistant after the other: what the cap of the compiled graphs means for a service of several.

import type { Assistant } from '../../fixtures/gateway/assistant.js';
import type { ProductionCase } from '../../harness/record/case.js';
import { percentile, roundMs } from '../../harness/record/percentile.js';
import type { NamedMetrics } from '../../harness/record/metrics.js';
import type { ProductionMeasurement } from '../../harness/record/production-measurement.js';
import type { BodyCheck } from './check-bodies.js';
import { THREAD, type ServiceUnderTest } from './service-under-test.js';

const STATE = { route: 'state' } as const;

type AssistantReads = ProductionMeasurement['assistant_reads'];

/** Every assistant once, which does not count, then round after round until there are as many reads as of a page, or a whole round. */
export async function readAsAssistants(
  c: ProductionCase,
  under: ServiceUnderTest,
  check: BodyCheck,
): Promise<AssistantReads> {
  const assistants = Array.from({ length: c.assistants }, (_, index): Assistant => ({
    ...under.assistant,
    id: `${under.assistant.id}-${index}`,
  }));
  const { service, routes, meter, accessorGraphs } = under;
  const round = async (): Promise<number[]> => {
    const samples: number[] = [];
    for (const assistant of assistants) {
      service.bind(THREAD, assistant);
      const startMs = meter.now();
      const body = await routes.ask(STATE, THREAD);
      samples.push(roundMs(meter.now() - startMs));
      check.takeBody(STATE, body);
    }
    return samples;
  };
  accessorGraphs.clear();
  await round();
  const before = accessorGraphs.builds;
  const samples: number[] = [];
  while (samples.length < c.read_repetitions) samples.push(...(await round()));
  const builds = accessorGraphs.builds - before;
  service.bind(THREAD, under.assistant);
  return { samples_ms: samples, builds };
}

export function assistantMetrics({
  samples_ms: samples,
  builds,
}: AssistantReads): NamedMetrics<
  'assistant_read_p50_ms' | 'assistant_read_p95_ms' | 'assistant_read_builds'
> {
  return {
    assistant_read_p50_ms: percentile(samples, 50),
    assistant_read_p95_ms: percentile(samples, 95),
    assistant_read_builds: builds / samples.length,
  };
}
