// Schemas that ended runs of this tool have left on a server that the user has named, and their removal where it was
// asked for. A run's own server goes with the run.

import { startServer, type DatabaseServer } from '../../../harness/process/postgres-server.js';
import { CommandError } from '../../../harness/record/errors.js';
import { BACKEND_CAPABILITIES } from '../../../harness/record/names.js';
import { formatQuantity } from '../../../summarize/quantities.js';
import type { CheckResult, Subject } from './check.js';
import { cannotLook, leftoverResult } from './leftover-result.js';

const UNTOLD = 'The server does not tell which schemas ended runs have left';
const SHOWN_SCHEMAS = 8;

export async function checkLeftoverSchemas({
  backends,
  postgresUri,
  clean,
}: Subject): Promise<CheckResult[]> {
  if (postgresUri === null || !backends.some((backend) => BACKEND_CAPABILITIES[backend].server)) return [];
  let server: DatabaseServer | null = null;
  try {
    server = await startServer(postgresUri, '');
    return [await judgeSchemas(server, clean)];
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    // One that does not answer at all is what the check of the backends tells of.
    return server === null ? [] : [cannotLook(`${UNTOLD}: ${error.message}`, 'run deltaproof doctor again')];
  } finally {
    await server?.stop();
  }
}

/** @throws CommandError (missing) when the server does not tell. */
async function judgeSchemas(
  server: Pick<DatabaseServer, 'leftovers' | 'drop'>,
  clean: boolean,
): Promise<CheckResult> {
  const found = await server.leftovers();
  const problems: string[] = [];
  for (const leftover of clean ? found : []) {
    const problem = await server.drop(leftover);
    if (problem !== null) problems.push(problem);
  }
  const bytes = found.reduce((sum, leftover) => sum + leftover.bytes, 0);
  const left = clean ? problems.length : found.length;
  const schemas = `${found.length} ${found.length === 1 ? 'schema' : 'schemas'}`;
  const listed = `${formatQuantity(bytes, 'bytes')}: ${names(found.map(({ schema }) => schema))}`;
  return leftoverResult(
    { found: found.length, left, clean },
    { schemas_found: found.length, schemas_left: left, bytes_found: bytes },
    {
      none: 'No ended run has left a schema on the server.',
      removed: `Dropped ${schemas} of runs that have ended, ${listed}.`,
      notRemoved: `Of ${schemas} of runs that have ended ${left} could not be dropped: ${problems.join(' ')}`,
      there: `Runs that have ended left ${schemas} on the server, ${listed}.`,
      cleanLine: 'deltaproof doctor --clean --postgres-uri "$TEST_POSTGRES_URI"',
      byHand: 'drop them as the role that owns them',
    },
  );
}

function names(schemas: readonly string[]): string {
  const more = schemas.length - SHOWN_SCHEMAS;
  return `${schemas.slice(0, SHOWN_SCHEMAS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
