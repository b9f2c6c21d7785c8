// Tells a running process from one that has ended, also when its id was given to another since. Used for locks and
// work folders that outlive a kill.

import { readFileSync, readlinkSync } from 'node:fs';

export interface ProcessIdentity {
  readonly pid: number;
  /** Start time in clock ticks since boot; `-` where there is no /proc. */
  readonly start: string;
  /** Which process table the id belongs to (a container has its own); `-` where there is no /proc. */
  readonly table: string;
}

/** Who this process is. */
export function ownIdentity(): ProcessIdentity {
  return identityOf(process.pid);
}

/** Who has that id now. */
export function identityOf(pid: number): ProcessIdentity {
  return { pid, start: startTicks(pid) ?? '-', table: processTable() };
}

/** `ended` is certain; a process of another process table cannot be looked up and counts as `elsewhere`. */
export function processState(identity: ProcessIdentity): 'running' | 'ended' | 'elsewhere' {
  if (identity.table !== processTable()) return 'elsewhere';
  try {
    process.kill(identity.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return 'ended';
  }
  const start = startTicks(identity.pid);
  return start === null || identity.start === '-' || start === identity.start ? 'running' : 'ended';
}

/** Field 22 of /proc/PID/stat (proc(5)); a zombie counts as ended. Null where there is no /proc. */
function startTicks(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? 'zombie' : (fields[19] ?? null);
  } catch {
    return null;
  }
}

function processTable(): string {
  try {
    return readlinkSync('/proc/self/ns/pid').replace(/\D/g, '');
  } catch {
    return '-';
  }
}
