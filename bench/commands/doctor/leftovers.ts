// Work folders that killed runs of this tool have left, and their removal where it was asked for.

import { relative } from 'node:path';
import { folderBytes, listLeftovers, removeLeftover } from '../../../harness/process/work-folder.js';
import { formatQuantity } from '../../../summarize/quantities.js';
import { quoted } from '../resume-command.js';
import type { CheckResult, Subject } from './check.js';

const CHECK = 'leftovers';

export function checkLeftovers({ workDir, workDirNamed, clean }: Subject): CheckResult[] {
  const found = leftoversIn(workDir);
  if (found === null) return [cannotLook()];
  const bytes = found.map(folderBytes).reduce((sum, each) => sum + each, 0);
  const left = clean ? found.filter((path) => !removeLeftover(path)).length : found.length;
  const where = workDirNamed ? ` --work-dir ${quoted(relative('.', workDir) || '.')}` : '';
  return [judgeLeftovers({ found: found.length, left, bytes, clean }, `deltaproof doctor --clean${where}`)];
}

/** Null where the folder may not be read. */
function leftoversIn(workDir: string): readonly string[] | null {
  try {
    return listLeftovers(workDir);
  } catch {
    return null;
  }
}

function cannotLook(): CheckResult {
  const what = 'The work folder cannot be read, so what ended runs have left there is not known.';
  const fix = 'name a folder that can be read: --work-dir DIR, or TMPDIR';
  return { check: CHECK, status: 'warning', what, facts: {}, fix };
}

/** How many folders were found, how many of them are still there, and what all took. */
export interface Leftovers {
  readonly found: number;
  readonly left: number;
  readonly bytes: number;
  readonly clean: boolean;
}

export function judgeLeftovers({ found, left, bytes, clean }: Leftovers, cleanLine: string): CheckResult {
  const facts = { folders_found: found, folders_left: left, bytes_found: bytes };
  if (found === 0) {
    return { check: CHECK, status: 'fine', what: 'No ended run has left a work folder.', facts, fix: null };
  }
  const folders = `${found} ${found === 1 ? 'work folder' : 'work folders'}`;
  const size = formatQuantity(bytes, 'bytes');
  if (left === 0) {
    const what = `Removed ${folders} of runs that have ended, ${size}.`;
    return { check: CHECK, status: 'fine', what, facts, fix: null };
  }
  return {
    check: CHECK,
    status: 'warning',
    what: clean
      ? `Of ${folders} of runs that have ended ${left} could not be removed.`
      : `Runs that have ended left ${folders}, ${size}.`,
    facts,
    fix: clean ? 'remove them as the user whom they belong to, with rm -r' : cleanLine,
  };
}
