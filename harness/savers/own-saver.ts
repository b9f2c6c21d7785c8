// A saver of the user's own: what a module for `--saver` exports, and how it is loaded.

import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import { ownSaverSchema, type OwnSaver } from '../record/own-modules.js';

/** What a module for `deltaproof channels --saver FILE` exports by default. */
export interface SaverModule {
  /** Small letters, digits and dashes, at most 40; rows and reports call the saver by it. */
  readonly name: string;
  /**
   * Whether opening the folder of a store again finds what was stored, also in another process. If not, nothing is read
   * after reopening or in a fresh process.
   */
  readonly persistent: boolean;
  /**
   * Opens a saver on a store of its own: in the folder, which exists and is empty at first, or elsewhere, and the folder
   * says where. Called again for the same folder where the saver is persistent; the folder is removed after the case.
   */
  open(folder: string): OpenedSaver | Promise<OpenedSaver>;
}

/** An opened saver. */
export interface OpenedSaver {
  readonly saver: BaseCheckpointSaver;
  /** A second saver on the same store, as another process has it; without it the first one stands for both. */
  second?(): BaseCheckpointSaver;
  /** What the store holds of a thread, as far as it can tell; what is left out is null in the row. */
  storage?(threadId: string): ReportedStorage | Promise<ReportedStorage>;
  /** Closes what {@link SaverModule.open} has opened. */
  close?(): void | Promise<void>;
}

/** Rows and bytes of one thread, bytes as the saver serialized them. */
export interface ReportedStorage {
  readonly checkpointRows?: number;
  readonly writeRows?: number;
  readonly blobRows?: number;
  readonly checkpointPayloadBytes?: number;
  readonly blobBytes?: number;
  readonly metadataBytes?: number;
  readonly writeBytes?: number;
  /** The whole store on disk. */
  readonly durableBytes?: number;
}

/** Gives the module its type; it is returned as it is. */
export function defineSaver(module: SaverModule): SaverModule {
  return module;
}

const HOW = 'export default defineSaver({ name, persistent, open }), see deltaproof/savers';

/**
 * Loads a module for `--saver`.
 *
 * @param path absolute.
 * @throws Error, one sentence that names the file and what is missing; what the module itself throws as its cause.
 */
export async function loadSaver(path: string): Promise<SaverModule & OwnSaver> {
  const file = basename(path);
  const exported = (await import(pathToFileURL(path).href).catch((error: unknown) => {
    throw new Error(`${file} cannot be loaded: ${(error as Error).message}`, { cause: error });
  })) as { readonly default?: unknown };
  const module = exported.default as Partial<SaverModule> | undefined;
  if (typeof module !== 'object' || module === null) {
    throw new Error(`${file} has no default export; ${HOW}.`);
  }
  if (typeof module.open !== 'function') {
    throw new Error(`The default export of ${file} has no function open; ${HOW}.`);
  }
  const facts = ownSaverSchema.safeParse(module);
  if (facts.success) return module as SaverModule;
  const problems = facts.error.issues.map(({ path: where, message }) => `${where.join('.')} is ${message}`);
  throw new Error(`The default export of ${file} is not as it should be, ${problems.join(', ')}; ${HOW}.`);
}
