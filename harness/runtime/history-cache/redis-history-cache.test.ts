import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { inspect } from 'node:util';
import { JsonPlusSerializer, MemorySaver } from '@langchain/langgraph-checkpoint';
import { createClient } from 'redis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { RedisNotInstalledError } from '../errors.js';
import { NO_REDIS, RedisServer } from '../redis.support.test.js';
import { DELTA, inThread, notesGraph } from '../runtime.support.test.js';
import { CachedHistorySaver } from './cached-history-saver.js';
import type { HistoryCache } from './history-cache.js';
import { openRedisHistoryCache, type RedisCacheOptions } from './redis-history-cache.js';

const serde = new JsonPlusSerializer();

const opened: HistoryCache[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((cache) => cache.close()));
});

async function opens(
  options: Partial<RedisCacheOptions> & Pick<RedisCacheOptions, 'url'>,
): Promise<HistoryCache> {
  const cache = await openRedisHistoryCache({ serde, ...options });
  opened.push(cache);
  return cache;
}

/** Six turns of delta mode; what the state is, and how to read its history. */
async function thread() {
  const memory = new MemorySaver();
  const graph = notesGraph({ ...DELTA, saver: memory });
  for (let turn = 0; turn < 6; turn += 1) await graph.invoke({ items: [`turn ${turn}`] }, inThread());
  const { values } = await graph.getState(inThread());
  const stateThrough = async (cache: HistoryCache) => {
    const saver = new CachedHistorySaver(memory, { cache, keyPrefix: 'p' });
    return (await notesGraph({ ...DELTA, saver }).getState(inThread())).values;
  };
  return { values, stateThrough };
}

it('refuses a time to live that is none', async () => {
  for (const ttlSeconds of [-1, 1.5]) {
    await expect(opens({ url: 'redis://127.0.0.1', ttlSeconds })).rejects.toThrow(RangeError);
  }
});

it('refuses a URL that is none, and does not repeat it', async () => {
  for (const url of ['redis://user:s3cret@host:99999', 'http://user:s3cret@host', 'user:s3cret@host', '']) {
    const refused: unknown = await opens({ url }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(RangeError);
    expect(inspect(refused)).not.toContain('s3cret');
  }
});

it('says how to install the package where it is missing', async () => {
  vi.doMock('redis', () => {
    throw new Error('Cannot find package');
  });
  const refused = opens({ url: 'redis://127.0.0.1' });
  await expect(refused).rejects.toThrow(RedisNotInstalledError);
  await expect(refused).rejects.toThrow('npm install redis');
  vi.doUnmock('redis');
});

it('costs hits alone where no server is', async () => {
  const { values, stateThrough } = await thread();
  const cache = await opens({ url: 'redis://127.0.0.1:1', timeoutMs: 50 });
  expect(await stateThrough(cache)).toEqual(values);
  await cache.purge('p:');
  expect(cache.stats()).toMatchObject({ hits: 0, evictions: null, entries: null, bytes: null });
  expect(cache.stats().misses).toBeGreaterThan(0);
});

it('waits no longer than it may for a server that never answers', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { values, stateThrough } = await thread();
  const cache = await opens({
    url: `redis://127.0.0.1:${(silent.address() as AddressInfo).port}`,
    timeoutMs: 20,
  });
  // It is not asked again for every ancestor: connecting was late, and then nothing is asked for a while.
  for (let read = 0; read < 3; read += 1) expect(await stateThrough(cache)).toEqual(values);
  expect(cache.stats().failures).toBe(1);
  sockets.forEach((socket) => socket.destroy());
  silent.close();
});

describe('with a server', () => {
  if (NO_REDIS !== null) {
    it.skip(NO_REDIS, () => {});
    return;
  }
  let server: RedisServer;
  let client: ReturnType<typeof createClient>;
  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterAll(() => server.kill());
  beforeEach(async () => {
    client = createClient({ url: server.url });
    client.on('error', () => {});
    await client.connect();
    await client.flushAll();
  });
  afterEach(() => client.destroy());

  it('shares histories between processes', async () => {
    const { values, stateThrough } = await thread();
    const [first, second] = [await opens({ url: server.url }), await opens({ url: server.url })];
    expect(await stateThrough(first)).toEqual(values);
    expect(first.stats().hits).toBe(0);
    expect(await stateThrough(second)).toEqual(values);
    expect(second.stats()).toMatchObject({ hits: 1, misses: 0, failures: 0 });
    expect(first.stats()).toMatchObject({ failures: 0 });
  });

  it.each([
    [undefined, 86_400],
    [60, 60],
    [0, -1],
  ])('keeps entries with a time to live of %s for %i seconds', async (ttlSeconds, seconds) => {
    const cache = await opens({ url: server.url, ...(ttlSeconds === undefined ? {} : { ttlSeconds }) });
    await cache.set(new Map([['p:t:1', { writes: [] }]]));
    expect(await client.ttl('p:t:1')).toBe(seconds);
  });

  it('removes the entries of one thread and touches nothing else', async () => {
    const cache = await opens({ url: server.url });
    const keys = Array.from({ length: 1200 }, (_, index) => `p:a:${index}`);
    await cache.set(new Map([...keys, 'p:ab:1', 'q:a:1'].map((key) => [key, { writes: [] }])));
    await client.set('somebody', "else's");
    await cache.purge('*:a:');
    await cache.purge('p:?:');
    await cache.purge('p:[a]:');
    expect(await client.dbSize()).toBe(1203);
    await cache.purge('p:a:');
    expect((await client.keys('*')).toSorted()).toEqual(['p:ab:1', 'q:a:1', 'somebody']);
  });

  it('takes what is no history for nothing', async () => {
    const cache = await opens({ url: server.url });
    const texts = [
      '',
      '{',
      'null',
      '[]',
      '{"writes":1}',
      '{"lc":1,"type":"constructor","id":["x"],"kwargs":{}}',
    ];
    for (const [index, text] of texts.entries()) await client.set(`p:t:${index}`, text);
    await client.lPush('p:t:list', 'x');
    expect(await cache.get(texts.map((_, index) => `p:t:${index}`))).toEqual(texts.map(() => null));
    expect(await cache.get(['p:t:list'])).toEqual([null]);
  });

  it('keeps nothing that would come back as something else', async () => {
    const cache = await opens({ url: server.url });
    await cache.set(new Map([['p:t:1', { writes: [['task', 'items', [new Date(0)]]] }]]));
    expect(await cache.get(['p:t:1'])).toEqual([null]);
  });

  it('goes on without a server that is killed, and with it when it is back', async () => {
    const { values, stateThrough } = await thread();
    const cache = await opens({ url: server.url });
    await stateThrough(cache);
    expect(await stateThrough(cache)).toEqual(values);
    const { hits } = cache.stats();
    await server.kill();
    for (let read = 0; read < 5; read += 1) expect(await stateThrough(cache)).toEqual(values);
    expect(cache.stats().hits).toBe(hits);
    await server.start();
    await vi.waitFor(
      async () => {
        expect(await stateThrough(cache)).toEqual(values);
        expect(cache.stats().hits).toBeGreaterThan(hits);
      },
      { timeout: 20_000, interval: 100 },
    );
  });
});
