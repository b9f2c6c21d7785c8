// What the harness needs of a saver's store beside the saver itself, and the registry that opens one by name.
// A child loads only the backend that its case names.

import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import type { StoredRecord } from '../chain/records.js';
import type { Backend } from '../record/names.js';
import type { WalMeter } from './wal-meter.js';

/** Sizes in bytes; null where the file does not exist. */
export interface FileBytes {
  readonly db: number | null;
  readonly wal: number | null;
  readonly shm: number | null;
}

/** Which part of a thread a floor is asked for. */
export interface FloorRequest {
  readonly threadId: string;
  /** The newest checkpoint after each update, in order. */
  readonly headIds: readonly string[];
  /** Whether a read of the head walks back, as in delta mode. */
  readonly readsChain: boolean;
  /** The oldest checkpoint that such a read needs; null: the root. */
  readonly seedId: string | null;
}

/** The floor: the rows of a thread written and read with the bare driver, without saver and serialization. */
export interface StoreFloor {
  /** Writes all rows into a fresh database beside the store, in the saver's transaction pattern. */
  replayWrites(): FloorWrites;
  /** Reads the rows that a read of the head needs, and parses their JSON. */
  readHead(): unknown;
  /** Removes the fresh database. */
  close(): void;
}

export interface FloorWrites {
  /** All transactions. */
  readonly writeMs: number;
  /** The newest checkpoint and its writes selected once before each update, not parsed. */
  readonly headReadMs: number;
  readonly transactions: number;
  readonly rows: number;
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
  /** Null where there is no driver below the saver. */
  readonly openFloor: ((request: FloorRequest) => StoreFloor) | null;
  /** Looks at the write-ahead log after every write; null where there is none. */
  readonly wal: WalMeter | null;
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
