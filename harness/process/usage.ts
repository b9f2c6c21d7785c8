// What this process has used: peak resident memory by phase, and CPU time. Called inside the child that is measured.

import { readFileSync, writeFileSync } from 'node:fs';

export type PeakRssMethod = 'vm_hwm' | 'ru_maxrss';

/**
 * Peak resident memory of one phase after another.
 *
 * On Linux the kernel's high-water mark (VmHWM in /proc/self/status) is reset by writing 5 to /proc/self/clear_refs
 * (proc(5)). Elsewhere getrusage's maximum is reported, which never falls and starts at the parent's peak.
 */
export class PeakRss {
  readonly method: PeakRssMethod = resetHighWaterMark() ? 'vm_hwm' : 'ru_maxrss';

  /** Peak bytes since the phase before ended; starts the next phase. */
  endPhase(): number {
    const peakBytes = this.method === 'vm_hwm' ? (highWaterMarkBytes() ?? maxRssBytes()) : maxRssBytes();
    resetHighWaterMark();
    return peakBytes;
  }
}

function resetHighWaterMark(): boolean {
  try {
    writeFileSync('/proc/self/clear_refs', '5');
    return highWaterMarkBytes() !== null;
  } catch {
    return false;
  }
}

function highWaterMarkBytes(): number | null {
  const match = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'));
  return match === null ? null : Number(match[1]) * 1024;
}

function maxRssBytes(): number {
  return process.resourceUsage().maxRSS * 1024;
}

/** CPU time of the whole process so far, in milliseconds. */
export function cpuTimeMs(): { readonly user: number; readonly system: number } {
  const { user, system } = process.cpuUsage();
  return { user: user / 1000, system: system / 1000 };
}
