// A graph of the user's own: what a module for `--graph` exports, and how it is loaded.

import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import type { Mode } from '../record/names.js';
import { ownGraphSchema, type OwnGraph } from '../record/own-modules.js';
import type { GraphOrAgent } from './reducers-of.js';

/** With what a graph is built. */
export interface GraphBuild {
  /** To be given to `compile` as `checkpointer`. */
  readonly saver: BaseCheckpointSaver;
  readonly mode: Mode;
  /** K of the delta channels, in updates; null in full mode. */
  readonly snapshotFrequency: number | null;
}

/** What the input of a turn can be made of. */
export interface TurnOptions {
  /** p, of `--payload-bytes`. */
  readonly payloadBytes: number;
}

/** What a module for `deltaproof channels --graph FILE` exports, by name. */
export interface GraphModule {
  /**
   * Compiles the graph in the mode that is asked for, with a state that is the same in both. Called many times, also in one
   * process: whatever a run keeps it must keep in the graph, not in the module.
   */
  readonly build: (options: GraphBuild) => RunnableGraph | Promise<RunnableGraph>;
  /**
   * What turn number `turn`, from 0, gives to `invoke`; the same for the same arguments.
   *
   * @param rng numbers from 0 up to 1, the same ones for a turn and the seed of the run.
   */
  readonly input: (turn: number, rng: () => number, options: TurnOptions) => unknown;
  /** The channels of the state that count; without it all that `invoke` returns. */
  readonly channels?: readonly string[];
  /** Small letters, digits and dashes, at most 40; without it the name of the file. */
  readonly name?: string;
}

/** A compiled graph or an agent. */
export type RunnableGraph = GraphOrAgent & {
  invoke(input: never, config: never): Promise<unknown>;
  getState(config: never): Promise<{ readonly values: unknown }>;
};

export type LoadedGraph = GraphModule & OwnGraph;

/**
 * Loads a module for `--graph`.
 *
 * @param path absolute.
 * @throws Error, one sentence that names the file and what is missing; what the module itself throws as its cause.
 */
export async function loadGraph(path: string): Promise<LoadedGraph> {
  const file = basename(path);
  const module = (await import(pathToFileURL(path).href).catch((error: unknown) => {
    throw new Error(`${file} cannot be loaded: ${(error as Error).message}`, { cause: error });
  })) as Partial<GraphModule>;
  for (const name of ['build', 'input'] as const) {
    if (typeof module[name] === 'function') continue;
    throw new Error(
      `${file} does not export ${name}: build({ saver, mode, snapshotFrequency }) and input(turn, rng) are due, see deltaproof/graphs.`,
    );
  }
  const { build, input, channels } = module as GraphModule;
  if (channels !== undefined && !isListOfTexts(channels)) {
    throw new Error(`channels of ${file} is no list of names of channels.`);
  }
  const named = ownGraphSchema.safeParse({ name: module.name ?? fileName(file) });
  if (!named.success) {
    throw new Error(`name of ${file} is not one of small letters, digits and dashes, at most 40.`);
  }
  return { build, input, ...named.data, ...(channels === undefined ? {} : { channels }) };
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** `My_Graph.mjs` is `my-graph`. */
function fileName(file: string): string {
  const stem = file.replace(/\.[^.]*$/, '').toLowerCase();
  return stem
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 40);
}
