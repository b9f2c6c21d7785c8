// Whether something else keeps the processors busy.

import { availableParallelism, platform } from 'node:os';
import { loadNow } from '../../../harness/record/environment.js';
import type { CheckResult } from './check.js';

export function checkLoad(): CheckResult[] {
  return [judgeLoad(platform() === 'win32' ? null : loadNow(), availableParallelism())];
}

/**
 * A case keeps its writer busy, and beside it the controller, the collector and the kernel: half of the cores.
 *
 * @param load one-minute average; null where the system has none.
 */
export function judgeLoad(load: number | null, cores: number): CheckResult {
  const facts = { load_1m: load, cores };
  if (load === null) {
    const what = `This system tells no load average; it has ${cores} cores.`;
    return { check: 'load', status: 'fine', what, facts, fix: null };
  }
  const isBusy = load > cores / 2;
  const found = `The load of the last minute is ${load} on ${cores} ${cores === 1 ? 'core' : 'cores'}`;
  return {
    check: 'load',
    status: isBusy ? 'warning' : 'fine',
    what: isBusy ? `${found}, more than half of them: what is timed waits for other processes.` : `${found}.`,
    facts,
    fix: isBusy ? 'end what runs beside, wait a minute, and look again' : null,
  };
}
