// Plants wrong and right imports for every row of the import doors in a folder laid out like the project, runs
// the real linter there with the real configuration, and compares what it refuses with the table written out
// here a second time. Not a test of the linter's other rules.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const CONFIG_FOLDER = import.meta.dirname;

/** One file of every room, and one package of every kind, that a planted file tries to import. */
const FILES = {
  record: 'harness/record/case.ts',
  child: 'harness/process/child.ts',
  protocol: 'harness/process/protocol.ts',
  messages: 'harness/process/verify-messages.ts',
  usage: 'harness/process/usage.ts',
  chain: 'harness/chain/replay.ts',
  timing: 'harness/timing/time-reads.ts',
  savers: 'harness/savers/sqlite.ts',
  runtime: 'harness/runtime/retention.ts',
  graphs: 'harness/graphs/with-delta-messages.ts',
  verify: 'harness/verify/oracle.ts',
  audit: 'harness/audit/decode.ts',
  controller: 'harness/controller.ts',
  progress: 'harness/controller/progress.ts',
  fixtures: 'fixtures/workloads/chat.ts',
  ownMatrix: 'bench/planted/matrix.ts',
  ownMeasure: 'bench/planted/measure.ts',
  otherMatrix: 'bench/other/matrix.ts',
  otherWorker: 'bench/other/worker.ts',
  command: 'bench/commands/gate.ts',
  cli: 'bench/cli.ts',
  selfQuestion: 'bench/self/start.ts',
  selfChild: 'bench/self/children/bare-start.ts',
  journalRows: 'fixtures/journals/rows.ts',
  summarize: 'summarize/pair.ts',
  test: 'harness/record/case.test.ts',
  tooling: '.config/vitest.config.ts',
  nowhere: 'package.json',
} as const;
const BUILTINS = ['node:fs', 'fs/promises'] as const;
const PURE = [...BUILTINS, 'zod', 'simple-statistics', 'pure-rand', 'canonicalize', 'semver'] as const;
const CHARTS = ['csv-stringify/sync', 'd3-scale'] as const;
const NO_DATABASE = [...PURE, ...CHARTS, 'pidusage', 'yargs'] as const;
const NO_LANGGRAPH = [...NO_DATABASE, 'better-sqlite3', 'pg'] as const;
const LANGGRAPH = ['@langchain/core/messages', '@langchain/langgraph-sdk', 'langchain'] as const;
const ANY_PACKAGE = [...NO_LANGGRAPH, ...LANGGRAPH] as const;
const SPAWNERS = ['execa', 'child_process', 'node:child_process', 'node:cluster'] as const;
const UNSEEN = ['deltaproof/bench/cli.js', '#record', '/harness/a.js', 'file:///a.js', 'data:,'] as const;
const PACKAGES = [...ANY_PACKAGE, ...SPAWNERS, ...UNSEEN] as const;
type Target = keyof typeof FILES | (typeof PACKAGES)[number];

const PROCESS = ['child', 'protocol', 'messages', 'usage'] as const;
const CHILDREN = [...PROCESS, ...BUILTINS, 'zod', 'pidusage'] as const;
const CONTROLLER = ['controller', 'progress'] as const;
const MATRICES = ['ownMatrix', 'otherMatrix'] as const;
const FROM_FIXTURES = [
  'fixtures',
  'journalRows',
  'record',
  'chain',
  'savers',
  'runtime',
  'graphs',
  'verify',
  ...ANY_PACKAGE,
] as const;
const FROM_EXPERIMENT = [
  ...FROM_FIXTURES,
  'timing',
  'audit',
  'protocol',
  'messages',
  'usage',
  'ownMeasure',
] as const;
const COMMANDS = ['command', 'cli'] as const;
const FROM_COMMAND = [
  'record',
  ...PROCESS,
  ...MATRICES,
  ...CONTROLLER,
  'summarize',
  ...COMMANDS,
  ...NO_DATABASE,
] as const;

