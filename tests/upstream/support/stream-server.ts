import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { createFixture } from '../../../fixtures/mcp-server/server.mjs';

export interface StreamServer {
  readonly url: string;
  /** Methods and paths of all requests. */
  readonly asked: string[];
  /** Ends the streams, as a server that is started again. */
  endStreams(): void;
  close(): Promise<void>;
}

export interface StreamOptions {
  /** Another address than its own. */
  readonly endpoint?: string;
  /** There is no MCP server. */
  readonly hasNothing?: boolean;
}

/** An MCP server of 2024: answers come on a stream, which names the address that requests are posted to. */
export async function openStreamServer({
  endpoint,
  hasNothing = false,
}: StreamOptions = {}): Promise<StreamServer> {
  const asked: string[] = [];
  const streams = new Map<string, ServerResponse>();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = request;
    asked.push(`${method} ${url.replace(/=\d+$/, '')}`);
    if (hasNothing) {
      response.writeHead(404).end();
      return;
    }
    if (method === 'GET' && headers.accept?.includes('text/event-stream') === true) {
      const id = String(streams.size + 1);
      streams.set(id, response);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`event: endpoint\ndata: ${endpoint ?? `/messages?session=${id}`}\n\n`);
      return;
    }
    const stream = streams.get(new URL(url, 'http://localhost').searchParams.get('session') ?? '');
    if (method !== 'POST' || stream === undefined) {
      response.writeHead(405).end();
      return;
    }
    const message: unknown = JSON.parse(await text(request));
    response.writeHead(202).end('Accepted');
    createFixture({
      options: [],
      log: () => undefined,
      send: (reply: unknown) => void stream.write(`event: message\ndata: ${JSON.stringify(reply)}\n\n`),
    }).received(message);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/sse`,
    asked,
    endStreams: () => {
      for (const stream of streams.values()) stream.end();
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}
