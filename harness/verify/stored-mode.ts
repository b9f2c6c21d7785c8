// Whether the mode of a thread was in effect, by what it stored. What cannot be looked at is undecided, never in effect.

import { modeNotInEffect, type ChannelExpectation } from '../chain/mode-in-effect.js';
import type { StoredRecord } from '../chain/records.js';
import type { StateRecord } from '../record/digest.js';
import { scrub } from '../record/scrub.js';
import type { VERDICTS } from '../record/verdict.js';

export interface StoredMode {
  readonly verdict: (typeof VERDICTS)[number];
  /** A whole sentence, where it was not in effect. */
  readonly evidence: string | null;
  /** Why the stored rows could not be understood, where they could be counted. */
  readonly problem: string | null;
}

/**
 * @param isCounted whether the stored rows could be counted at all.
 * @param look gives evidence that the mode was not in effect, or null; what it throws leaves the mode undecided.
 */
export async function storedMode(
  isCounted: boolean,
  look: () => Promise<string | null>,
): Promise<StoredMode> {
  if (!isCounted) return { verdict: 'undecided', evidence: null, problem: null };
  try {
    const evidence = await look();
    return { verdict: evidence === null ? 'holds' : 'violated', evidence, problem: null };
  } catch (error) {
    const problem = scrub(`The stored checkpoints are not understood: ${(error as Error).message}`);
    return { verdict: 'undecided', evidence: null, problem };
  }
}

/** Evidence in one of the channels, in their order; null for none. */
export async function channelEvidence(
  records: () => Promise<Iterable<StoredRecord>>,
  channels: readonly ChannelExpectation[],
): Promise<string | null> {
  for (const channel of channels) {
    const evidence = modeNotInEffect(await records(), channel);
    if (evidence !== null) return evidence;
  }
  return null;
}

/** The ids of the first and last element of a list, or the first and last key of a map: only the whole value has both. */
export function marksOf(elements: StateRecord[string]): string[] {
  const names = Array.isArray(elements)
    ? elements.map((element) => String((element as { id?: unknown }).id))
    : Object.keys(elements);
  return [...new Set([names.at(0), names.at(-1)])].filter((name) => name !== undefined);
}
