import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  createMcpHandler,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { failureOf, never, openStage, plainCall, soon } from './support/stage.ts';

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end();
});

type Answer = (request: Request) => Promise<Response>;

/** Serves on loopback. @returns the address */
async function serve(answer: Answer): Promise<string> {
  const reply = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
    const gone = new AbortController();
    outgoing.once('close', () => gone.abort());
    const { method = 'GET', headers, url = '/' } = incoming;
    const request = new Request(`http://${headers.host ?? ''}${url}`, {
      method,
      headers: Object.entries(headers).map(([name, value]) => [name, String(value)] as [string, string]),
      ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
      signal: gone.signal,
    });
    const { status, headers: own, body } = await answer(request);
    outgoing.writeHead(status, Object.fromEntries(own));
    outgoing.flushHeaders();
    if (body === null) outgoing.end();
    else await pipeline(Readable.fromWeb(body as never), outgoing);
  };
  const server = createServer((incoming, outgoing) => {
    reply(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  endings.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

interface Served {
  cancelled: number;
  servers: McpServer[];
  hasMore: boolean;
  /** Reports that the list has changed. */
  changed: () => void;
  /** Forgets all sessions, as a server that was started again. */
  forget: () => void;
}

/** A server with tools that answer, report progress and wait, and add a tool. */
function makeServer(served: Served): McpServer {
  const server = new McpServer({ name: 'real', version: '1' });
  served.servers.push(server);
  const input = z.object({ text: z.string().optional() });
  server.registerTool('echo', { description: 'Echo.', inputSchema: input }, async ({ text }) => ({
    content: [{ type: 'text', text: text ?? '' }],
  }));
  server.registerTool('wait', { description: 'Waits.', inputSchema: input }, async (_, { mcpReq }) => {
    const token = mcpReq._meta?.progressToken;
    if (token !== undefined)
      await mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken: token, progress: 1, total: 4, message: 'a quarter' },
      });
    await new Promise<void>((resolve) => mcpReq.signal.addEventListener('abort', () => resolve()));
    served.cancelled += 1;
    return { content: [] };
  });
  if (served.hasMore) addMore(server);
  return server;
}

function addMore(server: McpServer): void {
  server.registerTool('more', { description: 'New.' }, async () => ({ content: [] }));
}

const SERVERS: readonly (readonly [string, (served: Served) => Answer])[] = [
  [
    'of 2026-07-28, without sessions',
    (served) => {
      const handler = createMcpHandler(() => makeServer(served));
      endings.push(() => handler.close());
      served.changed = () => handler.notify.toolsChanged();
      return (request) => handler.fetch(request);
    },
  ],
  [
    'of 2025-11-25, with a session and event streams',
    (served) => {
      let transport: WebStandardStreamableHTTPServerTransport | undefined;
      let started = 0;
      served.changed = () => {
        for (const server of served.servers) addMore(server);
      };
      served.forget = () => {
        transport = undefined;
      };
      return async (request) => {
        if (transport === undefined) {
          if (request.headers.has('mcp-session-id'))
            return new Response('Session not found', { status: 404 });
          started += 1;
          const id = `session${started}`;
          transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => id });
          await makeServer(served).connect(transport);
        }
        return transport.handleRequest(request);
      };
    },
  ],
];

describe.each(SERVERS)('a real server over HTTP, %s', (_, open) => {
  async function scene() {
    const served: Served = {
      cancelled: 0,
      servers: [],
      hasMore: false,
      changed: () => undefined,
      forget: () => undefined,
    };
    const url = await serve(open(served));
    const stage = await openStage();
    endings.push(() => stage.close());
    await stage.configure({ real: { type: 'http', url } });
    return { ...stage, served };
  }

  it('lists its tools and answers calls', async () => {
    const { port } = await scene();
    const { servers } = await port.list('', never);
    expect(servers).toMatchObject([{ state: 'ready', transport: 'http' }]);
    expect(servers[0]?.tools.map(({ name }) => name)).toEqual(['real__echo', 'real__wait']);
    expect(await port.call('real__echo', { text: 'ä' }, plainCall)).toMatchObject({ output: 'ä' });
  });

  it('gets cancellations, and its progress is passed on', async () => {
    const { port, served } = await scene();
    const cancel = new AbortController();
    const steps: string[] = [];
    const onProgress = (step: string): void => {
      steps.push(step);
      cancel.abort();
    };
    const call = port.call('real__wait', {}, { ...plainCall, signal: cancel.signal, onProgress });
    expect(await failureOf(call)).toMatchObject({ code: 'CANCELLED' });
    expect(steps).toEqual(['real: a quarter']);
    await soon(() => expect(served.cancelled).toBe(1));
  });

  it('passes changes of its tools on', async () => {
    const { port, served, servers, of } = await scene();
    await port.list('', never);
    const [usable] = servers.usable(of, await servers.find(of));
    let changes = 0;
    usable?.server.onChange(() => {
      changes += 1;
    });
    served.hasMore = true;
    let reportedAt = 0;
    // The stream for changes may open a moment after the connection.
    await soon(() => {
      const now = performance.now();
      // Reports that follow each other at once are taken for one, after the last.
      if (now - reportedAt > 700) {
        reportedAt = now;
        report(served);
      }
      expect(changes).toBeGreaterThan(0);
    });
    const [listed] = (await port.list('', never)).servers;
    expect(listed?.tools.map(({ name }) => name)).toContain('real__more');
  });

  it('is connected anew after it was started again', async () => {
    const { port, served } = await scene();
    await port.call('real__echo', { text: 'a' }, plainCall);
    served.forget();
    await port.call('real__echo', { text: 'b' }, plainCall).catch(() => undefined);
    await soon(async () =>
      expect(await port.call('real__echo', { text: 'c' }, plainCall)).toMatchObject({ output: 'c' }),
    );
  });
});

/** Where the list is the server's own, it changes only once. */
function report({ changed }: Served): void {
  try {
    changed();
  } catch {
    // It has the tool already.
  }
}
