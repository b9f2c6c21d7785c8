// A saver and a graph of the user's own on the command line: their options, and what a child that loads them tells.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runChild } from '../../harness/process/child.js';
import { describeTask } from '../../harness/process/module-messages.js';
import { endedBadly } from '../../harness/controller/endings.js';
import { sha256Hex } from '../../harness/record/digest.js';
import { usageError } from '../../harness/record/errors.js';
import { ALL_BACKENDS, BACKENDS, type Backend } from '../../harness/record/names.js';
import type { ModulePaths, OwnGraph, OwnSaver } from '../../harness/record/own-modules.js';
import type { Provenance } from '../../harness/record/provenance.js';
import { scrub } from '../../harness/record/scrub.js';
import { BACKENDS_BY_DEFAULT, chosenOr, text } from './common-options.js';
import type { OptionValues } from './option-values.js';

const WORKER = new URL('../modules/worker.js', import.meta.url);
/** dist/bench/commands is three levels below the project. */
const PROJECT_DIR = fileURLToPath(new URL('../../../', import.meta.url));
const TIMEOUT_MS = 60_000;

export const SAVER_OPTION = text(
  'Your own',
  'Module with a saver, the backend custom; see deltaproof/savers',
);
export const GRAPH_OPTION = text('Your own', 'Module with a graph and its inputs; see deltaproof/graphs');

/** Throws CommandError (usage) for a file that is not there or cannot be a module. */
export function readModulePaths(values: OptionValues): ModulePaths {
  return { saver: modulePath(values, 'saver'), graph: modulePath(values, 'graph') };
}

function modulePath(values: OptionValues, option: 'saver' | 'graph'): string | null {
  const path = values.optionalPath(option);
  if (path === null) return null;
  if (!/\.[cm]?js$/.test(path)) {
    throw usageError(
      `--${option} ${path} is no JavaScript module; it accepts a file that ends in .mjs or .js.`,
    );
  }
  try {
    readFileSync(path);
  } catch (error) {
    throw usageError(`--${option} ${path} cannot be read: ${(error as Error).message}.`);
  }
  return path;
}

/** Throws CommandError (usage) where a module is named that nothing asks for, or asked for and not named. */
export function requireModule(
  option: 'saver' | 'graph',
  axis: 'backends' | 'workloads',
  path: string | null,
  isAskedFor: boolean,
): void {
  if (isAskedFor === (path !== null)) return;
  throw usageError(
    isAskedFor
      ? `--${axis} custom needs --${option} FILE.`
      : `--${option} is the one of --${axis} custom, which is not asked for: add custom or leave --${option} out.`,
  );
}

/** `--backends`, for a command that takes a saver of the user's own. */
export function backendsOption(group: string) {
  return text(group, `${BACKENDS.join(', ')}, custom [default: ${BACKENDS_BY_DEFAULT.join(',')}]`);
}

/** Without `--backends` those that need no server or, where there is one, the user's own saver. */
export function readBackends(values: OptionValues, { saver }: ModulePaths): readonly Backend[] {
  const backends = chosenOr(
    values,
    'backends',
    ALL_BACKENDS,
    saver === null ? BACKENDS_BY_DEFAULT : ['custom'],
  );
  requireModule('saver', 'backends', saver, backends.includes('custom'));
  return backends;
}

/** What is known of the modules of a run; null for one that it has not. */
export interface OwnModules {
  readonly ownSaver: OwnSaver | null;
  readonly ownGraph: OwnGraph | null;
  /** sha256 of the files, by the name of what they hold: rows of another file are other rows. */
  readonly sha256: Provenance['own_modules'];
}

/**
 * Where children with these modules find the packages under test: also the modules are then given these, so that a graph
 * and its saver are of one LangGraph.
 */
export function packagesForModules(paths: ModulePaths, packagesDir: string | null): string | null {
  return paths.saver === null && paths.graph === null ? packagesDir : (packagesDir ?? PROJECT_DIR);
}

/**
 * Loads the modules in a child.
 *
 * @throws CommandError (usage), one sentence, when one cannot be loaded or lacks something.
 */
export async function describeModules(paths: ModulePaths, packagesDir: string | null): Promise<OwnModules> {
  if (paths.saver === null && paths.graph === null) return { ownSaver: null, ownGraph: null, sha256: {} };
  const child = await runChild({
    worker: WORKER,
    task: describeTask(paths),
    packagesDir: packagesForModules(paths, packagesDir),
    timeoutMs: TIMEOUT_MS,
    maxRssBytes: null,
    signal: new AbortController().signal,
  });
  const { ending } = child;
  if (ending.kind === 'interrupted') throw new Error('Nothing interrupts this child.');
  if (ending.kind !== 'reported') {
    const { message } = endedBadly('child that loads your modules', ending, child, TIMEOUT_MS);
    throw usageError(message);
  }
  const { saver, graph } = ending.report;
  for (const module of [saver, graph]) {
    if (module !== null && 'problem' in module) throw usageError(scrub(module.problem));
  }
  const [ownSaver, ownGraph] = [saver as OwnSaver | null, graph as OwnGraph | null];
  const files = [
    [ownSaver && `saver ${ownSaver.name}`, paths.saver],
    [ownGraph && `graph ${ownGraph.name}`, paths.graph],
  ].filter((file): file is [string, string] => file[0] != null && file[1] != null);
  return {
    ownSaver,
    ownGraph,
    sha256: Object.fromEntries(files.map(([name, path]) => [name, sha256Hex(readFileSync(path))])),
  };
}
