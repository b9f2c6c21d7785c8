import { describe, expect, it } from 'vitest';
import { explains, isInstalled, type KnownDefect, type Sighting } from './known-defect.js';
import type { Finding } from './scenario-row.js';

const DEFECT: KnownDefect = {
  id: 'L1',
  what: 'parallel writes replay in another order',
  packages: { 'the-saver': '<=1.0.4', 'the-graph': '>=1.5.0 <=1.7.3' },
  sightings: [
    {
      scenarios: ['fan-out'],
      backends: ['sqlite'],
      modes: ['delta'],
      fromFrequency: 2,
      witnesses: ['pinned'],
      steps: /turn [23]/,
      signature: /items: order within a superstep/,
    },
  ],
  upstream: null,
  advice: 'Do not.',
};
const AT = { scenario: 'fan-out', backend: 'sqlite', wrapper: null } as const;

function finding(changes: Partial<Finding> = {}): Finding {
  return {
    cell: { mode: 'delta', snapshot_frequency: 3, reducer: 'plain' },
    step: 'turn 2',
    witness: 'pinned',
    signature: 'items: order within a superstep',
    expected: '',
    actual: '',
    evidence: [],
    ...changes,
  };
}

it('explains a place only where the packages of that place are installed', () => {
  const [sighting] = DEFECT.sightings as [Sighting];
  const defect = { ...DEFECT, sightings: [{ ...sighting, packages: { 'the-driver': '<2' } }] };
  expect(explains(defect, { 'the-driver': '1.9.0' }, AT, finding())).toBe(true);
  expect(explains(defect, { 'the-driver': '2.0.0' }, AT, finding())).toBe(false);
  expect(explains(defect, {}, AT, finding())).toBe(false);
});

it('explains exactly what it says it shows', () => {
  expect(explains(DEFECT, {}, AT, finding())).toBe(true);
});

describe('a second defect does not hide behind an entry', () => {
  it.each<[string, Partial<Finding>]>([
    ['loses an element as well', { signature: 'items: missing[a] order within a superstep' }],
    ['is in another order', { signature: 'items: order' }],
    ['differs in another channel too', { signature: 'items: order within a superstep; files: missing[f]' }],
    ['shows at another step', { step: 'turn 22' }],
    ['is seen by another witness', { witness: 'live' }],
    ['shows in full mode', { cell: { mode: 'full', snapshot_frequency: null, reducer: 'plain' } }],
    ['shows at K=1', { cell: { mode: 'delta', snapshot_frequency: 1, reducer: 'plain' } }],
  ])('that %s', (_, changes) => {
    expect(explains(DEFECT, {}, AT, finding(changes))).toBe(false);
  });

  it('in another scenario or on another backend', () => {
    expect(explains(DEFECT, {}, { ...AT, scenario: 'linear' }, finding())).toBe(false);
    expect(explains(DEFECT, {}, { ...AT, backend: 'memory' }, finding())).toBe(false);
  });
});

it('is asked for where all its packages are of the versions that have it', () => {
  expect(isInstalled(DEFECT, { 'the-saver': '1.0.4', 'the-graph': '1.7.3' })).toBe(true);
  expect(isInstalled(DEFECT, { 'the-saver': '1.0.5', 'the-graph': '1.7.3' })).toBe(false);
  expect(isInstalled(DEFECT, { 'the-saver': '1.0.4', 'the-graph': '1.4.8' })).toBe(false);
  expect(isInstalled(DEFECT, { 'the-saver': '1.0.4' })).toBe(false);
});
