// Runs on Postgres whose server, disk or controller fails while they go: what is in the journal stays, the exit
// code says what happened, and nothing is left.

import { execFileSync } from 'node:child_process';
import { statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { describe, expect, inject, it } from 'vitest';
import { markedProcesses } from '../harness/process/marked-processes.support.test.js';
import type { Row } from '../harness/record/row.js';
import { linesOf, rowsOf } from './program.support.test.js';
import { TINY_FULL, usePostgresRuns } from './postgres.support.test.js';

const REPETITIONS = 4;
const SEED = 7;
const postgres = inject('postgres');
const here = usePostgresRuns();

/** Four cases on Postgres. */
const args = (repetitions = REPETITIONS): string[] => [
  ...TINY_FULL,
  '--backends',
  'postgres',
  '--repetitions',
  String(repetitions),
  ...into(),
];

const into = (): string[] => ['--output', here.journal, '--work-dir', 'work'];

function rows(): Row[] {
  try {
    return rowsOf(here.journal);
  } catch {
    return []; // There is no journal yet.
  }
}

/** Once that many rows are kept and the next case has begun. */
async function rowsKept(count: number): Promise<void> {
  await expect.poll(() => rows().length, { timeout: 60_000, interval: 20 }).toBeGreaterThanOrEqual(count);
  await wait(500);
}

async function expectNothingLeft(): Promise<void> {
  await expect.poll(() => here.left(), { timeout: 10_000 }).toEqual([]);
}

/** The command that a run has printed; the program in it is the one of these tests. */
async function resumed(stderr: string) {
  const command = /^ {2}node \S+ (.*--resume.*)$/m.exec(stderr)?.[1] ?? '';
  expect(command).toContain('--resume');
  const ran = await here.run(command.split(' '));
  expect(ran.exitCode).toBe(0);
  const done = rows().filter((row) => row.success);
  expect(done.map((row) => row.case.repetition).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: REPETITIONS }, (_, index) => index + 1),
  );
}

describe.skipIf('missing' in postgres)("a server of the run's own", () => {
  it('that is killed ends the run with exit code 6 and the command that completes it', async () => {
    const run = here.run(args());
    await rowsKept(2);
    const before = rows();
    process.kill(here.server()?.pid ?? 0, 'SIGKILL');
    const { exitCode, stderr } = await run;
    expect(exitCode).toBe(6);
    expect(rows().slice(0, before.length)).toEqual(before);
    const failed = rows().filter((row) => !row.success);
    expect(failed.map(({ failure }) => [failure?.reason, failure?.message])).toEqual([
      ['server_lost', 'The database server was gone: The Postgres server of this run has ended.'],
    ]);
    await expectNothingLeft();
    await resumed(stderr);
    await expectNothingLeft();
  });

  it('of which a process crashes fails the case in flight, and the run goes on once it has recovered', async () => {
    const run = here.run(args());
    await rowsKept(1);
    const [backend] = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(
        ([, parent, ...what]) =>
          Number(parent) === here.server()?.pid && what.join(' ').includes('127.0.0.1'),
      )
      .map(([pid]) => Number(pid));
    process.kill(backend ?? 0, 'SIGKILL');
    const { exitCode } = await run;
    // Between two cases nobody but the keeper is connected, and it comes back.
    expect([0, 6]).toContain(exitCode);
    expect(rows()).toHaveLength(REPETITIONS);
    expect(rows().filter((row) => !row.success).length).toBeLessThanOrEqual(1);
    await expectNothingLeft();
  });

  it.skipIf(process.getuid?.() !== 0)(
    'whose disk is full ends the run with exit code 6, in the words of the server (skipped: not root)',
    async () => {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=250m,mode=755', 'tmpfs', here.workDir]);
      try {
        const large = args().map((word, index, all) => (all[index - 1] === '--updates' ? '40' : word));
        const run = here.run([...large, '--payload-bytes', '20000']);
        await rowsKept(1);
        const { bavail, bsize } = statfsSync(here.workDir);
        writeFileSync(join(here.workDir, 'filler'), Buffer.alloc(bavail * bsize - (1 << 18)));
        const { exitCode, stderr } = await run;
        expect(exitCode).toBe(6);
        expect(rows()[0]?.success).toBe(true);
        const problems = rows().flatMap(({ failure }) => (failure === null ? [] : [failure.message]));
        expect(problems.length).toBeGreaterThan(0);
        for (const problem of problems)
          expect(problem).toMatch(/No space left on device|The database server was gone: /);
        expect(stderr).toMatch(/failed \((?:exited|server_lost)\)/);
        execFileSync('rm', [join(here.workDir, 'filler')]);
        await expectNothingLeft();
      } finally {
        execFileSync('umount', ['-l', here.workDir]);
      }
    },
  );

  it('that is killed decides nothing in verify: no finding, exit code 6', async () => {
    const scenariosAsked = 'linear,fork-update,conformance,list,values,text';
    const verify = ['verify', '--backends', 'postgres', '--scenarios', scenariosAsked, '--jobs', '1'];
    const run = here.run([...verify, ...into()]);
    const scenarios = () => {
      try {
        return linesOf(here.journal).filter((line) => line.kind === 'scenario');
      } catch {
        return [];
      }
    };
    await expect.poll(() => scenarios().length, { timeout: 60_000 }).toBeGreaterThanOrEqual(1);
    await wait(800);
    process.kill(here.server()?.pid ?? 0, 'SIGKILL');
    const { exitCode, stdout, stderr } = await run;
    expect([exitCode, stdout]).toEqual([6, expect.stringMatching(/ 0 violated, [1-9]\d* undecided/)]);
    expect(scenarios().filter(({ failure }) => failure !== null)).toMatchObject([
      { failure: { reason: 'server_lost' } },
    ]);
    expect(stderr).toContain('--resume');
    await expectNothingLeft();
  });
});

