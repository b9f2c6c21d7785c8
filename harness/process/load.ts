// How a child loads its modules: fast where Node can, once stdout is claimed. Imports nothing.

/**
 * One of this project's modules with all that it imports, of the same files either way. LangGraph alone has some 590
 * of them, and `require` reads and links a graph of ES modules without a turn of the event loop for each.
 */
export async function loaded<Module>(atOnce: () => unknown, inTurns: () => Promise<Module>): Promise<Module> {
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
