// The child of `deltaproof channels`: one case in, one report out. Imports nothing that is measured before stdout is
// taken for the report.

import { createRequire } from 'node:module';
import { PeakRss } from '../../harness/process/usage.js';

const requireModule = createRequire(import.meta.url);

const { claimStdout, receiveRequest } = await loaded(
  () => requireModule('../../harness/process/protocol.js'),
  () => import('../../harness/process/protocol.js'),
);
const send = claimStdout();
const request = await receiveRequest();
const peakRss = new PeakRss();
const { answer } = await loaded(
  () => requireModule('./answer.js'),
  () => import('./answer.js'),
);
await send(await answer(request, peakRss));
// A saver may hold handles that would keep a finished child waiting.
process.exit(0);

/**
 * One of this project's modules with all that it imports, of the same files either way. LangGraph alone has some 590
 * of them, and `require` reads and links a graph of ES modules without a turn of the event loop for each.
 */
async function loaded<Module>(atOnce: () => unknown, inTurns: () => Promise<Module>): Promise<Module> {
  // Node 20 asks no resolve hook about what a required module imports, and --packages is one.
  if (!process.features.require_module || process.env['DELTAPROOF_PACKAGES'] !== undefined) return inTurns();
  try {
    return atOnce() as Module;
  } catch (error) {
    // A package that awaits at its top level; nothing of the graph has run yet.
    if ((error as NodeJS.ErrnoException).code === 'ERR_REQUIRE_ASYNC_MODULE') return inTurns();
    throw error;
  }
}