describe.skipIf('missing' in postgres)('a run that is stopped', () => {
  it('by one SIGINT finishes its case, and by two none; exit code 130, and nothing is left', async () => {
    for (const signals of [1, 2]) {
      const run = here.run([...args(), '--overwrite']);
      await expect.poll(() => here.server(), { timeout: 60_000 }).not.toBeNull();
      await rowsKept(1);
      for (let sent = 0; sent < signals; sent += 1) {
        run.kill('SIGINT');
        await wait(100);
      }
      const { exitCode, stderr } = await run;
      expect([signals, exitCode]).toEqual([signals, 130]);
      expect(rows().every((row) => row.success)).toBe(true);
      expect(stderr).toContain('--resume');
      await expectNothingLeft();
    }
  });

  it(`by SIGKILL at any instant leaves no process and no folder (seed ${SEED})`, async () => {
    const rng = xoroshiro128plus(SEED);
    for (let kill = 0; kill < 6; kill += 1) {
      const run = here.run([...args(50), '--resume']);
      const before = rows();
      // By turns while it starts, and once a row more is kept.
      if (kill % 2 === 0) await wait(uniformInt(rng, 300, 3000));
      else {
        await expect
          .poll(() => rows().length, { timeout: 60_000, interval: 20 })
          .toBeGreaterThan(before.length);
        await wait(uniformInt(rng, 0, 2000));
      }
      run.kill('SIGKILL');
      await run;
      await expectNothingLeft();
      expect(rows().slice(0, before.length)).toEqual(before);
    }
    expect(rows().length).toBeGreaterThanOrEqual(3);
    expect(rows().every((row) => row.success)).toBe(true);
  });

  it('together with its keeper leaves no server all the same', async () => {
    const run = here.run(args());
    await rowsKept(1);
    const keepers = markedProcesses(/[^/]+$/.exec(here.path)?.[0] ?? '').filter(({ text }) =>
      text.includes('servers/keeper.js'),
    );
    expect(keepers).toHaveLength(1);
    for (const { pid } of keepers) process.kill(pid, 'SIGKILL');
    run.kill('SIGKILL');
    await run;
    await expectNothingLeft();
  });

  it('goes on without its keeper, and takes the server away itself', async () => {
    const run = here.run(args());
    await rowsKept(1);
    const keepers = markedProcesses(/[^/]+$/.exec(here.path)?.[0] ?? '').filter(({ text }) =>
      text.includes('servers/keeper.js'),
    );
    for (const { pid } of keepers) process.kill(pid, 'SIGKILL');
    expect((await run).exitCode).toBe(0);
    expect(rows()).toHaveLength(REPETITIONS);
    await expectNothingLeft();
  });
});
