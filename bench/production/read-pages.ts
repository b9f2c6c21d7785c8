// The read phase: every page cold, with the accessor graphs forgotten, then warm. What the saver did is told of each.

import { timeReads } from '../../harness/timing/time-reads.js';
import type { ProductionCase } from '../../harness/record/case.js';
import { percentile, roundMs } from '../../harness/record/percentile.js';
import {
  pageName,
  type Page,
  type ProductionMeasurement,
} from '../../harness/record/production-measurement.js';
import type { ReadMetric } from '../../harness/record/metrics.js';
import { COLD_SAMPLES } from '../../harness/record/sampling.js';
import { mergedMs } from '../../harness/record/spans.js';
import type { Meter } from '../../harness/savers/meter.js';
import { pagesOf, type BodyCheck } from './check-bodies.js';
import { OTHER_THREAD, THREAD, type ServiceUnderTest } from './service-under-test.js';

type RouteReads = ProductionMeasurement['reads'][number];
type ColdRead = RouteReads['cold'][number];

/** @throws Error when a cold read does not compile exactly one graph, or a warm one compiles any. */
export async function readPages(
  c: ProductionCase,
  under: ServiceUnderTest,
  check: BodyCheck,
  process: RouteReads['process'],
): Promise<RouteReads[]> {
  // What the first request of a process pays is not the thread's.
  await under.routes.ask({ route: 'state' }, OTHER_THREAD);
  const reads: RouteReads[] = [];
  for (const page of pagesOf(c)) {
    const cold: ColdRead[] = [];
    for (let sample = 0; sample < COLD_SAMPLES; sample += 1) cold.push(await readCold(page, under, check));
    reads.push({ page, process, cold, ...(await readWarm(page, c.read_repetitions, under, check)) });
  }
  return reads;
}

async function readCold(page: Page, under: ServiceUnderTest, check: BodyCheck): Promise<ColdRead> {
  const { accessorGraphs, meter } = under;
  accessorGraphs.clear();
  const before = accessorGraphs.builds;
  const cache = under.cacheStats();
  meter.take();
  const startMs = meter.now();
  const body = await under.routes.ask(page, THREAD);
  const elapsedMs = meter.now() - startMs;
  requireBuilds(accessorGraphs.builds - before, 1, page);
  check.takeBody(page, body);
  return {
    elapsed_ms: roundMs(elapsedMs),
    ...saverTimes(meter),
    history_cache_before: cache && { entries: cache.entries, hits: cache.hits, misses: cache.misses },
  };
}

async function readWarm(
  page: Page,
  repetitions: number,
  under: ServiceUnderTest,
  check: BodyCheck,
): Promise<Pick<RouteReads, 'warm_samples_ms' | 'warm_saver_busy_ms' | 'warm_walk_ms'>> {
  const { accessorGraphs, meter } = under;
  const before = accessorGraphs.builds;
  const saver: ReturnType<typeof saverTimes>[] = [];
  meter.take();
  const samples = await timeReads(
    () => under.routes.ask(page, THREAD),
    (body) => {
      saver.push(saverTimes(meter));
      check.takeBody(page, body as string);
    },
    repetitions,
  );
  requireBuilds(accessorGraphs.builds - before, 0, page);
  const median = (part: keyof ReturnType<typeof saverTimes>) =>
    percentile(
      saver.slice(-repetitions).map((times) => times[part]),
      50,
    ) ?? 0;
  return {
    warm_samples_ms: samples,
    warm_saver_busy_ms: median('saver_busy_ms'),
    warm_walk_ms: median('walk_ms'),
  };
}

/** Since the meter was last taken. */
function saverTimes(meter: Meter): Pick<ColdRead, 'saver_busy_ms' | 'walk_ms'> {
  const { spans } = meter.take();
  return {
    saver_busy_ms: roundMs(mergedMs(Object.values(spans).flat())),
    walk_ms: roundMs(mergedMs(spans.get_delta_channel_history)),
  };
}

function requireBuilds(builds: number, due: number, page: Page): void {
  if (builds === due) return;
  throw new Error(`A read of ${pageName(page)} compiled ${builds} accessor graphs where it is ${due}.`);
}

/** The metrics of these reads, by page and process. */
export function readMetrics(reads: readonly RouteReads[]): Partial<Record<ReadMetric, number | null>> {
  return Object.fromEntries(
    reads.flatMap(({ page, process, cold, warm_samples_ms: warm, warm_saver_busy_ms: warmSaver }) => {
      const prefix = `${process === 'fresh' ? 'process_' : ''}${pageName(page)}`;
      const ofCold = (part: 'elapsed_ms' | 'saver_busy_ms') =>
        percentile(
          cold.map((read) => read[part]),
          50,
        );
      return [
        [`${prefix}_cold_ms`, ofCold('elapsed_ms')],
        [`${prefix}_warm_p50_ms`, percentile(warm, 50)],
        [`${prefix}_warm_p95_ms`, percentile(warm, 95)],
        [`${prefix}_cold_saver_ms`, ofCold('saver_busy_ms')],
        [`${prefix}_warm_saver_ms`, warmSaver],
      ];
    }),
  );
}
