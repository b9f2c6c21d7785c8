// All checks of `deltaproof doctor`, in the order in which they are made and told.

import { checkBackends } from './backends.js';
import type { Check, CheckResult, Subject } from './check.js';
import { checkDisk } from './disk.js';
import { checkInstallScripts } from './install-scripts.js';
import { checkLeftoverSchemas } from './leftover-schemas.js';
import { checkLeftovers } from './leftovers.js';
import { checkLoad } from './load.js';
import { checkNode } from './node-version.js';
import { checkPackages } from './packages.js';
import { checkTimer } from './timer.js';

const CHECKS: readonly Check[] = [
  checkNode,
  checkPackages,
  checkInstallScripts,
  checkBackends,
  checkDisk,
  checkTimer,
  checkLoad,
  checkLeftovers,
  checkLeftoverSchemas,
];

/** One after another: a check that runs beside another would be its noise. */
export async function examine(subject: Subject): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const check of CHECKS) results.push(...(await check(subject)));
  return results;
}
