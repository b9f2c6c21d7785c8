// Whether the mode of a case was in effect, by what its thread stored: the place of every snapshot, the whole value in
// full, and as many bytes as the mode stores. What cannot be looked at is undecided, never in effect.

import type { MeasuredWorkload } from '../../fixtures/workloads/workload.js';
import { modeNotInEffect } from '../../harness/chain/mode-in-effect.js';
import type { StorageStatistics } from '../../harness/chain/storage-statistics.js';
import type { ChildFailure } from '../../harness/process/case-messages.js';
import type { ChannelsCase } from '../../harness/record/case.js';
import type { StateRecord } from '../../harness/record/digest.js';
import { expectedInlineBytes } from '../../harness/record/expected-bytes.js';
import { capabilitiesOf } from '../../harness/record/names.js';
import type { ChannelsMeasurement } from '../../harness/record/channels-measurement.js';
import { scrub } from '../../harness/record/scrub.js';
import { threadShape, upperBoundReason } from '../../harness/record/workload-shape.js';
import type { OpenStore } from '../../harness/savers/saver.js';
import type { StorageDiagnosis } from './metrics-of.js';
import { THREAD } from './timing.js';

/** How far stored bytes may be from the closed form, as a share of it and in bytes per checkpoint row: the first
 * checkpoints of a thread are smaller than the later ones. A copy of the value is off by far more. */
const TOLERANCE = 0.1;
const TOLERANCE_BYTES_PER_ROW = 100;

export interface ModeCheck {
  readonly verdict: ChannelsMeasurement['mode_verdict'];
  readonly failure: ChildFailure | null;
  /** Why the stored rows could not be understood, where they could be counted. */
  readonly problem: string | null;
}

/** Undecided when the stored rows could not be read or understood. */
export async function checkMode(
  store: OpenStore,
  c: ChannelsCase,
  workload: MeasuredWorkload,
  { statistics }: StorageDiagnosis,
): Promise<ModeCheck> {
  if (statistics === null) return { verdict: 'undecided', failure: null, problem: null };
  try {
    const evidence =
      workload.modeProblem?.(c) ??
      (await channelEvidence(store, c, workload)) ??
      bytesEvidence(c, statistics);
    if (evidence === null) return { verdict: 'holds', failure: null, problem: null };
    const failure: ChildFailure = { reason: 'mode_not_in_effect', message: evidence, difference: null };
    return { verdict: 'violated', failure, problem: null };
  } catch (error) {
    const problem = scrub(`The stored checkpoints are not understood: ${(error as Error).message}`);
    return { verdict: 'undecided', failure: null, problem };
  }
}

/** Evidence in one of the workload's channels. */
async function channelEvidence(
  store: OpenStore,
  c: ChannelsCase,
  workload: MeasuredWorkload,
): Promise<string | null> {
  const model = workload.model?.(c) ?? {};
  for (const expectation of workload.channels(c)) {
    const evidence = modeNotInEffect(await store.records(THREAD.configurable.thread_id), {
      ...expectation,
      wholeValueMarks: marksOf(model[expectation.channel] ?? []),
    });
    if (evidence !== null) return evidence;
  }
  return null;
}

/** The ids of the first and last element of a list, or the first and last key of a map. */
function marksOf(elements: StateRecord[string]): string[] {
  const names = Array.isArray(elements)
    ? elements.map((element) => String((element as { id?: unknown }).id))
    : Object.keys(elements);
  return [...new Set([names.at(0), names.at(-1)])].filter((name) => name !== undefined);
}

/** Copies of the value in places that no rule names show in the bytes, where the closed form is exact. */
function bytesEvidence(c: ChannelsCase, stored: StorageStatistics): string | null {
  if (upperBoundReason(c.workload) !== null) return null;
  if (capabilitiesOf(c).valueLayout !== 'inline') return null;
  const expected = expectedInlineBytes(threadShape(c));
  const parts = [
    ['checkpoint payloads', stored.checkpointPayloadBytes, expected.checkpointPayload],
    ['metadata', stored.metadataBytes, expected.metadata],
    ['write rows', stored.writeBytes, expected.writes],
  ] as const;
  const slackBytes = TOLERANCE_BYTES_PER_ROW * stored.checkpointRows;
  const off = parts.find(([, actual, due]) => Math.abs(actual - due) > TOLERANCE * due + slackBytes);
  if (off === undefined) return null;
  const [what, actual, due] = off;
  return `The thread holds ${actual} bytes of ${what} where ${c.mode} mode stores about ${Math.round(due)}.`;
}
