// The clients of a service under load, in a thread of their own: requests at a fixed rate, whatever the answers take. Latency counts
// from the moment at which a request was due, so that a client that waits for an answer hides nothing.

import { setTimeout as wait } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { build, encodeIntoCompressedBase64 } from 'hdr-histogram-js';

export interface LoadOrder {
  readonly url: string;
  /** How many requests can be on their way at once. */
  readonly clients: number;
  readonly ratePerSecond: number;
  readonly requests: number;
}

export interface LoadAnswer {
  /** Microseconds from when each request was due; an HDR histogram, compressed, base64 (HdrHistogram encoding V2). */
  readonly histogram: string;
  /** Milliseconds, at 50, 95, 99 and 100 percent. */
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Every distinct body. */
  readonly bodies: readonly string[];
}

/** Microseconds of an hour: nothing that a case could wait for is longer. */
const HIGHEST_US = 3_600_000_000;

async function load({ url, clients, ratePerSecond, requests }: LoadOrder): Promise<LoadAnswer> {
  const histogram = build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: HIGHEST_US,
    numberOfSignificantValueDigits: 3,
  });
  const bodies = new Set<string>();
  const startMs = performance.now();
  let next = 0;
  const client = async (): Promise<void> => {
    while (next < requests) {
      const dueMs = startMs + (next * 1000) / ratePerSecond;
      next += 1;
      const early = dueMs - performance.now();
      if (early > 0) await wait(early);
      const response = await fetch(url);
      const body = await response.text();
      histogram.recordValue(Math.max(1, Math.round((performance.now() - dueMs) * 1000)));
      if (response.status !== 200) throw new Error(`The route answered ${response.status}: ${body}`);
      bodies.add(body);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const ms = (percent: number) => histogram.getValueAtPercentile(percent) / 1000;
  return {
    histogram: encodeIntoCompressedBase64(histogram),
    p50Ms: ms(50),
    p95Ms: ms(95),
    p99Ms: ms(99),
    maxMs: histogram.maxValue / 1000,
    bodies: [...bodies],
  };
}

parentPort?.postMessage(await load(workerData as LoadOrder), []);
