// Work folders that killed runs of this tool have left, and their removal where it was asked for.

import { relative } from 'node:path';
import { folderBytes, listLeftovers, removeLeftover } from '../../../harness/process/work-folder.js';
import { formatQuantity } from '../../../summarize/quantities.js';
import { quoted } from '../resume-command.js';
import type { CheckResult, Subject } from './check.js';
import { cannotLook, leftoverResult, type Leftovers } from './leftover-result.js';

const UNREADABLE = 'The work folder cannot be read, so what ended runs have left there is not known.';

export function checkLeftovers({ workDir, workDirNamed, clean }: Subject): CheckResult[] {
  const found = leftoversIn(workDir);
  if (found === null)
    return [cannotLook(UNREADABLE, 'name a folder that can be read: --work-dir DIR, or TMPDIR')];
  const bytes = found.map(folderBytes).reduce((sum, each) => sum + each, 0);
  const left = clean ? found.filter((path) => !removeLeftover(path)).length : found.length;
  const where = workDirNamed ? ` --work-dir ${quoted(relative('.', workDir) || '.')}` : '';
  return [judgeLeftovers({ found: found.length, left, clean }, bytes, `deltaproof doctor --clean${where}`)];
}

/** Null where the folder may not be read. */
function leftoversIn(workDir: string): readonly string[] | null {
  try {
    return listLeftovers(workDir);
  } catch {
    return null;
  }
}

/** @param bytes of all that was found. */
export function judgeLeftovers(leftovers: Leftovers, bytes: number, cleanLine: string): CheckResult {
  const { found, left } = leftovers;
  const folders = `${found} ${found === 1 ? 'work folder' : 'work folders'}`;
  const size = formatQuantity(bytes, 'bytes');
  return leftoverResult(
    leftovers,
    { folders_found: found, folders_left: left, bytes_found: bytes },
    {
      none: 'No ended run has left a work folder.',
      removed: `Removed ${folders} of runs that have ended, ${size}.`,
      notRemoved: `Of ${folders} of runs that have ended ${left} could not be removed.`,
      there: `Runs that have ended left ${folders}, ${size}.`,
      cleanLine,
      byHand: 'remove them as the user whom they belong to, with rm -r',
    },
  );
}
