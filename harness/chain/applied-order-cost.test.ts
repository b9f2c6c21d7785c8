import { v5 } from 'uuid';
import { beforeEach, expect, it, vi } from 'vitest';
import { appliedOrder } from './applied-order.js';
import type { Superstep } from './task-path.js';

vi.mock('uuid', async (original) => {
  const { v5: real } = await original<{ v5: typeof v5 }>();
  return { v5: vi.fn(real) };
});
beforeEach(() => void vi.mocked(v5).mockClear());

const NODES = Array.from({ length: 100 }, (_, index) => `n${index}`);
const SUPERSTEP: Superstep = {
  namespace: '',
  checkpointId: '1f0b7ad0-0000-6000-8000-000000000000',
  parentId: null,
  step: 4,
  channels: NODES.map((node) => `branch:to:${node}`),
  nodes: NODES,
  sends: [],
  source: 'loop',
  childSource: null,
};
const write = (taskId: string, channel = 'items') => ({ taskId, channel });

it('looks for no id that is hashed under a checkpoint which was not stored', () => {
  const rest = (index: number) => `a3fc-5821-881c-${String(index).padStart(12, '0')}`;
  const first = NODES.map((_, index) => write(`00000006-${rest(index)}`));
  const late = NODES.map((_, index) => write(`ffffffff-0000-0007-881c-${String(index).padStart(12, '0')}`));
  appliedOrder(SUPERSTEP, [...first, ...late]);
  expect(v5).not.toHaveBeenCalled();
});

it('looks for no id of a task that wrote no channel', () => {
  appliedOrder(SUPERSTEP, [write('one', '__resume__'), write('two', '__return__')]);
  expect(v5).not.toHaveBeenCalled();
});
