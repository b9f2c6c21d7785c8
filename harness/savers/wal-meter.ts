// Counts the frames that transactions leave in a SQLite write-ahead log, across restarts of the log, where the size of
// the file no longer tells. Reads the header of the wal-index, the `-shm` file, and asks the database nothing.

import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { endianness } from 'node:os';

/** Bytes of one copy of the wal-index header; https://sqlite.org/walformat.html, section 2.1. */
const INDEX_HEADER_BYTES = 48;
const INDEX_VERSION = 3_007_000;
const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** The checkpoint sequence number of the log's header, section 4.1 there; big-endian. */
const LOG_RESTARTS_OFFSET = 12;

/** Offsets into the wal-index header, in 32-bit words of native byte order, and one in 16-bit words. */
const WORD = { version: 0, change: 2, frames: 4, salt1: 8, salt2: 9 } as const;
const PAGE_SIZE_HALF_WORD = 7;

/** What the header of the wal-index says of the log. */
interface LogState {
  /** Counts transactions. */
  change: number;
  frames: number;
  salt1: number;
  salt2: number;
}

/**
 * Meters the log of one database file while one connection writes it. {@link sample} after every transaction is always
 * exact; less often it is as long as each restart of the log left the old frames readable, and {@link exact} tells. A
 * database that is closed and opened again needs another meter.
 *
 * Counts what is committed: frames of a transaction that was rolled back are not in it, and a page that a
 * transaction larger than the cache spills twice is one frame, though it was written twice.
 */
export class WalMeter {
  readonly #dbPath: string;
  readonly #header = new ArrayBuffer(INDEX_HEADER_BYTES);
  readonly #bytes = new Uint8Array(this.#header);
  readonly #words = new Uint32Array(this.#header);
  readonly #halfWords = new Uint16Array(this.#header);
  #indexFd: number | null = null;
  readonly #previous: LogState = { change: 0, frames: 0, salt1: 0, salt2: 0 };
  #begun = false;
  #frames = 0;
  #peakBytes = 0;
  #restarts = 0;
  #exact = true;