/** The table: a file of each row, and all that it may import. Everything else is expected to be refused. */
const ROWS: readonly { file: string; opens: readonly Target[] }[] = [
  { file: 'harness/record/planted.ts', opens: ['record', ...PURE] },
  { file: 'harness/process/planted.ts', opens: ['record', ...CHILDREN] },
  { file: 'harness/process/child.ts', opens: ['record', ...CHILDREN, ...SPAWNERS] },
  { file: 'harness/timing/planted.ts', opens: ['record', 'timing', ...BUILTINS] },
  { file: 'harness/chain/planted.ts', opens: ['record', 'chain', ...NO_LANGGRAPH] },
  { file: 'harness/savers/planted.ts', opens: ['record', 'chain', 'savers', ...ANY_PACKAGE] },
  { file: 'harness/runtime/planted.ts', opens: ['record', 'chain', 'savers', 'runtime', ...ANY_PACKAGE] },
  { file: 'harness/graphs/planted.ts', opens: ['record', 'graphs', ...ANY_PACKAGE] },
  { file: 'harness/servers/planted.ts', opens: ['record', ...NO_LANGGRAPH] },
  { file: 'harness/verify/planted.ts', opens: ['record', 'chain', 'savers', 'verify', ...ANY_PACKAGE] },
  { file: 'harness/audit/planted.ts', opens: ['record', 'chain', 'audit', ...NO_LANGGRAPH] },
  { file: 'harness/controller.ts', opens: ['record', ...PROCESS, ...CONTROLLER, ...NO_DATABASE] },
  { file: 'harness/controller/planted.ts', opens: ['record', ...PROCESS, ...CONTROLLER, ...NO_DATABASE] },
  { file: 'fixtures/faults/planted.ts', opens: FROM_FIXTURES },
  { file: 'bench/planted/matrix.ts', opens: ['record', ...PROCESS, ...MATRICES, ...NO_DATABASE] },
  { file: 'bench/planted/worker.ts', opens: FROM_EXPERIMENT },
  { file: 'bench/planted/measure-reads.ts', opens: FROM_EXPERIMENT },
  { file: 'bench/planted/reads/cold.ts', opens: FROM_EXPERIMENT },
  { file: 'bench/commands/planted.ts', opens: FROM_COMMAND },
  { file: 'bench/cli.ts', opens: FROM_COMMAND },
  {
    file: 'bench/self/planted.ts',
    opens: ['selfQuestion', 'journalRows', 'record', ...PROCESS, ...CONTROLLER, 'summarize', ...NO_DATABASE],
  },
  {
    file: 'bench/self/children/planted.ts',
    opens: [
      ...FROM_FIXTURES,
      'timing',
      'protocol',
      'messages',
      'usage',
      'ownMeasure',
      'otherWorker',
      'selfChild',
      'summarize',
    ],
  },
  { file: 'summarize/planted.ts', opens: ['summarize', 'record', ...PURE, ...CHARTS] },
  { file: '.config/planted.ts', opens: ['tooling', ...ANY_PACKAGE] },
];

/** Every way of importing; `n` keeps the names of one file apart. */
const FORMS: readonly ((specifier: string, n: number) => string)[] = [
  (s) => `import '${s}';`,
  (s, n) => `import { value${n} } from '${s}';`,
  (s, n) => `import type { Type${n} } from '${s}';`,
  (s, n) => `export { value${n} as again${n} } from '${s}';`,
  (s) => `export * from '${s}';`,
  (s) => `await import('${s}');`,
  (s) => `await import(\`${s}\`);`,
  (s, n) => `export type Inline${n} = import('${s}').Type;`,
  (s, n) => `import required${n} = require('${s}');`,
  (s) => `require('${s}');`,
  (s) => `require.resolve('${s}');`,
  (s) => `import.meta.resolve('${s}');`,
  (s) => `createRequire(import.meta.url)('${s}');`,
  (s) => `load('${s}');`,
  (s) => `process.getBuiltinModule('${s}');`,
];
const LOADER = 'const load = createRequire(import.meta.url);';

