// How requests reach the routes of the service: as calls in this process, or as HTTP over loopback.

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import type { Hono } from 'hono';
import type { Transport } from '../../harness/record/names.js';
import type { Page } from '../../harness/record/production-measurement.js';

export interface Routes {
  /** The body of a page of a thread, as it came. @throws Error for any answer but 200. */
  ask(page: Page, threadId: string): Promise<string>;
  /** Where HTTP reaches them; null in the process. */
  readonly url: string | null;
  close(): Promise<void>;
}

type Send = (path: string, init?: RequestInit) => Response | Promise<Response>;

export async function openRoutes(app: Hono, transport: Transport): Promise<Routes> {
  if (transport === 'in-process') {
    return routes((path, init) => app.request(path, init), { url: null, close: async () => {} });
  }
  const server = createAdaptorServer({ fetch: app.fetch });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const close = async () => {
    const closed = once(server, 'close');
    server.close();
    // Connections that the client keeps for its next request.
    if ('closeAllConnections' in server) server.closeAllConnections();
    await closed;
  };
  return routes((path, init) => fetch(`${url}${path}`, init), { url, close });
}

function routes(send: Send, { url, close }: Pick<Routes, 'url' | 'close'>): Routes {
  return {
    async ask(page, threadId) {
      const response = await (page.route === 'state'
        ? send(`/threads/${threadId}/state`)
        : send(`/threads/${threadId}/history`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ limit: page.limit }),
          }));
      const body = await response.text();
      if (response.status !== 200) throw new Error(`The route answered ${response.status}: ${body}`);
      return body;
    },
    url,
    close,
  };
}
