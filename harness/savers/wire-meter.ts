// Counts what passes between a pool of pg and its server, from the messages of the protocol themselves.

import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import type { Pool, PoolClient } from 'pg';
import type { Traffic } from './store-server.js';

/** What pg's Client has and its types do not say; its connection tells every message of the server by name. */
interface WithConnection {
  readonly connection: EventEmitter & { readonly stream: Socket };
}

/** One connection between its last answer and its next. */
interface Exchange {
  sentMs: number;
  firstByteMs: number | null;
}

/**
 * Meters all connections that a pool makes. A round trip begins with what is sent to an idle connection and ends with the
 * server's ReadyForQuery; a statement is one CommandComplete
 * (https://www.postgresql.org/docs/18/protocol-flow.html).
 */
export class WireMeter {
  readonly #now: () => number;
  #traffic = noTraffic();

  constructor(pool: Pool, now: () => number = () => performance.now()) {
    this.#now = now;
    pool.on('connect', (client) => this.#watch(client));
  }

  /** What passed since the last call. */
  take(): Traffic {
    const traffic = this.#traffic;
    this.#traffic = noTraffic();
    return traffic;
  }

  #watch(client: PoolClient): void {
    const { connection } = client as unknown as WithConnection;
    const { stream } = connection;
    let exchange: Exchange | null = null;
    const write = stream.write.bind(stream) as (...given: unknown[]) => boolean;
    stream.write = (...given: unknown[]): boolean => {
      exchange ??= { sentMs: this.#now(), firstByteMs: null };
      return write(...given);
    };
    stream.prependListener('data', () => {
      if (exchange !== null) exchange.firstByteMs ??= this.#now();
    });
    connection.on('commandComplete', () => {
      this.#traffic.statements += 1;
    });
    // Before the client, who sends at once what waits for its turn, such as ROLLBACK after an error.
    connection.prependListener('readyForQuery', () => {
      if (exchange === null) return;
      const { sentMs, firstByteMs } = exchange;
      exchange = null;
      this.#traffic.roundTrips += 1;
      this.#traffic.serverMs += (firstByteMs ?? this.#now()) - sentMs;
      this.#traffic.parseMs += firstByteMs === null ? 0 : this.#now() - firstByteMs;
    });
  }
}

function noTraffic() {
  return { statements: 0, roundTrips: 0, serverMs: 0, parseMs: 0 };
}
