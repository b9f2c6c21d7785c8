import { describe, expect, it } from 'vitest';
import type { UpdateCost } from './attribution.js';
import { busyMetrics } from './write-metrics.js';

function busy(...samplesMs: number[]): UpdateCost[] {
  return samplesMs.map((writeBusyMs) => ({ writeBusyMs }) as UpdateCost);
}

describe('updates that stored a snapshot', () => {
  it('are told from the others: mean, median and the ratio of each', () => {
    expect(busyMetrics(busy(1, 2, 30, 1, 3, 50), [false, false, true, false, false, true])).toEqual({
      write_busy_p50_ms: 2,
      snapshot_write_spike: 25,
      snapshot_update_count: 2,
      snapshot_update_mean_ms: 40,
      snapshot_update_p50_ms: 30,
      plain_update_mean_ms: 1.75,
      plain_update_p50_ms: 1,
      snapshot_update_mean_ratio: 40 / 1.75,
      snapshot_update_p50_ratio: 30,
    });
  });

  it.each([
    ['no update', [false, false]],
    ['every update', [true, true]],
  ])('give no ratio when %s stored one', (_, stored) => {
    expect(busyMetrics(busy(1, 2), stored)).toMatchObject({
      snapshot_update_mean_ratio: null,
      snapshot_update_p50_ratio: null,
    });
  });

  it('are unknown where the rows are not understood, and the spike is still told', () => {
    const metrics = busyMetrics(busy(1, 4), null);
    expect(metrics).toMatchObject({ snapshot_update_count: null, plain_update_p50_ms: null });
    expect(metrics.snapshot_write_spike).toBe(4);
  });
});

describe('the snapshot write spike', () => {
  it('is the 99th of 100 samples over the 50th, by nearest rank', () => {
    const samples = Array.from({ length: 100 }, (_, index) => index + 1);
    expect(busyMetrics(busy(...samples), null).snapshot_write_spike).toBe(99 / 50);
  });

  it('is the slowest over the median below 100 updates', () => {
    const samples = Array.from({ length: 99 }, (_, index) => index + 1);
    expect(busyMetrics(busy(...samples), null).snapshot_write_spike).toBe(99 / 50);
    expect(busyMetrics(busy(...samples.slice(0, 10)), null).snapshot_write_spike).toBe(10 / 5);
  });
});
