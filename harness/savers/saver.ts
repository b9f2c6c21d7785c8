// What the harness needs of a saver's store beside the saver itself, and the registry that opens one by name.
// A child loads only the backend that its case names.

import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import type { StoredRecord } from '../chain/records.js';
import type { Backend } from '../record/names.js';

/** Sizes in bytes; null where the file does not exist. */
export interface FileBytes {
  readonly db: number | null;
  readonly wal: number | null;
  readonly shm: number | null;
}

/** An opened store. */
export interface OpenStore {
  readonly saver: BaseCheckpointSaver;
  /** All rows of a thread, undecoded, for diagnostics; throws when the saver's layout is not the known one. */
  records(threadId: string): Iterable<StoredRecord>;
  /** Sizes of the store's files now; null where there are none. */
  fileBytes(): FileBytes | null;
  /** Moves everything into the durable file, so that its size counts. */
  checkpointToDisk(): void;
  /** Settings that decide what a commit costs. */
  pragmas(): Record<string, string | number>;
  close(): void;
}

type OpenFunction = (storeDir: string) => OpenStore;

const OPENERS: Readonly<Record<Backend, () => Promise<OpenFunction>>> = {
  memory: async () => (await import('./memory.js')).openMemory,
  sqlite: async () => (await import('./sqlite.js')).openSqlite,
};

/** Opens the store of `backend` in `storeDir`, making it when it is not there. */
export async function openStore(backend: Backend, storeDir: string): Promise<OpenStore> {
  const open = await OPENERS[backend]();
  return open(storeDir);
}
