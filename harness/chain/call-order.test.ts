import { describe, expect, it } from 'vitest';
import { callOrderViolations, type StoreCall } from './call-order.js';

function call(changes: Partial<StoreCall> & Pick<StoreCall, 'began' | 'ended'>): StoreCall {
  return {
    method: 'put',
    threadId: 't',
    namespace: '',
    checkpointId: 'c1',
    parentId: null,
    channels: [],
    ...changes,
  };
}

const parent = call({ began: 1, ended: 2 });
const writes = call({ method: 'put_writes', channels: ['items'], began: 3, ended: 4 });
const child = call({ checkpointId: 'c2', parentId: 'c1', began: 5, ended: 6 });

function kinds(calls: readonly StoreCall[], deltaChannels = ['items']) {
  return callOrderViolations(calls, deltaChannels).map(({ kind, call: { checkpointId }, other }) => [
    kind,
    checkpointId,
    other.method,
  ]);
}

describe('the order of calls', () => {
  it('is right where parent, writes and child become durable one after the other', () => {
    expect(kinds([parent, writes, child])).toEqual([]);
  });

  it('is wrong where a checkpoint is durable before its parent', () => {
    expect(kinds([{ ...parent, ended: 7 }, writes, child])).toEqual([['before its parent', 'c2', 'put']]);
    expect(kinds([{ ...parent, ended: null }, child])).toEqual([['before its parent', 'c2', 'put']]);
  });

  it('is wrong where a checkpoint is durable before the writes that it is rebuilt from', () => {
    for (const ended of [7, null]) {
      expect(kinds([parent, { ...writes, ended }, child])).toEqual([
        ['before its writes', 'c2', 'put_writes'],
      ]);
    }
  });

  it('lets writes end later that the child does not need: it stores the value, or no channel is rebuilt', () => {
    const late = { ...writes, ended: 7 };
    expect(kinds([parent, late, { ...child, channels: ['items'] }])).toEqual([]);
    expect(kinds([parent, late, child], [])).toEqual([]);
    expect(kinds([parent, { ...late, channels: ['branch:to:a'] }, child])).toEqual([]);
  });

  it('is wrong where a write begins on a checkpoint that has a durable child', () => {
    expect(kinds([parent, child, { ...writes, began: 7, ended: 8 }])).toEqual([
      ['after a child', 'c1', 'put'],
    ]);
  });

  it('asks nothing of a child that was never durable, nor of other threads and namespaces', () => {
    expect(kinds([parent, { ...writes, ended: 9 }, { ...child, ended: null }])).toEqual([]);
    for (const other of [{ threadId: 'u' }, { namespace: 'n' }]) {
      expect(kinds([parent, { ...writes, ended: 9, ...other }, child])).toEqual([]);
    }
  });
});
