// The schemas of runs on a server: those of one run, and those that runs which ended otherwise have left.

import type { ClientBase } from 'pg';
import type { LeftoverSchema } from '../process/postgres-messages.js';
import { SCHEMA_NAME } from '../record/store-place.js';

/** `deltaproof_`, the run's own twelve hex digits, and what the run calls the store. */
const OF_A_RUN = /^deltaproof_([0-9a-f]{12})_[a-z0-9_]+$/;

/**
 * Holds the lock that says that the run goes on, for as long as the connection does.
 *
 * @param runId twelve hex digits.
 */
export async function holdRun(client: ClientBase, runId: string): Promise<void> {
  await client.query('SELECT pg_advisory_lock_shared($1::bigint)', [lockKey(runId)]);
}

/** Drops a schema and those whose names begin with its name and an underscore. */
export async function dropSchemas(client: ClientBase, name: string): Promise<void> {
  const all = await schemaNames(client);
  for (const schema of all.filter((each) => each === name || each.startsWith(`${name}_`)))
    await dropSchema(client, schema);
}

/** Schemas of runs that no longer go on. What has the prefix but is no run's, or another role's, is not among them. */
export async function leftoverSchemas(client: ClientBase): Promise<LeftoverSchema[]> {
  const byRun = new Map<string, boolean>();
  const leftovers: LeftoverSchema[] = [];
  for (const schema of await schemaNames(client)) {
    const runId = OF_A_RUN.exec(schema)?.[1];
    if (runId === undefined) continue;
    if (!byRun.has(runId)) byRun.set(runId, await goesOn(client, runId));
    if (byRun.get(runId) === false) leftovers.push({ schema, bytes: await bytesOf(client, schema) });
  }
  return leftovers;
}

/** @throws RangeError when the name is not one of this tool. */
async function dropSchema(client: ClientBase, schema: string): Promise<void> {
  if (!SCHEMA_NAME.test(schema)) throw new RangeError(`The schema ${schema} is not one of this tool.`);
  await client.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
}

/** Those that this role owns, itself or through another one: no other could it drop. */
async function schemaNames(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT nspname::text AS name FROM pg_catalog.pg_namespace
     WHERE starts_with(nspname, 'deltaproof_') AND pg_has_role(nspowner, 'USAGE') ORDER BY nspname`,
  );
  return rows.map(({ name }) => name).filter((name) => SCHEMA_NAME.test(name));
}

/** Whether somebody holds the run's lock. */
async function goesOn(client: ClientBase, runId: string): Promise<boolean> {
  const { rows } = await client.query<{ free: boolean }>('SELECT pg_try_advisory_lock($1::bigint) AS free', [
    lockKey(runId),
  ]);
  if (rows[0]?.free !== true) return true;
  await client.query('SELECT pg_advisory_unlock($1::bigint)', [lockKey(runId)]);
  return false;
}

async function bytesOf(client: ClientBase, schema: string): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>(
    `SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::text AS bytes
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 AND c.relkind = 'r'`,
    [schema],
  );
  return Number(rows[0]?.bytes);
}

/** Advisory locks are named by a number of 64 bits, which all programs on the database share. */
function lockKey(runId: string): string {
  return BigInt(`0x64${runId}`).toString();
}
