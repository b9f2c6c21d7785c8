import { expect, it } from 'vitest';
import { WalLooks } from './wal-looks.js';

/** A log of which every transaction writes `framesOf` frames; tells how often it was looked at. */
function looksAt(updates: readonly { transactions: number; framesOf: number }[]): number[] {
  const wal = {
    frames: 0,
    written: 0,
    looks: 0,
    sample: () => void ((wal.frames = wal.written), (wal.looks += 1)),
  };
  const looks = new WalLooks(wal);
  return updates.map(({ transactions, framesOf }) => {
    const before = wal.looks;
    for (let transaction = 0; transaction < transactions; transaction += 1) {
      wal.written += framesOf;
      looks.afterTransaction();
    }
    looks.afterUpdate();
    return wal.looks - before;
  });
}

it('looks once an update while updates are short, and at every transaction once one was long', () => {
  const short = { transactions: 5, framesOf: 20 };
  const long = { transactions: 5, framesOf: 21 };
  expect(looksAt([short, short, long, long, short, short])).toEqual([1, 1, 1, 6, 6, 1]);
});

it('does nothing where there is no log', () => {
  const looks = new WalLooks(null);
  expect(() => (looks.afterTransaction(), looks.afterUpdate())).not.toThrow();
});
