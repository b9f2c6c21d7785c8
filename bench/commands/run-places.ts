// Where a run keeps its stores while it lasts: its work folder and, for a backend that needs one, its database server.

import { Places } from '../../harness/controller/places.js';
import { guardFolder } from '../../harness/process/child.js';
import { startServer } from '../../harness/process/postgres-server.js';
import { makeWorkFolder } from '../../harness/process/work-folder.js';
import { BACKEND_CAPABILITIES, type Backend } from '../../harness/record/names.js';

export interface PlacesOptions {
  readonly workDir: string;
  /** Null: a server of the run's own. */
  readonly postgresUri: string | null;
  readonly backends: readonly Backend[];
}

/**
 * Makes the places, hands them to `run`, and removes them when that is done.
 *
 * @throws CommandError (usage) when the folder cannot be made, (missing) when the server does not start or refuses.
 */
export async function withPlaces<T>(
  { workDir, postgresUri, backends }: PlacesOptions,
  run: (places: Places) => Promise<T>,
): Promise<T> {
  const workFolder = makeWorkFolder(workDir, guardFolder);
  try {
    const needsServer = backends.some((backend) => BACKEND_CAPABILITIES[backend].server);
    const server = needsServer ? await startServer(postgresUri, workFolder.serverFolder) : null;
    try {
      return await run(new Places(workFolder, server));
    } finally {
      await server?.stop();
    }
  } finally {
    workFolder.remove();
  }
}
