// A redis-server of a test's own on loopback. No tests here.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';

/** Why no server can be started, or null. */
export const NO_REDIS: string | null = hasRedisServer()
  ? null
  : 'redis-server is not installed: apt-get install redis-server.';

function hasRedisServer(): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, 'redis-server'), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

export class RedisServer {
  readonly port: number;
  #process: ChildProcess | null = null;

  private constructor(port: number) {
    this.port = port;
  }

  static async start(): Promise<RedisServer> {
    const server = new RedisServer(await freePort());
    await server.start();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Also again, after a kill: it then holds nothing. */
  async start(): Promise<void> {
    const settings = { port: String(this.port), bind: '127.0.0.1', save: '', appendonly: 'no' };
    const given = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
    const child = spawn('redis-server', given, { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#process = child;
    for await (const chunk of child.stdout) {
      if (String(chunk).includes('Ready to accept connections')) break;
    }
    child.stdout.resume();
  }

  async kill(): Promise<void> {
    const child = this.#process;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
