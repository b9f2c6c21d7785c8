// When to look at the write-ahead log. A look after every transaction is always exact, but takes a few percent of a short
// update with it; one after every update is exact as long as the log does not start over twice in between.

import type { WalMeter } from '../../harness/savers/wal-meter.js';

/** SQLite starts the log over once it has 1000 frames; an update of a tenth of them is looked at in every transaction. */
const FRAMES_OF_A_LONG_UPDATE = 100;

export class WalLooks {
  readonly #wal: Pick<WalMeter, 'sample' | 'frames'> | null;
  #framesBefore = 0;
  #isLong = false;

  constructor(wal: Pick<WalMeter, 'sample' | 'frames'> | null) {
    this.#wal = wal;
  }

  /** Looks if the update before was a long one: then a few microseconds are nothing. */
  afterTransaction(): void {
    if (this.#isLong) this.#wal?.sample();
  }

  /** Looks, outside of any timing. */
  afterUpdate(): void {
    if (this.#wal === null) return;
    this.#wal.sample();
    this.#isLong = this.#wal.frames - this.#framesBefore > FRAMES_OF_A_LONG_UPDATE;
    this.#framesBefore = this.#wal.frames;
  }
}
