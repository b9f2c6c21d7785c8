import { NO_MODULES } from '../record/own-modules.js';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { exampleCase } from '../../fixtures/journals/rows.js';
import type { ChannelsCase } from '../record/case.js';
import { writeTask, type WriteReport } from './channels-messages.js';
import { runChild, type ChildEnding, type ChildRun, type ChildSpec } from './child.js';

const CASE: ChannelsCase = exampleCase({
  backend: 'memory',
  updates: 1,
  payload_bytes: 1,
  payload_entropy: 'repeat',
  seed: 1,
});

const storeDir = mkdtempSync(join(tmpdir(), 'deltaproof-test-'));
afterAll(() => rmSync(storeDir, { recursive: true, force: true }));
afterEach(() => vi.unstubAllEnvs());

function run(child: string, settings: Partial<ChildSpec<WriteReport>> = {}): Promise<ChildRun<WriteReport>> {
  return runChild({
    worker: new URL(`../../fixtures/children/${child}.mjs`, import.meta.url),
    task: writeTask({ case: CASE, store_dir: storeDir, server: null, redis_url: null, modules: NO_MODULES }),
    packagesDir: null,
    timeoutMs: 10_000,
    maxRssBytes: null,
    signal: new AbortController().signal,
    ...settings,
  });
}

async function endingOf(
  child: string,
  settings?: Partial<ChildSpec<WriteReport>>,
): Promise<ChildEnding<WriteReport>> {
  return (await run(child, settings)).ending;
}

describe('every way a child can end has a name', () => {
  it('takes the report of a child that does as it should', async () => {
    expect(await endingOf('reports')).toMatchObject({ kind: 'reported', report: { role: 'write' } });
  });

  it('names the exit code, and scrubs paths and credentials from the tail of stderr', async () => {
    const { ending, stderrTail } = await run('exits');
    expect(ending).toEqual({ kind: 'exited', code: 3 });
    expect(stderrTail).toEqual([
      'Error: no space',
      '    at write (store.js:1:1)',
      expect.stringMatching(/^connecting to postgres:/),
    ]);
    expect(stderrTail.join()).not.toMatch(/hunter2|someone/);
  });

  it('names the signal that ended it', async () => {
    expect(await endingOf('kills-itself')).toEqual({ kind: 'signalled', signal: 'SIGSEGV' });
  });

  it.each(['hangs', 'spins', 'reports-then-hangs', 'closes-its-stdout'])(
    'ends %s at the timeout',
    async (child) => {
      expect(await endingOf(child, { timeoutMs: 1500 })).toEqual({ kind: 'timed_out', timeoutMs: 1500 });
    },
  );

  it('keeps what a child said before it hung, and what it held when it was last looked at', async () => {
    const { stderrTail, lastUsage } = await run('hangs', { timeoutMs: 1500 });
    expect(stderrTail).toEqual(['waiting for a lock']);
    expect(lastUsage?.rss_bytes).toBeGreaterThan(10 << 20);
    expect(lastUsage?.at_ms).toBeGreaterThan(400);
  });

  it('counts the CPU of a child that never returned to its event loop', async () => {
    expect((await run('spins', { timeoutMs: 1500 })).lastUsage?.cpu_ms).toBeGreaterThan(200);
  });

  it('stops a child that holds more memory than it may, and says how much', async () => {
    const { ending } = await run('holds-memory', { maxRssBytes: 150 << 20 });
    expect(ending).toMatchObject({ kind: 'over_memory', limitBytes: 150 << 20 });
    expect(ending.kind === 'over_memory' && ending.rssBytes).toBeGreaterThan(150 << 20);
  });

  it('tells silence from text and from half a report', async () => {
    expect(await endingOf('is-silent')).toEqual({ kind: 'silent' });
    expect(await endingOf('prints-text')).toEqual({ kind: 'not_json', line: 'all done, 12 ms' });
    expect(await endingOf('prints-half-a-report')).toMatchObject({ kind: 'not_json' });
  });

  it('takes neither two reports nor one for another case nor one that lacks its measurement', async () => {
    expect(await endingOf('reports-twice')).toEqual({ kind: 'many_reports', count: 2 });
    expect(await endingOf('reports-another-case')).toMatchObject({
      kind: 'other_case',
      caseKey: expect.stringMatching(/\/r2$/),
    });
    expect(await endingOf('reports-wrongly')).toMatchObject({
      kind: 'malformed_report',
      problem: expect.stringContaining('measurement'),
    });
  });

  it('takes no report for the other role', async () => {
    const ending = await endingOf('reports-for-the-other-role');
    expect(ending).toEqual({ kind: 'malformed_report', problem: 'its role is read, not write' });
  });

  it('does not count a report whose child crashed after it', async () => {
    expect(await endingOf('reports-then-crashes')).toEqual({ kind: 'signalled', signal: 'SIGABRT' });
  });

  it('stops a child that floods stdout', async () => {
    expect(await endingOf('floods-stdout', { stdoutLimitBytes: 1 << 20 })).toEqual({
      kind: 'flooded',
      limitBytes: 1 << 20,
    });
  });

  it('stops one that floods stdout and outlives the broken pipe, long before its timeout', async () => {
    const start = performance.now();
    expect(await endingOf('floods-stdout-and-stays', { stdoutLimitBytes: 1 << 20 })).toEqual({
      kind: 'flooded',
      limitBytes: 1 << 20,
    });
    expect(performance.now() - start).toBeLessThan(5000);
    expect(processesNaming('children/floods-stdout-and-stays.mjs')).toEqual([]);
  });

  it('keeps only the tail of a child that floods stderr', async () => {
    const { ending, stderrTail } = await run('floods-stderr');
    expect(ending.kind).toBe('reported');
    expect(stderrTail).toHaveLength(40);
    expect(stderrTail.at(-1)).toMatch(/noise 39999$/);
  });

  it('says that a child could not be started', async () => {
    const ending = await endingOf('reports', { cwd: join(storeDir, 'missing') });
    expect(ending).toMatchObject({ kind: 'not_started', problem: expect.stringContaining('ENOENT') });
  });

  it('stops a child when the run is stopped, and starts none afterwards', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 300);
    expect(await endingOf('hangs', { signal: controller.signal })).toEqual({ kind: 'interrupted' });
    expect(await endingOf('reports', { signal: controller.signal })).toEqual({ kind: 'interrupted' });
  });

  it('does not let a module that prints forge a report', async () => {
    const { ending, stderrTail } = await run('is-chatty');
    expect(ending.kind).toBe('reported');
    expect(stderrTail.join('\n')).toContain('"forged":true');
  });
});

