import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type * as Os from 'node:os';
import { cpus, hostname, loadavg, release, tmpdir, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { freeSpace, installedVersions, loadNow, machineFacts, packagesUnderTest } from './environment.js';
import { BACKENDS } from './names.js';

vi.mock('node:os', async (importOriginal) => {
  const os = await importOriginal<typeof Os>();
  const mocked = { cpus: vi.fn(os.cpus), totalmem: vi.fn(os.totalmem), release: vi.fn(os.release) };
  return { ...os, ...mocked, platform: () => 'linux', arch: () => 'x64', loadavg: vi.fn(os.loadavg) };
});

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const BUILT = new URL('../../dist/harness/record/environment.js', import.meta.url).href;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'environment-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function withCpus(model: string, count: number): void {
  const cpu = { model, speed: 1, times: { user: 0, nice: 0, sys: 0, idle: 0, irq: 0 } };
  vi.mocked(cpus).mockReturnValue(Array.from({ length: count }, () => cpu));
}

beforeEach(() => {
  withCpus(' Example CPU ', 4);
  vi.mocked(totalmem).mockReturnValue(8_000_000_000);
  vi.mocked(release).mockReturnValue('6.0');
});
afterEach(() => {
  vi.resetAllMocks();
});

const FACTS = { cpu_model: 'Example CPU', cores: 4, memory_bytes: 8_000_000_000, kernel: 'linux 6.0 x64' };

test('the fingerprint is the start of the sha256 of the facts beside it, and nothing else is told', () => {
  expect(machineFacts()).toEqual({
    fingerprint: createHash('sha256').update(JSON.stringify(FACTS)).digest('hex').slice(0, 16),
    ...FACTS,
  });
  expect(machineFacts()).toEqual(machineFacts());
});

test('a machine whose processors are unknown is named by its architecture', () => {
  vi.mocked(cpus).mockReturnValue([]);

  expect(machineFacts()).toMatchObject({ cpu_model: 'x64', cores: 0 });
});

test.each([
  ['processor', () => withCpus('Other CPU', 4)],
  ['number of cores', () => withCpus('Example CPU', 5)],
  ['memory', () => vi.mocked(totalmem).mockReturnValue(1)],
  ['kernel', () => vi.mocked(release).mockReturnValue('6.1')],
])('another %s is another machine', (_, change) => {
  const before = machineFacts().fingerprint;

  change();

  expect(machineFacts().fingerprint).not.toBe(before);
});

test('every process of this machine gives it the same fingerprint, without its host name', () => {
  const script = `import { machineFacts } from ${JSON.stringify(BUILT)}; console.log(JSON.stringify(machineFacts()));`;
  const facts = () =>
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });

  const first = facts();

  expect(first).toMatch(/^\{"fingerprint":"[0-9a-f]{16}",/);
  expect(facts()).toBe(first);
  expect(first).not.toContain(hostname());
});

test('the load is the one-minute average, to two digits', () => {
  vi.mocked(loadavg).mockReturnValue([1.23456, 9, 9]);

  expect(loadNow()).toBe(1.23);
});

test('the packages under test are LangGraph’s own and those of the backends in question', () => {
  const everywhere = ['@langchain/langgraph', '@langchain/langgraph-checkpoint', '@langchain/core'];

  expect(packagesUnderTest(['memory'])).toEqual(everywhere);
  expect(packagesUnderTest(['memory', 'sqlite'])).toEqual([
    ...everywhere,
    '@langchain/langgraph-checkpoint-sqlite',
    'better-sqlite3',
  ]);
});

test('the versions of the packages under test are those that this project pins', () => {
  const { dependencies } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };

  expect(installedVersions(PROJECT)).toEqual(
    Object.fromEntries(
      [...packagesUnderTest(BACKENDS), 'langchain'].map((name) => [name, dependencies[name]]),
    ),
  );
  expect(installedVersions(join(PROJECT, 'harness', 'record'))).toEqual(installedVersions(PROJECT));
});

test('a folder without packages has no versions', () => {
  expect(installedVersions(mkdtempSync(join(folder, 'empty-')))).toEqual({});
});

test('a folder names the packages it would load: the nearest of each, and none that is missing', () => {
  const outer = mkdtempSync(join(folder, 'outer-'));
  const inner = join(outer, 'inner');
  install(outer, '@langchain/core', '1.0.0');
  install(outer, 'better-sqlite3', '2.0.0');
  install(outer, 'not-under-test', '3.0.0');
  install(inner, 'better-sqlite3', '4.0.0');

  expect(installedVersions(inner)).toEqual({ '@langchain/core': '1.0.0', 'better-sqlite3': '4.0.0' });
  expect(installedVersions(outer)).toEqual({ '@langchain/core': '1.0.0', 'better-sqlite3': '2.0.0' });
});

test('packages that only NODE_PATH leads to do not count', () => {
  const [empty, elsewhere] = [mkdtempSync(join(folder, 'empty-')), mkdtempSync(join(folder, 'elsewhere-'))];
  install(elsewhere, 'better-sqlite3', '1.0.0');
  const script = `import { installedVersions } from ${JSON.stringify(BUILT)};
    console.log(JSON.stringify(installedVersions(${JSON.stringify(empty)})));`;
  const env = { ...process.env, NODE_PATH: join(elsewhere, 'node_modules') };

  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    env,
    encoding: 'utf8',
  });

  expect(JSON.parse(printed)).toEqual({});
});

function install(at: string, name: string, version: string): void {
  const path = join(at, 'node_modules', name, 'package.json');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify({ name, version }));
}

test('free space is that of the nearest folder that exists', () => {
  const { freeBytes, fileSystem } = freeSpace(join(folder, 'not', 'there', 'yet'));

  expect(freeBytes).toBeGreaterThan(0);
  expect(fileSystem).toEqual(freeSpace(folder).fileSystem);
});

test.skipIf(!existsSync('/dev/shm'))('memory that looks like a disk is told from one', () => {
  expect(freeSpace('/dev/shm').fileSystem).toMatchObject({ name: 'tmpfs', isMemory: true });
  expect(freeSpace('/proc').fileSystem?.isMemory).toBe(false);
});
