// Keeps the Postgres server of a run, in a process of its own: starts one or goes to the one that was named, drops what
// the run has made there, and cleans up when its stdin ends, however the run came to its end. One JSON line an order
// or an answer; `harness/process/postgres-messages.ts` has both.

import { createInterface } from 'node:readline';
import type { ClientBase } from 'pg';
import {
  keeperOrderSchema,
  keeperRequestSchema,
  type KeeperAnswer,
  type KeeperOrder,
  type KeeperRequest,
  type LeftoverSchema,
} from '../process/postgres-messages.js';
import { sha256Hex } from '../record/digest.js';
import { startEmbedded, type EmbeddedServer } from './embedded.js';
import { RunConnection } from './run-connection.js';
import { dropSchemas, leftoverSchemas } from './schemas.js';

// Whoever stops the run stops it; the keeper ends when its stdin does.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
process.on('uncaughtException', (error) => refuse(error));
// Nobody reads any more: there is still something to clean up.
process.stdout.on('error', () => {});

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const request = keeperRequestSchema.parse(JSON.parse(await nextLine()));
const { embedded, connection } = await opened().catch(refuse);
void embedded?.ended.then(() =>
  tell({ kind: 'lost', problem: 'The Postgres server of this run has ended.' }),
);
for await (const line of lines) {
  const order = keeperOrderSchema.parse(JSON.parse(line));
  const outcome = await obeyed(order).then(
    (leftovers) => ({ problem: null, leftovers }),
    (error: unknown) => ({ problem: sentence(error), leftovers: [] }),
  );
  tell({ kind: 'done', number: order.number, ...outcome });
}
// A server of the run's own goes with all that is in it.
if (embedded === null) {
  await connection.use((client) => dropSchemas(client, `deltaproof_${request.run_id}`)).catch(() => {});
}
await connection.close();
await embedded?.stop();
process.exit(0);

interface Opened {
  /** Null where the server is somebody's. */
  readonly embedded: EmbeddedServer | null;
  readonly connection: RunConnection;
}

async function opened(): Promise<Opened> {
  const started = request.uri === null ? await startEmbedded(request.folder) : null;
  try {
    const uri = started?.uri ?? (request.uri as string);
    const made = new RunConnection(uri, request.run_id);
    const server = await made.use((client) => serverName(client, request));
    tell({ kind: 'ready', uri, server });
    return { embedded: started, connection: made };
  } catch (error) {
    await started?.stop();
    throw error;
  }
}

/** What was asked for: leftovers, or nothing. */
async function obeyed(order: KeeperOrder): Promise<LeftoverSchema[]> {
  switch (order.kind) {
    case 'drop':
      await connection.use((client) => dropSchemas(client, order.schema));
      return [];
    case 'ask':
      await connection.use((client) => client.query('SELECT 1'));
      return [];
    case 'list_leftovers':
      return connection.use(leftoverSchemas);
  }
}

/** A server of the run's own by its version, another one by a hash: neither tells who may enter it. */
async function serverName(db: ClientBase, { uri }: KeeperRequest): Promise<string> {
  const { rows } = await db.query<{ version: string; place: string }>(
    `SELECT current_setting('server_version') AS version,
       concat_ws('/', host(inet_server_addr()), inet_server_port(), current_database()) AS place`,
  );
  const { version = '', place = '' } = rows[0] ?? {};
  if (uri === null) return `embedded ${version}`;
  const identifier = await db
    .query<{ id: string }>('SELECT system_identifier::text AS id FROM pg_control_system()')
    .then((result) => result.rows[0]?.id)
    .catch(() => null);
  return `${version} ${sha256Hex(JSON.stringify([identifier, place])).slice(0, 16)}`;
}

async function nextLine(): Promise<string> {
  const next = await lines.next();
  return next.done === true ? process.exit(0) : next.value;
}

function tell(answer: KeeperAnswer): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

function refuse(error: unknown): never {
  tell({ kind: 'refused', problem: sentence(error) });
  process.exit(1);
}

/** Of the errors behind one, since a host with several addresses has one for each. */
function sentence(error: unknown): string {
  const { errors } = (error ?? {}) as { readonly errors?: readonly unknown[] };
  if (errors !== undefined && errors.length > 0) return sentence(errors[0]);
  if (error instanceof TypeError && 'input' in error) return 'it is no URI that can be read.';
  return error instanceof Error ? error.message : String(error);
}
