// The channel mode of this process, how its checkpoints are marked, and how a thread's mode is told from what is stored.

import type { CheckpointMetadata } from '@langchain/langgraph-checkpoint';
import { MODES, type Mode } from '../record/names.js';
import { CheckpointModeReconfigurationError } from './errors.js';
import type { ChannelMode } from './terms.js';

/** In the metadata of every checkpoint that was written in delta mode. Without it a checkpoint is one of full mode. */
export const MODE_MARKER = 'deltaproof_channel_mode';

export interface ChannelModeOptions {
  readonly mode: Mode;
  /** K in updates, needed in delta mode; without meaning in full mode. */
  readonly snapshotFrequency?: number | null | undefined;
}

/** One for the process, also where two copies of this package are loaded. */
const FROZEN = Symbol.for('deltaproof.channel_mode');
const holder = globalThis as { [FROZEN]?: ChannelMode };

/**
 * Sets the mode of the process; the same again is fine. All processes on one database must have the same mode and the
 * same cadence. The cadence is part of the graph and is not stored with checkpoints, so nothing can tell there that two
 * processes disagree on it.
 *
 * @throws CheckpointModeReconfigurationError when the process has another; RangeError for a mode that is none,
 *   and in delta mode for a K that is no positive integer.
 */
export function freezeChannelMode({ mode, snapshotFrequency = null }: ChannelModeOptions): ChannelMode {
  if (!MODES.includes(mode)) {
    throw new RangeError(`The channel mode is one of ${MODES.join(', ')}, and this is ${shown(mode)}.`);
  }
  if (mode === 'delta' && !(Number.isSafeInteger(snapshotFrequency) && Number(snapshotFrequency) > 0)) {
    throw new RangeError(
      `Delta mode needs a snapshotFrequency, a whole number of updates from 1 on, and this is ${shown(snapshotFrequency)}.`,
    );
  }
  const asked: ChannelMode = Object.freeze({
    mode,
    snapshotFrequency: mode === 'delta' ? snapshotFrequency : null,
  });
  const frozen = (holder[FROZEN] ??= asked);
  if (frozen.mode !== asked.mode || frozen.snapshotFrequency !== asked.snapshotFrequency) {
    throw new CheckpointModeReconfigurationError(frozen, asked);
  }
  return frozen;
}

function shown(value: unknown): string {
  return typeof value === 'string' ? `the text ${JSON.stringify(value)}` : String(value);
}

/** The mode of the process; null before it is set. */
export function frozenChannelMode(): ChannelMode | null {
  return holder[FROZEN] ?? null;
}

/** The metadata as it is stored in this mode. */
export function marked(metadata: CheckpointMetadata, { mode }: ChannelMode): CheckpointMetadata {
  return mode === 'full' ? metadata : Object.assign({ [MODE_MARKER]: 'delta' }, metadata);
}

/**
 * By what a checkpoint shows that it was written in delta mode; null for one of full mode. LangGraph counts the updates
 * of delta channels in `counters_since_delta_snapshot`, so threads that never met this runtime are recognised as well.
 */
export function deltaSign(metadata: CheckpointMetadata | undefined): 'marker' | 'counters' | null {
  const fields = (metadata ?? {}) as Readonly<Record<string, unknown>>;
  if (fields[MODE_MARKER] === 'delta') return 'marker';
  const counters = fields['counters_since_delta_snapshot'] ?? {};
  return Object.keys(counters).length > 0 ? 'counters' : null;
}