/** Planted beside the table's rows: file to lines, each on its own. */
const OTHERS = {
  'harness/record/ring-a.ts': ["import { b } from './ring-b.js';", 'export const a = () => b;'],
  'harness/record/ring-b.ts': ["import { a } from './ring-a.js';", 'export const b = () => a;'],
  'harness/record/type-ring-a.ts': ["import type { B } from './type-ring-b.js';", 'export type A = B[];'],
  'harness/record/type-ring-b.ts': ["import type { A } from './type-ring-a.js';", 'export type B = A | 1;'],
  'bench/ring/worker.ts': ["export const a = () => import('./late.js');"],
  'bench/ring/late.ts': ["export const b = () => import('./worker.js');"],
  'harness/record/planted.test.ts': [
    "import 'execa';",
    "import '../savers/sqlite.js';",
    'await import(name);',
  ],
  'fixtures/children/planted.mjs': ["import 'node:child_process';", "import '../../dist/a.js';"],
  'harness/controller/worker-url.ts': ["new URL('../../bench/other/worker.js', import.meta.url);"],
  'harness/unnamed/planted.ts': ['export const value = 1;'],
} as const;
const COMPUTED_OPEN = ['savers', 'runtime', 'graphs', 'verify'].map((room) => `harness/${room}/computed.ts`);
const COMPUTED_CLOSED = [
  ...['record', 'process', 'chain', 'servers', 'audit', 'controller'].map(
    (room) => `harness/${room}/computed.ts`,
  ),
  'bench/computed/matrix.ts',
  'bench/commands/computed.ts',
  'bench/self/computed.ts',
  'summarize/computed.ts',
];
const COMPUTED_LINES = ['await import(name);', 'await import(`../${name}.js`);', 'require(name);'];
const COMPUTED_NAME_ONLY = 'import.meta.resolve(name);';

interface Refusal {
  readonly rule: string;
  readonly line: number;
  readonly message: string;
}

let root = '';
let refusals: Map<string, Refusal[]>;

beforeAll(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'doors-')));
  for (const name of ['oxlint.json', 'doors.js', 'knip.json']) {
    cpSync(path.join(CONFIG_FOLDER, name), at(`.config/${name}`));
  }
  for (const file of Object.values(FILES)) plant(file, ['export {};']);
  plant('package.json', ['{ "name": "planted" }']);
  for (const { file, opens } of ROWS) plant(file, plantedLines(file, opens).map(textOf));
  for (const [file, lines] of Object.entries(OTHERS)) plant(file, lines);
  for (const file of [...COMPUTED_OPEN, ...COMPUTED_CLOSED])
    plant(file, [...COMPUTED_LINES, COMPUTED_NAME_ONLY]);
  refusals = lint();
});

afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});

describe.each(ROWS)('A file like $file', ({ file, opens }) => {
  it('is refused every import that its row does not list, in every form, by a message that names it', () => {
    const expected = plantedLines(file, opens).filter(({ refused }) => refused);
    const found = doorRefusals(file);
    expect(statementsAt(file, found)).toEqual(expected.map(textOf));
    expect(found.filter(({ message }) => !message.startsWith(`${file} is in the room `))).toEqual([]);
  });

  it('may import all that its row lists', () => {
    const allowed = plantedLines(file, opens).filter(({ refused }) => !refused);
    const refused = new Set(statementsAt(file, doorRefusals(file)));
    expect(allowed.length).toBeGreaterThanOrEqual(FORMS.length);
    expect(allowed.filter(({ text }) => refused.has(text))).toEqual([]);
  });
});

describe('A specifier that is computed', () => {
  it.each(COMPUTED_CLOSED)('is refused where it loads in %s, whose room is closed to LangGraph', (file) => {
    expect(statementsAt(file, doorRefusals(file))).toEqual(COMPUTED_LINES);
    expect(doorRefusals(file)[0]?.message).toContain('by a computed name');
  });

  it.each(COMPUTED_OPEN)('is accepted in %s, whose room may load any package', (file) => {
    expect(doorRefusals(file)).toEqual([]);
  });
});

