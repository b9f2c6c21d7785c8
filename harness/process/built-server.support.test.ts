// The built `startServer`, since its keeper is a program of the build. No tests here.

import type { startServer as StartServer } from './postgres-server.js';

export async function startBuiltServer(
  ...given: Parameters<typeof StartServer>
): ReturnType<typeof StartServer> {
  const built = new URL('../../dist/harness/process/postgres-server.js', import.meta.url).href;
  const { startServer } = (await import(built)) as { startServer: typeof StartServer };
  return startServer(...given);
}
