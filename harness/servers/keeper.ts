// Keeps the Postgres server of a run, in a process of its own: starts one or goes to the one that was named, drops what
// the run has made there, and cleans up when its stdin ends, however the run came to its end. One JSON line an order
// or an answer; `harness/process/postgres-messages.ts` has both.

import { createInterface } from 'node:readline';
import pg from 'pg';
import {
  keeperOrderSchema,
  keeperRequestSchema,
  type KeeperAnswer,
  type KeeperRequest,
} from '../process/postgres-messages.js';
import { sha256Hex } from '../record/digest.js';
import { KEEPER_NAME } from '../record/store-place.js';
import { startEmbedded, type EmbeddedServer } from './embedded.js';
import { dropSchemas, holdRun } from './schemas.js';

/** A server that does not answer is no server. */
const ANSWER_TIMEOUT_MS = 20_000;

// Whoever stops the run stops it; the keeper ends when its stdin does.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
process.on('uncaughtException', (error) => refuse(error));
// Nobody reads any more: there is still something to clean up.
process.stdout.on('error', () => {});

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const request = keeperRequestSchema.parse(JSON.parse(await nextLine()));
let embedded: EmbeddedServer | null = null;
let client: pg.Client | null = null;
try {
  embedded = request.uri === null ? await startEmbedded(request.folder) : null;
  const uri = embedded?.uri ?? (request.uri as string);
  client = await connected(uri, request);
  tell({ kind: 'ready', uri, server: await serverName(client, request) });
} catch (error) {
  await embedded?.stop();
  refuse(error);
}
void embedded?.ended.then(() =>
  tell({ kind: 'lost', problem: 'The Postgres server of this run has ended.' }),
);
for await (const line of lines) {
  const order = keeperOrderSchema.parse(JSON.parse(line));
  const problem = await obeyed(order).then(
    () => null,
    (error: unknown) => sentence(error),
  );
  tell({ kind: 'done', number: order.number, problem });
}
await dropSchemas(ready(), `deltaproof_${request.run_id}`).catch(() => {});
await ready()
  .end()
  .catch(() => {});
await embedded?.stop();
process.exit(0);

async function obeyed(order: ReturnType<typeof keeperOrderSchema.parse>): Promise<void> {
  switch (order.kind) {
    case 'drop':
      return dropSchemas(ready(), order.schema);
    case 'ask':
      return void (await ready().query('SELECT 1'));
  }
}

function ready(): pg.Client {
  if (client === null) throw new Error('The server is not there.');
  return client;
}

async function connected(uri: string, { run_id: runId }: KeeperRequest): Promise<pg.Client> {
  const made = new pg.Client({
    connectionString: uri,
    application_name: KEEPER_NAME,
    connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
  });
  made.on('error', (error) => tell({ kind: 'lost', problem: sentence(error) }));
  await made.connect();
  await holdRun(made, runId);
  return made;
}

/** A server of the run's own by its version, another one by a hash: neither tells who may enter it. */
async function serverName(db: pg.Client, { uri }: KeeperRequest): Promise<string> {
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
  return error instanceof Error ? error.message : String(error);
}
