import { describe, expect, it } from 'vitest';
import { chosenMetrics, isMetricName, metricDefinition, METRIC_NAMES, METRICS } from './metrics.js';

it.each(METRIC_NAMES)('%s ends in its unit, where it has one', (name) => {
  const { unit } = METRICS[name];
  const ending = /_(ms|bytes|rows)$/.exec(name)?.[1] ?? null;
  expect(ending).toBe(unit === 'ms' || unit === 'bytes' || unit === 'rows' ? unit : null);
});

describe('a read through a route', () => {
  it.each([
    ['state_cold_ms', 'state through the route: the accessor graph compiled anew, median'],
    ['history_100_warm_p95_ms', 'history of 100 through the route: nothing compiled, 95th percentile'],
    [
      'process_state_warm_saver_ms',
      'state through the route: the saver in a warm read, median, in a process that has just started',
    ],
  ] as const)('is named %s', (name, label) => {
    expect(isMetricName(name)).toBe(true);
    expect(metricDefinition(name)).toMatchObject({ unit: 'ms', label });
  });

  it.each([
    'state_ms',
    'state_warm_ms',
    'history_cold_ms',
    'history_0_cold_ms',
    'history_010_cold_ms',
    'x_state_cold_ms',
    'toString',
  ])('is not named %s', (name) => {
    expect(isMetricName(name)).toBe(false);
  });
});

describe('the metrics of a summary', () => {
  const found = ['logical_bytes', 'history_10_cold_ms', 'state_cold_ms', 'history_10_cold_ms', 'nonsense'];

  it('are those of the experiment, and each read that was found once', () => {
    const all = chosenMetrics('all', 'production', found);
    expect(all).toEqual(expect.arrayContaining(['turn_p50_ms', 'logical_bytes', 'history_10_cold_ms']));
    expect(new Set(all).size).toBe(all.length);
    expect(all).not.toContain('write_p50_ms');
    expect(all).not.toContain('nonsense');
    expect(chosenMetrics('all', 'channels', [])).not.toContain('turn_p50_ms');
  });

  it('are the headline ones by default, and otherwise those that are asked for', () => {
    expect(chosenMetrics('headline', 'production', found)).toEqual(
      expect.arrayContaining(['turn_p50_ms', 'checkpoint_write_p50_ms', 'logical_bytes', 'state_cold_ms']),
    );
    expect(chosenMetrics('headline', 'production', found)).not.toContain('history_10_cold_ms');
    expect(chosenMetrics(['write_p50_ms'], 'production', found)).toEqual(['write_p50_ms']);
  });
});
