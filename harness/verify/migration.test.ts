import { expect, it } from 'vitest';
import { migrationFindings } from './migration.js';
import type { Live } from './played.js';

const FULL = { mode: 'full', snapshot_frequency: null, reducer: 'messages_state' } as const;
const DELTA = { mode: 'delta', snapshot_frequency: 3, reducer: 'messages_delta' } as const;

const state = (...ids: string[]): Live => ({
  state: { messages: ids.map((id) => ({ id })) },
  parallel: [['p', 'q']],
});
const throws: Live = { throws: 'throws[Error: no]', isRefusal: false };

function seen(full: Record<string, Live>, delta: Record<string, Live>) {
  const played = [
    { cell: FULL, lives: new Map(Object.entries(full)) },
    { cell: { ...DELTA, reducer: 'messages_state' } as const, lives: new Map([['a', state('x')]]) },
    { cell: DELTA, lives: new Map(Object.entries(delta)) },
  ];
  return migrationFindings({}, played).map(({ cell, step, signature }) => [cell?.reducer, step, signature]);
}

it('finds nothing where delta returns what full returns, step by step, or both throw', () => {
  expect(seen({ a: state('m'), b: throws }, { a: state('m'), b: throws })).toEqual([]);
});

it('names what differs, in the cells of messagesDeltaReducer alone', () => {
  expect(seen({ a: state('m', 'n') }, { a: state('n', 'm') })).toEqual([
    ['messages_delta', 'a', 'messages: order'],
  ]);
});

it('tells order within a superstep from every other', () => {
  expect(seen({ a: state('p', 'q') }, { a: state('q', 'p') })).toEqual([
    ['messages_delta', 'a', 'messages: order within a superstep'],
  ]);
});

it('says which of the two throws', () => {
  expect(seen({ a: throws, b: state() }, { a: state(), b: throws })).toEqual([
    ['messages_delta', 'a', 'full alone throws[Error: no]'],
    ['messages_delta', 'b', 'delta alone throws[Error: no]'],
  ]);
});

it('leaves out steps that full did not come to, and says nothing without a full cell', () => {
  expect(seen({}, { a: state('m') })).toEqual([]);
  expect(migrationFindings({}, [{ cell: DELTA, lives: new Map([['a', state('m')]]) }])).toEqual([]);
});

it('tells where full and delta of a graph that nothing is known of do not agree, its random ids aside', () => {
  const live = (id: string, text: string) =>
    new Map([['turn', { state: { messages: [{ id, text }] }, parallel: [] }]]);
  const disagreements = (other: string) =>
    migrationFindings({ inputs: [] }, [
      { cell: { mode: 'full', snapshot_frequency: null, reducer: 'plain' }, lives: live('a', 'same') },
      { cell: { mode: 'delta', snapshot_frequency: 3, reducer: 'plain' }, lives: live('b', other) },
    ]).map(({ step, signature }) => [step, signature]);
  expect(disagreements('same')).toEqual([]);
  expect(disagreements('another')).toEqual([['turn, full and delta', 'messages: changed[id-1]']]);
});
