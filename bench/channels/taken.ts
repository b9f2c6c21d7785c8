// Everything a writer child has measured of one case, before it becomes part of a row. Types only.

import type { PeakRssTaken } from '../../harness/process/usage.js';
import type { ChannelsCase } from '../../harness/record/case.js';
import type { ChannelsMeasurement, PinnedRead } from '../../harness/record/channels-measurement.js';
import type { HistoryStats } from '../../harness/runtime/history-cache/history-stats.js';
import type { FilesTaken } from '../../harness/savers/file-bytes.js';
import type { OpenStore } from '../../harness/savers/saver.js';
import type { Traffic } from '../../harness/savers/store-server.js';
import type { CallTotals } from './attribution.js';
import type { ModeCheck } from './check-mode.js';
import type { StateCheck } from './check-states.js';
import type { Floor } from './floor.js';
import type { ServerTaken } from './server-traffic.js';
import type { StorageDiagnosis } from '../../harness/savers/storage-diagnosis.js';
import type { TimedUpdates } from './timing.js';

export interface Taken {
  readonly case: ChannelsCase;
  readonly oracle: ChannelsMeasurement['oracle'];
  readonly check: StateCheck;
  readonly mode: ModeCheck;
  readonly updates: TimedUpdates;
  /** Milliseconds of each read, ascending; `coldReopenedMs` is null where nothing outlives the process. */
  readonly reads: {
    readonly warmMs: number[];
    readonly coldGraphMs: number[];
    readonly coldReopenedMs: number[] | null;
    readonly pinned: PinnedRead[];
    readonly calls: CallTotals;
    /** Of each warm read, with a server. */
    readonly warmTraffic: readonly Traffic[];
  };
  /** Null without a server. */
  readonly server: ServerTaken | null;
  readonly floor: Floor;
  readonly wal: OpenStore['wal'];
  readonly storage: StorageDiagnosis;
  /** Null where the saver keeps no files. */
  readonly files: FilesTaken;
  readonly peakRss: PeakRssTaken;
  /** Null without a cache of histories. */
  readonly historyCache: HistoryStats | null;
  readonly cpu: { readonly user: number; readonly system: number };
  readonly pragmas: Record<string, string | number>;
}
