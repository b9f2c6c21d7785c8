// Where stores live meanwhile: how much is free there, and what kind of place it is.

import { freeSpace, type FreeSpace } from '../../../harness/record/environment.js';
import { formatQuantity } from '../../../summarize/quantities.js';
import type { CheckResult, Subject } from './check.js';

/** Stores of the larger cases of a sweep, with what is written while one is copied for its floor. */
const ENOUGH_BYTES = 2_000_000_000;

const ELSEWHERE = 'name a folder on a local disk: --work-dir DIR, or TMPDIR';

export function checkDisk({ workDir }: Subject): CheckResult[] {
  return judgeDisk(freeSpace(workDir));
}

export function judgeDisk({ freeBytes, fileSystem }: FreeSpace): CheckResult[] {
  const name = fileSystem?.name ?? null;
  const facts = { free_bytes: freeBytes, file_system: name };
  const free = formatQuantity(freeBytes, 'bytes');
  const where = `The work folder has ${free} free${name === null ? '' : ` on ${name}`}`;
  const warnings: { readonly what: string; readonly fix: string }[] = [];
  if (freeBytes < ENOUGH_BYTES) {
    const what = `${where}, less than 2 GB, which larger cases need; a plan tells its own peak with --dry-run.`;
    warnings.push({ what, fix: `free some, or ${ELSEWHERE}` });
  }
  if (fileSystem?.isMemory === true) {
    const what = `${where}, which is memory, not disk: stores take RAM, and times of files mean little.`;
    warnings.push({ what, fix: ELSEWHERE });
  }
  if (fileSystem?.isNetwork === true) {
    const what = `${where}, which is shared with another machine: SQLite's write-ahead log does not work there.`;
    warnings.push({ what, fix: ELSEWHERE });
  }
  if (warnings.length === 0) return [{ check: 'disk', status: 'fine', what: `${where}.`, facts, fix: null }];
  return warnings.map(({ what, fix }) => ({ check: 'disk', status: 'warning', what, facts, fix }));
}
