// What this process has used: peak resident memory by phase, CPU time, and bytes written. Called inside the child that is measured.

import { readFileSync, writeFileSync } from 'node:fs';

type PeakRssMethod = 'vm_hwm' | 'ru_maxrss';

/** Peak bytes of the phases of a case. */
export interface PeakRssTaken {
  readonly method: PeakRssMethod;
  readonly peakLoadBytes: number;
  readonly peakWriteBytes: number;
  readonly peakReadBytes: number;
}

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

/**
 * Bytes that the whole process has written so far, from /proc/self/io (proc(5)); null where there is none.
 *
 * `wcharBytes` is what was passed to write calls, to files, pipes and terminals alike, whether or not it reached a
 * disk. `writeBytes` is what was sent towards storage: a page counts when it becomes dirty, nothing counts on tmpfs.
 * Neither sees what is written through shared memory, such as SQLite's wal-index.
 */
export function processIo(): { readonly wcharBytes: number; readonly writeBytes: number } | null {
  try {
    const text = readFileSync('/proc/self/io', 'utf8');
    const bytes = (name: string) =>
      Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
    const io = { wcharBytes: bytes('wchar'), writeBytes: bytes('write_bytes') };
    return Number.isNaN(io.wcharBytes + io.writeBytes) ? null : io;
  } catch {
    return null;
  }
}
