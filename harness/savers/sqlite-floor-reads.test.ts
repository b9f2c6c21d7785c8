import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import { describe, expect, test } from 'vitest';
import { appended, open, place, THREAD } from './sqlite-floor.support.test.js';

describe('a read of the head', () => {
  interface Read {
    readonly metadata: { readonly step: number };
    readonly checkpoints: readonly { readonly id: string; readonly channel_values: object }[];
    readonly writes: readonly unknown[];
  }

  test('takes the head alone in full mode', async () => {
    const heads = await appended(5, null);
    const floor = open({ heads, seedId: heads[0] ?? null });
    await floor.replayWrites();

    const read = floor.readHead() as Read;

    expect(read.metadata.step).toBe(13);
    expect(read.checkpoints.map(({ id }) => id)).toEqual([heads[4]]);
    expect(read.checkpoints[0]?.channel_values).toMatchObject({
      messages: Array.from({ length: 5 }, () => ({ lc: 1 })),
    });
    expect(read.writes).toEqual([]);
  });

  test('takes checkpoints and writes from the seed on in delta mode', async () => {
    const heads = await appended(5, 3);
    const ids = place.source
      .prepare('SELECT checkpoint_id FROM checkpoints ORDER BY checkpoint_id')
      .pluck()
      .all() as string[];
    const seedId = ids[7] ?? null;
    const floor = open({ heads, seedId, readsChain: true });
    await floor.replayWrites();

    const read = floor.readHead() as Read;

    expect(read.metadata.step).toBe(13);
    expect(read.checkpoints.map(({ id }) => id)).toEqual(ids.slice(7).toReversed());
    expect(read.checkpoints.at(-1)?.channel_values).toMatchObject({ messages: { type: 'delta_snapshot' } });
    const messages = read.writes.filter((write) => Array.isArray(write));
    expect(messages).toHaveLength(2);
    expect(read.writes).toHaveLength(1 + 2 * 3);
  });

  test('takes the whole chain in delta mode where there is no seed', async () => {
    const heads = await appended(4, 10);
    const floor = open({ heads, readsChain: true });
    await floor.replayWrites();

    const read = floor.readHead() as Read;

    expect(read.checkpoints).toHaveLength(12);
    expect(read.writes).toHaveLength(12);
  });

  test('leaves bytes as they are and takes no other namespace', async () => {
    const heads = await appended(1, null);
    const configurable = { thread_id: THREAD, checkpoint_id: heads[0] ?? '' };
    const bytes = new Uint8Array([123, 0]);
    const saver = new SqliteSaver(place.source);
    await saver.putWrites({ configurable: { ...configurable, checkpoint_ns: '' } }, [['raw', bytes]], 'a');
    await saver.putWrites({ configurable: { ...configurable, checkpoint_ns: 's' } }, [['raw', bytes]], 'a');
    const floor = open({ heads });
    await floor.replayWrites();

    expect((floor.readHead() as Read).writes).toEqual([Buffer.from(bytes)]);
  });

  test('needs the writes first, and not a closed floor', async () => {
    const heads = await appended(1, null);
    const floor = open({ heads });
    expect(() => floor.readHead()).toThrow(/once the writes have been replayed/);

    await floor.replayWrites();
    await floor.close();
    expect(() => floor.readHead()).toThrow(/once the writes have been replayed/);
  });
});
