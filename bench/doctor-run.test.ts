// `deltaproof doctor` as a user runs it: on this machine, and on packages that do not start.

import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { BACKENDS_HERE } from '../harness/savers/store-places.support.test.js';
import type { CheckResult } from './commands/doctor/check.js';
import { start, useFolder } from './program.support.test.js';

const INSTALLED = fileURLToPath(new URL('../node_modules/', import.meta.url));

/** Backends without a server. */
const IN_FOLDERS = 'memory,sqlite';

const folder = useFolder();
const doctor = (...args: string[]) => start(folder.path, ['doctor', '--work-dir', '.', ...args]);

interface Answer {
  readonly checks: readonly CheckResult[];
  readonly exit_code: number;
}

describe('on packages that start', () => {
  it('prints a line for each thing it looked at and nothing else, with exit code 0', async () => {
    // Where root runs this, the server is another user's process.
    chmodSync(folder.path, 0o755);
    const { exitCode, stdout, stderr } = await doctor('--backends', BACKENDS_HERE.join(','));
    expect([exitCode, stderr]).toEqual([0, '']);
    for (const check of [
      'node',
      'packages',
      'install scripts',
      'backends',
      'disk',
      'timer',
      'load',
      'leftovers',
    ]) {
      expect(stdout).toMatch(new RegExp(`^${check} +(?:fine|warning) `, 'm'));
    }
    for (const backend of BACKENDS_HERE) {
      expect(stdout).toContain(`${backend} kept a checkpoint and gave it back in`);
    }
    expect(stdout).toMatch(/ 0 missing$/);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('is one JSON document with --json, without the name of the machine or an absolute path', async () => {
    const { exitCode, stdout } = await doctor('--json', '--backends', 'memory');
    const { checks, exit_code: told } = JSON.parse(stdout) as Answer;
    expect([exitCode, told]).toEqual([0, 0]);
    expect(checks.filter(({ check }) => check === 'backends')).toMatchObject([
      { status: 'fine', facts: { backend: 'memory' }, fix: null },
    ]);
    expect(stdout).not.toMatch(/(?:^|["'\s])\/\w+\//m);
    if (hostname().length > 3) expect(stdout).not.toContain(hostname());
  });
});

it.skipIf(process.getuid?.() !== 0 || !BACKENDS_HERE.includes('postgres'))(
  'misses a server of its own where root has a work folder that no other user may enter (skipped: not root)',
  async () => {
    const { exitCode, stdout } = await doctor('--backends', 'postgres');
    expect(exitCode).toBe(7);
    expect(stdout).toMatch(
      /postgres does not start: .* cannot enter deltaproof-test-\w+; name another --work-dir/,
    );
    expect(stdout).toContain('fix: name a folder that all may enter: --work-dir DIR, or TMPDIR\n');
    expect(readdirSync(folder.path)).toEqual([]);
  },
);

describe('on packages that do not', () => {
  const packages = () => join(folder.path, 'other');

  /** LangGraph as it is installed here, and instead of better-sqlite3 one that throws. */
  function installWithStub(script: string): void {
    for (const name of ['langgraph', 'langgraph-checkpoint', 'core', 'langgraph-checkpoint-sqlite']) {
      const place = join(packages(), 'node_modules', '@langchain', name);
      mkdirSync(place, { recursive: true });
      cpSync(join(INSTALLED, '@langchain', name, 'package.json'), join(place, 'package.json'));
      const { exports } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')) as {
        readonly exports: Record<string, { readonly import: { readonly default: string } }>;
      };
      const entry = exports['.']?.import.default ?? '';
      mkdirSync(join(place, entry, '..'), { recursive: true });
      const real = JSON.stringify(
        new URL(`../node_modules/@langchain/${name}/${entry}`, import.meta.url).href,
      );
      writeFileSync(join(place, entry), `export * from ${real};\n`);
    }
    const stub = join(packages(), 'node_modules', 'better-sqlite3');
    mkdirSync(stub);
    writeFileSync(join(stub, 'package.json'), '{"version":"12.11.1","main":"index.js"}');
    writeFileSync(join(stub, 'index.js'), script);
  }

  it('says which backend does not start, why, and what mends it, with exit code 7', async () => {
    installWithStub("throw new Error('Could not locate the bindings file. Tried: /a/b.node');");
    const { exitCode, stdout, stderr } = await doctor(
      '--packages',
      'other',
      '--json',
      '--backends',
      IN_FOLDERS,
    );
    const { checks, exit_code: told } = JSON.parse(stdout) as Answer;
    expect([exitCode, told, stderr]).toEqual([7, 7, '']);
    expect(checks.filter(({ check }) => check === 'backends')).toMatchObject([
      { status: 'fine', facts: { backend: 'memory' } },
      {
        status: 'missing',
        what: 'sqlite does not start: Could not locate the bindings file.',
        fix: 'cd other && npm rebuild better-sqlite3 --ignore-scripts=false',
      },
    ]);
    expect(readdirSync(folder.path)).toEqual(['other']);
  });

  it('does not take a saver that forgets for one that starts', async () => {
    installWithStub('');
    const checkpoint = join(packages(), 'node_modules', '@langchain', 'langgraph-checkpoint');
    const entry = join(checkpoint, 'dist', 'index.js');
    const forgets =
      'import { MemorySaver as Real } from REAL;\nexport * from REAL;\nexport class MemorySaver extends Real { async getTuple() {} }\n';
    const real = /export \* from (.*);/.exec(readFileSync(entry, 'utf8'))?.[1] ?? '';
    writeFileSync(entry, forgets.replaceAll('REAL', real));
    const { exitCode, stdout } = await doctor('--packages', 'other', '--backends', 'memory');
    expect(stdout).toContain('memory does not start: The checkpoint that was put was not read back.');
    expect(exitCode).toBe(7);
  });

  it('ends well when the child does not, and is fine where that backend is not needed', async () => {
    installWithStub('process.kill(process.pid, "SIGKILL");');
    const { exitCode, stdout } = await doctor('--packages', 'other', '--backends', IN_FOLDERS);
    expect(exitCode).toBe(7);
    expect(stdout).toMatch(
      /missing {2}sqlite does not start: The child was ended by SIGKILL\.\n +fix: cd other && npm install\n/,
    );
    expect(await doctor('--packages', 'other', '--backends', 'memory')).toMatchObject({ exitCode: 0 });
  });
});

it('refuses a wrong command line with exit code 2', async () => {
  expect(await doctor('--backends', 'oracle')).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: expect.stringContaining("--backends does not accept 'oracle'"),
  });
});