  /** @param dbPath the database file. Frames that its log holds already are not counted. */
  constructor(dbPath: string) {
    this.#dbPath = dbPath;
    if (!this.#readHeader()) return;
    this.#begun = true;
    this.#remember();
  }

  /** Frames that were appended to the log since the meter was made; 0 where there is no wal-index. */
  get frames(): number {
    return this.#frames;
  }

  /** The largest size in bytes that committed frames gave the log; 0 where there was none. */
  get peakBytes(): number {
    return this.#peakBytes;
  }

  /** How often the log, with frames in it, was begun anew. */
  get restarts(): number {
    return this.#restarts;
  }

  /** False once frames may have come and gone between two samples: {@link frames} and restarts are then at least. */
  get exact(): boolean {
    return this.#exact;
  }

  /**
   * Looks at the log now: one read of 48 bytes, once there is a wal-index. Where the log was begun anew and more than
   * one transaction was made since the last sample, also one small read for each frame that was not seen.
   *
   * @throws Error when the wal-index is of another version than SQLite has had since 3.7.0.
   */
  sample(): void {
    if (!this.#readHeader()) return;
    const previous = this.#previous;
    const frames = this.#word('frames');
    const transactions = (this.#word('change') - previous.change) >>> 0;
    const isSameLog =
      this.#word('salt1') === previous.salt1 &&
      this.#word('salt2') === previous.salt2 &&
      frames >= previous.frames;
    if (!this.#begun) {
      this.#begun = true;
      if (this.#restartedBefore(frames, transactions)) this.#exact = false;
      this.#frames += frames;
    } else if (isSameLog) {
      this.#frames += frames - previous.frames;
    } else {
      if (previous.frames > 0) this.#restarts += 1;
      const unseen = this.#unseenFrames(frames, transactions);
      if (unseen === null) this.#exact = false;
      this.#frames += (unseen ?? 0) + frames;
    }
    this.#remember();
  }

  /**
   * Closes the wal-index, if its database is closed; call it after that. Otherwise the file stays open until the process
   * ends: closing it would drop the locks that SQLite holds on it in this process
   * (https://sqlite.org/howtocorrupt.html, section 2.2).
   */
  close(): void {
    if (this.#indexFd === null) return;
    if (fstatSync(this.#indexFd).nlink === 0) closeSync(this.#indexFd);
    this.#indexFd = null;
  }

  #readHeader(): boolean {
    if (this.#indexFd === null) {
      const path = `${this.#dbPath}-shm`;
      if (!existsSync(path)) return false;
      this.#indexFd = openSync(path, 'r');
    }
    const read = readSync(this.#indexFd, this.#bytes, 0, INDEX_HEADER_BYTES, 0);
    if (read < INDEX_HEADER_BYTES || this.#word('version') === 0) return false;
    if (this.#word('version') !== INDEX_VERSION)
      throw new Error(`The wal-index has version ${this.#word('version')}; known is ${INDEX_VERSION}.`);
    return true;
  }

  #remember(): void {
    this.#previous.change = this.#word('change');
    this.#previous.frames = this.#word('frames');
    this.#previous.salt1 = this.#word('salt1');
    this.#previous.salt2 = this.#word('salt2');
    if (this.#previous.frames === 0) return;
    const frameBytes = FRAME_HEADER_BYTES + this.#pageBytes();
    this.#peakBytes = Math.max(this.#peakBytes, LOG_HEADER_BYTES + this.#previous.frames * frameBytes);
  }

  /** Whether the log that is met first had frames and was begun anew: its header counts how often. */
  #restartedBefore(frames: number, transactions: number): boolean {
    if (frames === 0) return transactions > 0;
    const logHeader = Buffer.alloc(LOG_HEADER_BYTES);
    const logFd = openSync(`${this.#dbPath}-wal`, 'r');
    readSync(logFd, logHeader, 0, LOG_HEADER_BYTES, 0);
    closeSync(logFd);
    return logHeader.readUInt32BE(LOG_RESTARTS_OFFSET) > 0;
  }

  /**
   * How many frames the log that was begun anew had beyond those of the last sample; null where that cannot be told. They
   * are still in the file, as far as new frames have not taken their place.
   */
  #unseenFrames(frames: number, transactions: number): number | null {
    // A transaction without frames in the new log had them in the old one.
    if (transactions === 0 || (transactions === 1 && frames > 0)) return 0;
    const current = { frames, salt1: this.#word('salt1'), salt2: this.#word('salt2') };
    const ended = framesOfEndedLog(`${this.#dbPath}-wal`, this.#previous, current, this.#pageBytes());
    return ended === null ? null : ended - this.#previous.frames;
  }

  /** 65536 does not fit in its 16 bits and stands there as 1. */
  #pageBytes(): number {
    const stored = this.#halfWords[PAGE_SIZE_HALF_WORD] ?? 0;
    return stored === 1 ? 65_536 : stored;
  }

  #word(name: keyof typeof WORD): number {
    return this.#words[WORD[name]] ?? 0;
  }
}

/**
 * How many committed frames a log had that was begun anew once since it was seen, from the headers of its frames (section
 * 4.2 there) that the new log has not overwritten; null where it was begun anew more often or too much is gone.
 */
function framesOfEndedLog(
  logPath: string,
  seen: Readonly<LogState>,
  current: Omit<LogState, 'change'>,
  pageBytes: number,
): number | null {
  if (bigEndian(current.salt1) !== (bigEndian(seen.salt1) + 1) >>> 0) return null;
  const frameBytes = FRAME_HEADER_BYTES + pageBytes;
  const header = new Uint32Array(FRAME_HEADER_BYTES / 4);
  const logFd = openSync(logPath, 'r');
  try {
    let committed = current.frames > seen.frames ? null : seen.frames;
    for (let frame = Math.max(seen.frames, current.frames); ; frame += 1) {
      const offset = LOG_HEADER_BYTES + frame * frameBytes;
      if (readSync(logFd, header, 0, FRAME_HEADER_BYTES, offset) === 0) {
        // The file ends where the old log did, unless it was truncated and the new log made this end.
        return fstatSync(logFd).size === offset && frame > current.frames ? committed : null;
      }
      const [, databasePages, salt1, salt2] = header;
      if (salt1 === current.salt1 && salt2 === current.salt2) return null;
      if (salt1 !== seen.salt1 || salt2 !== seen.salt2) return committed;
      if (databasePages !== 0) committed = frame + 1;
    }
  } finally {
    closeSync(logFd);
  }
}

/** The salts are kept as the big-endian bytes of the log's header. */
function bigEndian(word: number): number {
  return endianness() === 'BE'
    ? word
    : (((word & 0xff) << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24)) >>> 0;
}
