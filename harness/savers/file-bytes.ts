// Sizes of a store's files at the moments at which every case looks, as its row keeps them.

import type { FileBytes } from './saver.js';

/** Null where the saver keeps no files. */
export type FilesTaken = Readonly<Record<'afterWrites' | 'afterReads' | 'afterTruncate', FileBytes | null>>;

export function fileBytesFields({ afterWrites, afterReads, afterTruncate }: FilesTaken) {
  if (afterWrites === null || afterReads === null || afterTruncate === null) return null;
  return { after_writes: afterWrites, after_reads: afterReads, after_truncate: afterTruncate };
}
