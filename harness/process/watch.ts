// Looks at a child from outside while it runs, so that one that dies, hangs or is killed leaves its last memory and CPU.
// The child's own meters (usage.ts) are exact and go with its report; these are for children without one.

import pidusage from 'pidusage';

/** How often the child is looked at. */
const INTERVAL_MS = 500;

export interface LastUsage {
  /** Resident memory, in bytes. */
  readonly rss_bytes: number;
  /** User and system time so far, in milliseconds. */
  readonly cpu_ms: number;
  /** Milliseconds from the start of the child to this look at it. */
  readonly at_ms: number;
}

export interface Watch {
  /** What the last look saw; null when the child was gone before the first. */
  last(): LastUsage | null;
  stop(): void;
}

/** @param onSample is told of every look while the child runs. */
export function watchProcess(pid: number, onSample: (usage: LastUsage) => void): Watch {
  let last: LastUsage | null = null;
  let stopped = false;
  const look = async (): Promise<void> => {
    try {
      const { memory, ctime, elapsed } = await pidusage(pid);
      // A zombie has no memory any more; it says nothing about what the child held.
      if (stopped || memory === 0) return;
      last = { rss_bytes: memory, cpu_ms: Math.round(ctime), at_ms: Math.round(elapsed) };
      onSample(last);
    } catch {
      // The child has ended between two looks; what was seen before stands.
    }
  };
  const timer = setInterval(() => void look(), INTERVAL_MS);
  void look();
  return {
    last: () => last,
    stop: () => {
      stopped = true;
      clearInterval(timer);
    },
  };
}
