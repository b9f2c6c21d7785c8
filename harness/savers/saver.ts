// What the harness needs of a saver's store beside the saver itself, and the registry that opens one by name.
// A child loads only the backend that its case names.

import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import type { StoredRecord } from '../chain/records.js';
import type { Backend } from '../record/names.js';
import { NO_MODULES, type ModulePaths } from '../record/own-modules.js';
import type { StorePlace } from '../record/store-place.js';
import type { ReportedStorage } from './own-saver.js';
import type { StoreServer } from './store-server.js';
import type { WalMeter } from './wal-meter.js';

/** Sizes in bytes; null where the file does not exist. */
export interface FileBytes {
  readonly db: number | null;
  readonly wal: number | null;
  readonly shm: number | null;
}

/** Which thread to repeat, and what a read of its head needs. For a thread without forks. */
export interface FloorRequest {
  readonly threadId: string;
  /** The id of the head checkpoint after each update, in order. */
  readonly heads: readonly string[];
  /** The oldest checkpoint whose rows a read of the head needs; null: the root. Only where `readsChain`. */
  readonly seedId: string | null;
  /** True where a read of the head needs rows of its ancestors, as in delta mode. */
  readonly readsChain: boolean;
}

export interface FloorWrites {
  /** Milliseconds in the driver for all transactions, the log's automatic checkpoints included. */
  readonly writeMs: number;
  /** Milliseconds in the driver for selecting the head's rows, once before each update, unparsed. */
  readonly headReadMs: number;
  readonly transactions: number;
  /** Rows written, of all tables. */
  readonly rows: number;
}

/** The rows of a thread with the bare driver: no saver, no serializer, no graph. */
export interface StoreFloor {
  /**
   * Writes the thread into tables of its own beside the store, in the transactions of the saver: each checkpoint row by
   * itself or with its blobs, the write rows of each task of a checkpoint in one. Before each update the newest checkpoint and its write
   * rows are selected. The rows of an update are held in memory one update at a time and loaded outside the timing.
   *
   * An update has the checkpoints after the head before it up to its own, with all their write rows: those that a
   * later update added to an earlier checkpoint come with that checkpoint. Write rows beyond the last head are the last
   * update's. Every call starts over.
   *
   * @throws Error when the copy has not as many rows of the thread as the source.
   */
  replayWrites(): Promise<FloorWrites>;
  /**
   * Selects the rows that a read of the head needs, with two statements, and parses them. Needs
   * {@link replayWrites} before.
   *
   * Without `readsChain`: the head's checkpoint, metadata and writes. With it, those, and of all checkpoints from the seed
   * on their checkpoint and writes: a reader finds the seed by looking into each ancestor, and applies the seed's own
   * writes too. The metadata of ancestors is selected and not parsed. Payloads stay plain JSON; nothing is revived and
   * no channel is rebuilt.
   *
   * @returns everything parsed, so that no parsing can be left out.
   * @throws Error before {@link replayWrites}; SyntaxError when a payload is not JSON.
   */
  readHead(): unknown;
  /** Closes the copy and removes it. */
  close(): Promise<void>;
}

/** Changes the rows of a thread behind the saver, as a retention job or a copy in the database does. */
export interface RowEditor {
  /** Deletes these checkpoints of a thread in its root namespace, with the write rows that hang on them. */
  deleteCheckpoints(threadId: string, checkpointIds: readonly string[]): Promise<void>;
  /** Copies all rows of a thread, in all namespaces, to another thread id. */
  copyThread(fromThreadId: string, toThreadId: string): Promise<void>;
}

/** An opened store. */
export interface OpenStore {
  readonly saver: BaseCheckpointSaver;
  readonly rows: RowEditor;
  /** A second saver on the same store, as another process has it; closed with this one. */
  second(): { readonly saver: BaseCheckpointSaver };
  /** All rows of a thread, undecoded, for diagnostics; throws when the saver's layout is not the known one. */
  records(threadId: string): Promise<Iterable<StoredRecord>>;
  /** Rows and bytes as the saver itself tells them; absent where {@link records} gives the stored rows. */
  reportStorage?(threadId: string): Promise<ReportedStorage>;
  /** Sizes of the store's files now; null where there are none. */
  fileBytes(): FileBytes | null;
  /** Moves everything into the durable file, so that its size counts. */
  checkpointToDisk(): void;
  /** Null where there is no driver below the saver. */
  readonly openFloor: ((request: FloorRequest) => Promise<StoreFloor>) | null;
  /** Commits a row of these bytes with the driver, in a database of its own in memory; null where that cannot be. */
  readonly commitBeside: ((bytes: Uint8Array) => void) | null;
  /** Looks at the write-ahead log after every write; null where it is no file of the store. */
  readonly wal: WalMeter | null;
  /** Null where the store is not on a server. */
  readonly server: StoreServer | null;
  /** Settings that decide what a commit costs. */
  pragmas(): Promise<Record<string, string | number>>;
  close(): Promise<void>;
}

type OwnPaths = Pick<ModulePaths, 'saver'>;
type OpenFunction = (place: StorePlace) => Promise<OpenStore>;

const OPENERS: Readonly<Record<Backend, (savers: OwnPaths) => Promise<OpenFunction>>> = {
  memory: async () => (await import('./memory.js')).openMemory,
  sqlite: async () => (await import('./sqlite.js')).openSqlite,
  postgres: async () => (await import('./postgres.js')).openPostgres,
  custom: async ({ saver }) => {
    if (saver === null) throw new RangeError('The backend custom needs the module of a saver.');
    return (await import('./custom.js')).customOpener(saver);
  },
};

/**
 * Loads what `backend` needs. Opening with what is returned makes the store where it is not there.
 *
 * @param paths the module of the user's saver, for the backend custom.
 */
export function storeOpener(backend: Backend, paths: OwnPaths = NO_MODULES): Promise<OpenFunction> {
  return OPENERS[backend](paths);
}

/** Opens the store of `backend`, making it when it is not there. */
export async function openStore(backend: Backend, place: StorePlace): Promise<OpenStore> {
  return (await storeOpener(backend))(place);
}
