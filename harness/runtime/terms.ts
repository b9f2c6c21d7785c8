// What the runtime and its errors speak of. Types only.

import type { Mode } from '../record/names.js';

export interface ChannelMode {
  readonly mode: Mode;
  /** K of every delta channel, in updates; null in full mode. */
  readonly snapshotFrequency: number | null;
}

/** A checkpoint, by what savers know it by. */
export interface CheckpointPlace {
  readonly threadId: string;
  /** Empty for the root. */
  readonly namespace: string;
  /** Null: the newest. */
  readonly checkpointId: string | null;
}
