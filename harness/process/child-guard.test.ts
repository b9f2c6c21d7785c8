// What a parent tells its guard of its children. The guard itself is replaced; what it does is in guard.test.ts.

import { NO_MODULES } from '../record/own-modules.js';
import type * as ChildProcess from 'node:child_process';
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, it, vi } from 'vitest';
import { fullRow } from '../../fixtures/journals/rows.js';
import { writeTask } from './channels-messages.js';
import { guardFolder, runChild } from './child.js';

const spawned = vi.hoisted(() => vi.fn());
vi.mock('node:child_process', async (original) => ({
  ...(await original<typeof ChildProcess>()),
  spawn: spawned,
}));

const run = () =>
  runChild({
    worker: new URL('../../fixtures/children/reports.mjs', import.meta.url),
    task: writeTask({
      case: fullRow(1).case,
      store_dir: '/tmp',
      server: null,
      redis_url: null,
      modules: NO_MODULES,
    }),
    packagesDir: null,
    timeoutMs: 10_000,
    maxRssBytes: null,
    signal: new AbortController().signal,
  });

it('runs children without a guard where none can be started', async () => {
  spawned.mockImplementationOnce(() => {
    throw new Error('spawn EAGAIN');
  });
  expect((await run()).ending.kind).toBe('reported');
});

it('starts one guard, out of reach of what ends the parent, and tells it of every start, end and folder', async () => {
  spawned.mockReset();
  const stdin = Object.assign(new PassThrough({ encoding: 'utf8' }), { unref: vi.fn() });
  const stdout = Object.assign(new PassThrough(), { unref: vi.fn() });
  const guard = Object.assign(new EventEmitter(), { stdin, stdout, unref: vi.fn() });
  spawned.mockReturnValue(guard);
  guardFolder('/tmp/a run');
  await run();
  await run();
  expect(stdin.read()).toMatch(/^folder "\/tmp\/a run"\n\+(\d+)\n-\1\n\+(\d+)\n-\2\n$/);
  expect(spawned).toHaveBeenCalledOnce();
  expect(spawned.mock.calls[0]?.[2]).toMatchObject({ detached: true, stdio: ['pipe', 'pipe', 'ignore'] });
  const unreferenced = [guard, stdin, stdout].map(({ unref }) => unref.mock.calls.length);
  expect(unreferenced).toEqual([1, 1, 1]);

  // A guard that could not be started says so later, and one that died breaks its pipe: neither is an error.
  guard.emit('error', new Error('spawn ENOENT'));
  stdin.destroy(new Error('write EPIPE'));
  expect((await run()).ending.kind).toBe('reported');
});
