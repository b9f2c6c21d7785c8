// The one connection of a keeper to its server. It holds the lock that says that the run goes on; where it broke it is
// made anew, so that a server that was away for a moment is cleaned up all the same.

import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { KEEPER_NAME } from '../record/store-place.js';
import { holdRun } from './schemas.js';

/** A server that does not answer is no server. */
const ANSWER_TIMEOUT_MS = 20_000;
const CLOSE_TIMEOUT_MS = 1000;
/** "The database system is starting up", or recovers from a crash: it will be there in a moment. */
const NOT_YET = '57P03';
const BROKE_OFF_ATTEMPTS = 5;
const PAUSE_MS = 200;

/**
 * So that nothing that the server or its role is set to ends this connection, or makes a name of the catalog mean something
 * else. A setting that an older server does not have is passed over.
 */
const SETTINGS = `
  SELECT pg_catalog.set_config(s.name, w.value, false)
  FROM (VALUES ('search_path', 'pg_catalog'), ('idle_session_timeout', '0'), ('transaction_timeout', '0'))
    w (name, value)
  JOIN pg_catalog.pg_settings s ON s.name OPERATOR(pg_catalog.=) w.name`;

export class RunConnection {
  readonly #uri: string;
  readonly #runId: string;
  #client: pg.Client | null = null;

  /** @param runId twelve hex digits. */
  constructor(uri: string, runId: string) {
    this.#uri = uri;
    this.#runId = runId;
  }

  /**
   * Runs `use` on the connection, which is made where there is none; where that breaks it runs once more on a new one.
   *
   * @throws what pg or `use` throws; the connection is then made anew the next time.
   */
  async use<T>(use: (client: pg.Client) => Promise<T>): Promise<T> {
    const isOld = this.#client !== null;
    try {
      this.#client ??= await this.#connected();
      return await use(this.#client);
    } catch (error) {
      await this.close();
      if (isOld && brokeOff(error)) return this.use(use);
      throw error;
    }
  }

  /** Never throws, and waits for no server that does not answer. */
  async close(): Promise<void> {
    const client = this.#client;
    this.#client = null;
    await Promise.race([client?.end().catch(() => {}), wait(CLOSE_TIMEOUT_MS)]);
  }

  async #connected(): Promise<pg.Client> {
    const deadline = performance.now() + ANSWER_TIMEOUT_MS;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#connectedOnce();
      } catch (error) {
        const isNotYet = error instanceof pg.DatabaseError && error.code === NOT_YET;
        const comesBack = isNotYet || (brokeOff(error) && attempt < BROKE_OFF_ATTEMPTS);
        if (!comesBack || performance.now() > deadline) throw error;
        await wait(PAUSE_MS);
      }
    }
  }

  async #connectedOnce(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.#uri,
      application_name: KEEPER_NAME,
      connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
      query_timeout: ANSWER_TIMEOUT_MS,
      // Whatever the server or the role is set to.
      statement_timeout: ANSWER_TIMEOUT_MS,
      lock_timeout: ANSWER_TIMEOUT_MS,
    });
    client.on('error', () => {
      if (this.#client === client) this.#client = null;
    });
    await client.connect();
    await client.query(SETTINGS);
    await holdRun(client, this.#runId);
    return client;
  }
}

/** A server of which a process has crashed ends connections for an instant before it says so. */
function brokeOff(error: unknown): boolean {
  return error instanceof Error && /ECONNRESET|terminat(?:ed|ing)|not queryable/.test(error.message);
}
