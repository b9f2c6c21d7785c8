// Versions of channels that no two branches of a thread share. A saver that stores one row per channel and version takes
// the second of two equal versions for the first.

import { randomInt } from 'node:crypto';
import { DelegatingSaver } from './delegating.js';

/** Digits of a version's ordinal, so that texts sort as the ordinals do; as in LangGraph for Python. */
const ORDINAL_DIGITS = 32;
const RANDOM_DIGITS = 14;

/**
 * Wraps a saver and counts the versions of channels by texts, `00000000000000000000000000000007.83651...`: an ordinal and random
 * digits. After a fork LangGraph counts on from the same version in both branches; with integers the two are equal, and
 * PostgresSaver keeps the value of the first branch only.
 *
 * A thread that was begun with integers goes on with integers, since the two do not compare: it stays as it was.
 */
export class UniqueVersionsSaver extends DelegatingSaver {
  /** @param current the highest version of the thread; undefined for its first. */
  override getNextVersion(current: number | string | undefined): number {
    if (typeof current === 'number') return super.getNextVersion(current);
    const ordinal = current === undefined ? 0 : Number.parseInt(current, 10);
    const text = `${String(ordinal + 1).padStart(ORDINAL_DIGITS, '0')}.${randomDigits()}`;
    // The type of a saver says number, but LangGraph takes texts as well: they are the versions of its Python savers.
    return text as unknown as number;
  }
}

function randomDigits(): string {
  return String(randomInt(2 ** 47))
    .padStart(RANDOM_DIGITS, '0')
    .slice(-RANDOM_DIGITS);
}