describe('The doors', () => {
  it('stand open for tests and for children that misbehave on purpose', () => {
    expect(doorRefusals('harness/record/planted.test.ts')).toEqual([]);
    expect(doorRefusals('fixtures/children/planted.mjs')).toEqual([]);
  });

  it('let the controller name a worker by URL', () => {
    expect(doorRefusals('harness/controller/worker-url.ts')).toEqual([]);
  });

  it('refuse a file that is in no room, whatever it imports', () => {
    const message = doorRefusals('harness/unnamed/planted.ts')[0]?.message;
    expect(message).toMatch(/^harness\/unnamed\/planted\.ts is in no room of the table/);
  });

  it('say in a refusal which room the target is in and what the importing room may import', () => {
    const messages = doorRefusals('harness/savers/planted.ts').map(({ message }) => message);
    expect(messages).toContain(
      "harness/savers/planted.ts is in the room harness/savers and must not import '../audit/decode.js', which is " +
        'harness/audit/decode.ts in harness/audit. The room harness/savers may import: harness/record, ' +
        'harness/chain, harness/savers; any package.',
    );
  });
});

describe('A cycle', () => {
  it.each(['ring', 'type-ring'])('of imports is refused at both ends (%s)', (ring) => {
    const ends = [`harness/record/${ring}-a.ts`, `harness/record/${ring}-b.ts`];
    expect(
      ends.filter((file) => !refusals.get(file)?.some(({ rule }) => rule === 'import(no-cycle)')),
    ).toEqual([]);
  });

  it('of dynamic imports only, which the linter does not follow, is reported by knip', () => {
    const report: { issues: { file: string; cycles?: unknown[] }[] } = JSON.parse(
      run('knip', '-c', '.config/knip.json', '--reporter', 'json'),
    );
    const cyclic = report.issues.filter(({ cycles }) => cycles?.length).map(({ file }) => file);
    expect(cyclic).toContain('bench/ring/late.ts');
  });
});

/** The lines of a row's planted file, in order, each with what the row expects of it. */
function plantedLines(file: string, opens: readonly Target[]) {
  const targets = [
    ...Object.entries(FILES).map(([name, to]) => ({ name, specifier: relativeSpecifier(file, to) })),
    ...PACKAGES.map((specifier) => ({ name: specifier, specifier })),
  ];
  const lines = targets.flatMap(({ name, specifier }, n) => {
    const refused = !opens.some((open) => open === name);
    return FORMS.map((form, k) => ({ text: form(specifier, n * FORMS.length + k), refused }));
  });
  return [{ text: LOADER, refused: false }, ...lines];
}

function relativeSpecifier(file: string, target: string): string {
  const relative = path.posix.relative(path.posix.dirname(file), target).replace(/\.ts$/, '.js');
  return relative.startsWith('.') ? relative : `./${relative}`;
}

/** The planted statements that were refused, in their order. */
function statementsAt(file: string, found: readonly Refusal[]): string[] {
  const lines = readFileSync(at(file), 'utf8').split('\n');
  const numbers = [...new Set(found.map(({ line }) => line))];
  return numbers.toSorted((a, b) => a - b).map((line) => lines[line - 1] ?? '');
}

function doorRefusals(file: string): Refusal[] {
  return (refusals.get(file) ?? []).filter(({ rule }) => rule === 'doors(import-doors)');
}

/** One run of the real linter over the planted project. */
function lint(): Map<string, Refusal[]> {
  const { diagnostics } = JSON.parse(run('oxlint', '-c', '.config/oxlint.json', '--format', 'json'));
  const byFile = new Map<string, Refusal[]>();
  for (const { filename, code, message, labels } of diagnostics) {
    const refusal = { rule: code, line: labels[0]?.span.line ?? 0, message };
    byFile.set(filename, [...(byFile.get(filename) ?? []), refusal]);
  }
  return byFile;
}

/** What a tool of this project prints about the planted one; its exit code only says that it found something. */
function run(tool: string, ...args: string[]): string {
  const bin = path.join(CONFIG_FOLDER, '../node_modules/.bin', tool);
  return spawnSync(process.execPath, [bin, ...args], { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 })
    .stdout;
}

function textOf({ text }: { text: string }): string {
  return text;
}

function at(file: string): string {
  return path.join(root, file);
}

function plant(file: string, lines: readonly string[]): void {
  mkdirSync(path.dirname(at(file)), { recursive: true });
  writeFileSync(at(file), lines.join('\n'));
}