describe('what a child inherits', () => {
  it('leaves out all that would make LangChain trace, print or wait', async () => {
    const names = ['LANGSMITH_TRACING', 'LANGSMITH_TRACING_V2', 'LANGCHAIN_TRACING', 'LANGCHAIN_TRACING_V2'];
    for (const name of [...names, 'LANGCHAIN_VERBOSE', 'LANGCHAIN_PROJECT']) vi.stubEnv(name, 'true');
    vi.stubEnv('LANGCHAIN_CALLBACKS_BACKGROUND', 'false');
    vi.stubEnv('LANGGRAPH_DELTA_MAX_SUPERSTEPS_SINCE_SNAPSHOT', '7');
    const { ending, stderrTail } = await run('tells-its-environment');
    expect(ending.kind).toBe('reported');
    expect(stderrTail).toEqual([
      'LANGCHAIN_PROJECT=true',
      'LANGCHAIN_TRACING_V2=false',
      'LANGSMITH_TRACING=false',
      'LANGSMITH_TRACING_V2=false',
    ]);
  });

  it('makes the core build no callback manager at all', async () => {
    const { stderrTail } = await run('configures-callbacks');
    expect(stderrTail).toEqual(['undefined']);
  });
});

describe('no child can hang the run or outlive it', () => {
  it('does not wait for grandchildren that hold its stdout, and ends those of its group', async () => {
    const start = performance.now();
    expect((await run('leaves-a-grandchild')).ending.kind).toBe('reported');
    expect(performance.now() - start).toBeLessThan(8000);
    const survivors = processesNaming(`deltaproof-grandchild ${storeDir}`);
    expect(survivors).toHaveLength(1); // the one that left for a session of its own is nobody's to end but the test's
    survivors.forEach((pid) => process.kill(pid, 'SIGKILL'));
  });

  it('leaves no process of a timed-out group', async () => {
    await run('hangs', { timeoutMs: 500 });
    expect(processesNaming('fixtures/children/hangs.mjs')).toEqual([]);
  });
});

function processesNaming(text: string): number[] {
  const listed = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' });
  return listed
    .split('\n')
    .filter((line) => line.includes(text))
    .map((line) => Number.parseInt(line, 10));
}
