// `deltaproof channels --history-cache` as a user meets it.

import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_REDIS, RedisServer } from '../harness/runtime/redis.support.test.js';
import { rowsOf, start, useFolder } from './program.support.test.js';

const folder = useFolder();
const TINY = ['channels', '--updates', '12', '--snapshot-frequencies', '10', '--repetitions', '1'];
const IN_MEMORY = [...TINY, '--backends', 'memory'];

let redis: RedisServer | null = null;
beforeAll(async () => {
  if (NO_REDIS === null) redis = await RedisServer.start();
});
afterAll(() => redis?.kill());

const run = (...args: string[]) => start(folder.path, args);

it('measures delta with a cache beside delta without, and keeps what the cache did', async () => {
  const { exitCode, stdout } = await run(
    ...IN_MEMORY,
    '--history-cache',
    'off,memory',
    '--output',
    folder.journal,
  );
  expect(exitCode).toBe(0);
  expect(stdout).toContain('K=10 memory: 1 pair, 0 failed rows');
  expect(stdout).toContain('without / with');
  const [full, off, memory] = rowsOf(folder.journal);
  expect([full, off, memory].map((row) => [row?.case.mode, row?.case.history_cache, row?.success])).toEqual([
    ['full', undefined, true],
    ['delta', undefined, true],
    ['delta', 'memory', true],
  ]);
  expect([full, off].map((row) => row?.measurement?.history_cache)).toEqual([null, null]);
  expect(memory?.measurement?.history_cache?.hits).toBeGreaterThan(0);
  expect(memory?.measurement?.history_cache?.compose_hits).toBeGreaterThan(0);
  const stored = [off, memory].map((row) => row?.measurement?.metrics.logical_bytes);
  expect(stored[0]).toBe(stored[1]);
}, 60_000);

it('measures the direct walk where there are tables, also in fresh processes', async () => {
  const direct = ['--modes', 'delta', '--history-cache', 'direct', '--output', folder.journal];
  const { exitCode } = await run(...TINY, '--backends', 'sqlite', ...direct);
  expect(exitCode).toBe(0);
  const [row] = rowsOf(folder.journal);
  expect(row).toMatchObject({ success: true, case: { history_cache: 'direct' } });
  expect(row?.measurement?.metrics.cold_process_read_ms).toBeGreaterThan(0);
}, 60_000);

it('says what does not go together', async () => {
  const direct = await run('channels', '--backends', 'memory', '--history-cache', 'direct', '--dry-run');
  expect(direct).toMatchObject({ exitCode: 2, stdout: '' });
  expect(direct.stderr).toContain('--history-cache direct reads tables');
  const mixed = await run(
    'channels',
    '--backends',
    'memory,sqlite',
    '--history-cache',
    'direct',
    '--dry-run',
  );
  expect(mixed.stdout).toContain('memory: a direct walk is not applicable.');
  const unknown = await run('channels', '--history-cache', 'disk', '--dry-run');
  expect(unknown).toMatchObject({ exitCode: 2 });
  const unnamed = await run(...IN_MEMORY, '--history-cache', 'redis');
  expect(unnamed).toMatchObject({ exitCode: 7, stdout: '' });
  expect(unnamed.stderr).toContain('--redis-url redis://host:port');
  const bad = await run(
    ...IN_MEMORY,
    '--history-cache',
    'redis',
    '--redis-url',
    'redis://:s3cret@host:99999',
  );
  expect(bad).toMatchObject({ exitCode: 2, stdout: '' });
  expect(bad.stderr).not.toContain('s3cret');
}, 60_000);

describe('with a Redis server', () => {
  if (NO_REDIS !== null) {
    it.skip(NO_REDIS, () => {});
    return;
  }

  it('keeps histories there', async () => {
    const { exitCode } = await run(
      ...IN_MEMORY,
      '--history-cache',
      'redis',
      '--redis-url',
      redis?.url ?? '',
      '--output',
      folder.journal,
    );
    expect(exitCode).toBe(0);
    const [, delta] = rowsOf(folder.journal);
    expect(delta?.measurement?.history_cache).toMatchObject({ evictions: null, entries: null });
    expect(delta?.measurement?.history_cache?.hits).toBeGreaterThan(0);
  }, 60_000);

  it('runs nothing where no server is, and never prints its password', async () => {
    const { exitCode, stdout, stderr } = await run(
      ...IN_MEMORY,
      '--history-cache',
      'redis',
      '--redis-url',
      'redis://:secret-word@127.0.0.1:1',
      '--output',
      folder.journal,
    );
    expect({ exitCode, stdout }).toEqual({ exitCode: 7, stdout: '' });
    expect(stderr).toContain('cannot be reached: connect ECONNREFUSED');
    expect(stderr).not.toContain('secret-word');
    expect(existsSync(folder.journal)).toBe(false);
  }, 60_000);
});
