// What a store on a database server can tell beside its rows. Types only.

/** What passed between a saver and its server, over all of the saver's connections. */
export interface Traffic {
  /** Statements that the server completed, BEGIN and COMMIT among them. */
  readonly statements: number;
  /** Times that something was sent and its answer awaited. */
  readonly roundTrips: number;
  /** From sending to the first byte of the answer: the server's work and the way there and back. */
  readonly serverMs: number;
  /** From there to the rows: the rest of the answer arrives, and the driver parses it. */
  readonly parseMs: number;
}

/** Bytes on disk of one table. */
export interface RelationBytes {
  readonly heap: number;
  /** All its indexes. */
  readonly index: number;
  /** Its TOAST table, where large values are, with that one's index. */
  readonly toast: number;
}

export interface StoreServer {
  /** What passed since the last call. */
  takeTraffic(): Traffic;
  /** The median of some round trips that ask for nothing, in milliseconds. */
  roundTripMs(): Promise<number>;
  /** From here on the bytes of {@link walBytes} count. */
  startWal(): Promise<void>;
  /** Bytes of write-ahead log since {@link startWal}, or why they are not this store's alone. */
  walBytes(): Promise<{ readonly bytes: number } | { readonly reason: string }>;
  /** Of a thread, in all tables of the saver. */
  rowCount(threadId: string): Promise<number>;
  /** By table. */
  relationBytes(): Promise<Readonly<Record<string, RelationBytes>>>;
}
