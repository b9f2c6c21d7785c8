// Whether the mode of a case was in effect, by what its thread stored: the place of every snapshot, the whole value in
// full, and as many bytes as the mode stores. What cannot be looked at is undecided, never in effect.

import type { MeasuredWorkload } from '../../fixtures/workloads/workload.js';
import type { StorageStatistics } from '../../harness/chain/storage-statistics.js';
import type { ChildFailure } from '../../harness/process/case-messages.js';
import type { ChannelsCase } from '../../harness/record/case.js';
import { expectedInlineBytes } from '../../harness/record/expected-bytes.js';
import { capabilitiesOf } from '../../harness/record/names.js';
import type { ChannelsMeasurement } from '../../harness/record/channels-measurement.js';
import { threadShape, upperBoundReason } from '../../harness/record/workload-shape.js';
import type { OpenStore } from '../../harness/savers/saver.js';
import type { StorageDiagnosis } from '../../harness/savers/storage-diagnosis.js';
import { channelEvidence, marksOf, storedMode } from '../../harness/verify/stored-mode.js';
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
  const { evidence, ...seen } = await storedMode(statistics !== null, async () => {
    const model = workload.model?.(c) ?? {};
    const channels = workload.channels(c).map((channel) => ({
      ...channel,
      wholeValueMarks: marksOf(model[channel.channel] ?? []),
    }));
    const records = () => store.records(THREAD.configurable.thread_id);
    return (
      workload.modeProblem?.(c) ??
      (await channelEvidence(records, channels)) ??
      (statistics && bytesEvidence(c, statistics))
    );
  });
  const failure =
    evidence === null ? null : { reason: 'mode_not_in_effect' as const, message: evidence, difference: null };
  return { ...seen, failure };
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
