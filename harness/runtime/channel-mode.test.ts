import { afterEach, beforeEach, expect, it } from 'vitest';
import { deltaSign, freezeChannelMode, frozenChannelMode, marked, MODE_MARKER } from './channel-mode.js';
import { CheckpointModeReconfigurationError } from './errors.js';
import { DELTA, FULL, releaseChannelMode } from './runtime.support.test.js';

beforeEach(releaseChannelMode);
afterEach(releaseChannelMode);

const METADATA = { source: 'loop', step: 1, parents: {} } as const;

it('has no mode until it is set, and keeps the first one', () => {
  expect(frozenChannelMode()).toBeNull();
  expect(freezeChannelMode({ mode: 'delta', snapshotFrequency: 10 })).toEqual({
    mode: 'delta',
    snapshotFrequency: 10,
  });
  expect(freezeChannelMode({ mode: 'delta', snapshotFrequency: 10 })).toBe(frozenChannelMode());
});

it.each([
  ['another mode', 'full', null],
  ['another cadence', 'delta', 11],
] as const)('refuses %s', (_, mode, snapshotFrequency) => {
  freezeChannelMode({ mode: 'delta', snapshotFrequency: 10 });
  let refused: unknown;
  try {
    freezeChannelMode({ mode, snapshotFrequency });
  } catch (error) {
    refused = error;
  }
  expect(refused).toBeInstanceOf(CheckpointModeReconfigurationError);
  expect(refused).toMatchObject({
    name: 'CheckpointModeReconfigurationError',
    frozen: { mode: 'delta', snapshotFrequency: 10 },
    asked: { mode, snapshotFrequency },
  });
  expect(frozenChannelMode()).toEqual({ mode: 'delta', snapshotFrequency: 10 });
});

it('has no cadence in full mode', () => {
  expect(freezeChannelMode({ mode: 'full', snapshotFrequency: 10 })).toEqual({
    mode: 'full',
    snapshotFrequency: null,
  });
  expect(freezeChannelMode({ mode: 'full' })).toBe(frozenChannelMode());
});

it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, null])(
  'refuses a cadence of %s and stays without a mode',
  (snapshotFrequency) => {
    expect(() => freezeChannelMode({ mode: 'delta', snapshotFrequency })).toThrow(RangeError);
    expect(frozenChannelMode()).toBeNull();
  },
);

it('marks what is written in delta mode, and never with the cadence', () => {
  expect(marked(METADATA, DELTA)).toEqual({ ...METADATA, [MODE_MARKER]: 'delta' });
  expect(marked(METADATA, FULL)).toBe(METADATA);
});

it.each([
  ['its marker', { ...METADATA, [MODE_MARKER]: 'delta' }, 'marker'],
  ["LangGraph's counters", { ...METADATA, counters_since_delta_snapshot: { items: [1, 2] } }, 'counters'],
  ['nothing', METADATA, null],
  ['counters of nothing', { ...METADATA, counters_since_delta_snapshot: {} }, null],
  ['no metadata', undefined, null],
] as const)('tells delta mode by %s', (_, metadata, sign) => {
  expect(deltaSign(metadata as never)).toBe(sign);
});

it.each([
  ['Delta', 5, 'one of full, delta, and this is the text "Delta"'],
  ['delta', '5', 'a whole number of updates from 1 on, and this is the text "5"'],
])('says what is wrong with %s and %s, and stays without a mode', (mode, snapshotFrequency, problem) => {
  expect(() => freezeChannelMode({ mode, snapshotFrequency } as never)).toThrow(problem);
  expect(frozenChannelMode()).toBeNull();
});
