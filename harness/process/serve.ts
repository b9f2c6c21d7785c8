// The life of a child that answers one request: it takes stdout for the report before anything that is measured or tested is
// loaded, and ends when the report is sent. Nothing but what Node brings is imported here.

import { createRequire } from 'node:module';
import { PeakRss } from './usage.js';

const requireModule = createRequire(import.meta.url);

/** What a worker loads once stdout is claimed. */
interface Answers {
  /** @param peakRss begun before anything under test was loaded. */
  readonly answer: (request: unknown, peakRss: PeakRss) => Promise<object>;
}

/**
 * Never returns. Each worker names its own module twice, since it is loaded in one of two ways.
 *
 * @param atOnce requires the module.
 * @param inTurns imports it.
 */
export async function serve(atOnce: () => unknown, inTurns: () => Promise<Answers>): Promise<never> {
  const { claimStdout, receiveRequest } = await loaded(
    () => requireModule('./protocol.js'),
    () => import('./protocol.js'),
  );
  const send = claimStdout();
  const request = await receiveRequest();
  const peakRss = new PeakRss();
  const { answer } = await loaded(atOnce, inTurns);
  await send(await answer(request, peakRss));
  // A saver may hold handles that would keep a finished child waiting.
  process.exit(0);
}

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
