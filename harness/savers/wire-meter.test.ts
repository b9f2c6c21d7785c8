import { EventEmitter } from 'node:events';
import type { Pool } from 'pg';
import { describe, expect, it } from 'vitest';
import { exampleCase } from '../../fixtures/journals/rows.js';
import {
  checkpointId,
  configOf,
  checkpointOf,
  metadataOf,
  putCheckpoint,
  putWrites,
  tupleOf,
} from '../../fixtures/scenarios/rows-by-hand.js';
import { append } from '../../fixtures/workloads/append.js';
import { HAS_NO_SERVER, THREAD, usePostgres } from './postgres.support.test.js';
import { WireMeter } from './wire-meter.js';

const here = usePostgres();

/** Statements and round trips of `call`. */
async function traffic(
  call: () => Promise<unknown>,
): Promise<readonly [statements: number, roundTrips: number]> {
  const { server } = here().store;
  server?.takeTraffic();
  await call();
  const { statements = -1, roundTrips = -1 } = server?.takeTraffic() ?? {};
  return [statements, roundTrips];
}

describe.skipIf(HAS_NO_SERVER)('the saver asks its server', () => {
  it('for put: BEGIN, an insert for each blob, one for the checkpoint, COMMIT', async () => {
    const { saver } = here().store;
    expect(await traffic(() => putCheckpoint(saver, 1, null))).toEqual([3, 3]);
    expect(await traffic(() => putCheckpoint(saver, 2, 1, { a: 1 }))).toEqual([4, 4]);
    const versions = { a: 3, b: 3, gone: 3 };
    const checkpoint = { ...checkpointOf(checkpointId(3), { a: 1, b: 2 }), channel_versions: versions };
    const put = () => saver.put(configOf(checkpointId(2)), checkpoint, metadataOf(3), versions);
    expect(await traffic(put)).toEqual([6, 6]);
  });

  it('for putWrites: BEGIN, an insert for each write, COMMIT', async () => {
    const { saver } = here().store;
    await putCheckpoint(saver, 1, null);
    const put = (...writes: string[]) => putWrites(saver, configOf(checkpointId(1)), writes, 1);
    expect(await traffic(() => put('a'))).toEqual([3, 3]);
    expect(await traffic(() => put('a', 'b', 'c'))).toEqual([5, 5]);
  });

  it('for getTuple: once, whether something is there or not', async () => {
    const { saver } = here().store;
    expect(await traffic(() => saver.getTuple(configOf(null)))).toEqual([1, 1]);
    await putCheckpoint(saver, 1, null, { a: 'x'.repeat(1 << 20) });
    await putWrites(saver, configOf(checkpointId(1)), ['a', 'b'], 1);
    expect(await traffic(() => tupleOf(saver, 1))).toEqual([1, 1]);
  });

  it('for deleteThread: BEGIN, a deletion in each of the three tables, COMMIT', async () => {
    const { saver } = here().store;
    expect(await traffic(() => saver.deleteThread('thread'))).toEqual([5, 5]);
  });

  it('in vain: what fails is a round trip and no statement', async () => {
    const { store } = here();
    const at = configOf(checkpointId(1), { thread: '\0' });
    const counted = await traffic(() => putWrites(store.saver, at, ['a'], 1).catch(() => {}));
    // BEGIN, the insert that the server refuses, ROLLBACK.
    expect(counted).toEqual([2, 3]);
  });

  it('over all connections of its pool at a time', async () => {
    const { saver } = here().store;
    const reads = Array.from({ length: 5 }, () => saver.getTuple(configOf(null)));
    await Promise.all(reads);
    expect(await traffic(() => Promise.all(reads.map(() => saver.getTuple(configOf(null)))))).toEqual([5, 5]);
  });

  it.each([
    ['full', null, [22, 22, 22, 22, 22], [1, 1, 1, 1, 1]],
    // The walk asks for every ancestor, and an update has three.
    ['delta', 2, [22, 25, 22, 25, 22], [4, 1, 4, 1, 4]],
    ['delta', 1000, [22, 25, 28, 31, 34], [4, 7, 10, 13, 16]],
  ])(
    'for an update of START -> noop in %s mode (K=%s), and for a read after it',
    async (mode, k, updates, reads) => {
      const { saver } = here().store;
      const modes = { mode, snapshot_frequency: k } as {
        mode: 'full' | 'delta';
        snapshot_frequency: number | null;
      };
      const c = exampleCase({ ...modes, updates: 5, seed: 1 });
      const graph = append.buildGraph(c, { saver, mode: modes.mode, snapshotFrequency: k });
      const config = { configurable: { thread_id: THREAD } };
      const counted: (readonly [number, number])[] = [];
      const read: (readonly [number, number])[] = [];
      for (let update = 0; update < 5; update += 1) {
        counted.push(await traffic(() => graph.invoke(append.input(c, update), config)));
        read.push(await traffic(() => graph.getState(config)));
      }
      expect({ updates: counted, reads: read }).toEqual({
        updates: updates.map((count) => [count, count]),
        reads: reads.map((count) => [count, count]),
      });
    },
  );
});

describe('the time of a round trip', () => {
  /** A pool whose one connection does what the test says. */
  function metered() {
    let nowMs = 0;
    const pool = new EventEmitter();
    const stream = Object.assign(new EventEmitter(), { write: (text: string) => text !== '' });
    const connection = Object.assign(new EventEmitter(), { stream });
    const meter = new WireMeter(pool as unknown as Pool, () => nowMs);
    pool.emit('connect', { connection });
    return {
      meter,
      after: (ms: number) => void (nowMs += ms),
      send: () => stream.write('query'),
      receive: () => stream.emit('data', Buffer.from('rows')),
      complete: () => connection.emit('commandComplete'),
      ready: () => connection.emit('readyForQuery'),
    };
  }

  it("is the server's until the first byte of the answer, and the parser's from there", () => {
    const wire = metered();
    wire.send();
    wire.after(1);
    // The rest of the same question.
    wire.send();
    wire.after(4);
    wire.receive();
    wire.after(2);
    wire.receive();
    wire.after(3);
    wire.complete();
    wire.ready();
    wire.after(100);
    expect(wire.meter.take()).toEqual({ statements: 1, roundTrips: 1, serverMs: 5, parseMs: 5 });
    expect(wire.meter.take()).toEqual({ statements: 0, roundTrips: 0, serverMs: 0, parseMs: 0 });
  });

  it('is none of what a server says unasked', () => {
    const wire = metered();
    wire.receive();
    wire.ready();
    expect(wire.meter.take()).toEqual({ statements: 0, roundTrips: 0, serverMs: 0, parseMs: 0 });
  });
});
