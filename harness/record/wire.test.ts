import { describe, expect, it } from 'vitest';
import { digestWire, wireForm } from './wire.js';

const place = (id: string) => ({
  thread_id: 't',
  checkpoint_ns: '',
  checkpoint_id: id,
  checkpoint_map: null,
});

function state(id: string, parent: string | null, changes: object = {}) {
  return {
    values: { messages: [{ type: 'human', id: 'm1', content: 'hello' }] },
    next: ['tools'],
    tasks: [{ id: `${id}-task`, name: 'tools', path: ['__pregel_pull', 'tools'], interrupts: [] }],
    metadata: { source: 'loop', step: 3, parents: {}, run_durations: { r1: 12 } },
    created_at: '2026-01-01T00:00:00.000Z',
    checkpoint: place(id),
    parent_checkpoint: parent === null ? null : place(parent),
    ...changes,
  };
}

describe('bodies have the same digest', () => {
  const history = [state('c', 'b'), state('b', 'a'), state('a', null)];

  it.each([
    ['ids of checkpoints and tasks', [state('z', 'y'), state('y', 'x'), state('x', null)]],
    ['times', history.map((entry) => ({ ...entry, created_at: '2027-01-01T00:00:00.000Z' }))],
    [
      'how long runs took',
      history.map((entry) => ({ ...entry, metadata: { ...entry.metadata, run_durations: { r1: 99 } } })),
    ],
    [
      'how delta mode marks and counts',
      history.map((entry) => ({
        ...entry,
        metadata: {
          ...entry.metadata,
          deltaproof_channel_mode: 'delta',
          counters_since_delta_snapshot: { messages: [1, 3] },
          delta_writes_versioned: true,
        },
      })),
    ],
    ['the order of fields', history.map((entry) => Object.fromEntries(Object.entries(entry).toReversed()))],
  ])('whatever %s are', (_, other) => {
    expect(digestWire(other)).toBe(digestWire(history));
  });
});

describe('bodies have another digest', () => {
  const right = state('b', 'a');

  it.each([
    ['a value', { values: { messages: [{ type: 'human', id: 'm1', content: 'hullo' }] } }],
    ['a message id', { values: { messages: [{ type: 'human', id: 'm2', content: 'hello' }] } }],
    ['what is next', { next: [] }],
    ['a task', { tasks: [] }],
    ['the name of a task', { tasks: [{ ...right.tasks[0], name: 'model_request' }] }],
    ['a field of a task', { tasks: [{ ...right.tasks[0], error: 'failed' }] }],
    ['the step', { metadata: { ...right.metadata, step: 4 } }],
    ['the source', { metadata: { ...right.metadata, source: 'update' } }],
    ['which runs took time', { metadata: { ...right.metadata, run_durations: { r2: 12 } } }],
    ['any other metadata', { metadata: { ...right.metadata, more: 1 } }],
    ['a parent that is none', { parent_checkpoint: null }],
    ['a parent that is the checkpoint itself', { parent_checkpoint: place('b') }],
    ['the thread', { checkpoint: { ...place('b'), thread_id: 'u' } }],
    ['a field that nobody expects', { more: null }],
  ])('when %s differs', (_, change) => {
    expect(digestWire({ ...right, ...change })).not.toBe(digestWire(right));
  });

  it('when entries of a history change places, or one is missing', () => {
    const history = [state('c', 'b'), state('b', 'a')];
    expect(digestWire(history.toReversed())).not.toBe(digestWire(history));
    expect(digestWire(history.slice(0, 1))).not.toBe(digestWire(history));
  });

  it('when an id that stood for two checkpoints stands for one', () => {
    const history = [state('c', 'b'), state('b', 'a')];
    expect(digestWire([state('c', 'b'), state('c', 'a')])).not.toBe(digestWire(history));
  });
});

it('names ids by their first appearance, a checkpoint before its parent', () => {
  expect(wireForm([state('c', 'b'), state('b', null)])).toMatchObject([
    {
      checkpoint: { checkpoint_id: 'checkpoint-1' },
      parent_checkpoint: { checkpoint_id: 'checkpoint-2' },
      tasks: [{ id: 'task-1' }],
    },
    { checkpoint: { checkpoint_id: 'checkpoint-2' }, parent_checkpoint: null, tasks: [{ id: 'task-2' }] },
  ]);
});

it('passes what is no state as it is', () => {
  expect(wireForm(null)).toBeNull();
  expect(wireForm({ detail: 'not found' })).toEqual({ detail: 'not found' });
});
