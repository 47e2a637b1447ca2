import type { Socket } from 'node:net';
import type { App } from '../../app/app.ts';
import type { LogPort } from '../../ports/log.ts';
import type { McpParts, serveClient, serveHttpClients } from '../../surfaces/mcp/index.ts';
import type { Lifetime } from './lifetime.ts';
import type { Hello, McpFrame, McpHttpFrame } from '../../wire/client-frames.ts';

interface McpModule {
  readonly serveClient: typeof serveClient;
  readonly serveHttpClients: typeof serveHttpClients;
}

/** A running MCP server over HTTP. */
export interface HttpServer {
  readonly url: string;
  /** Never rejects; may be called repeatedly. */
  close(): Promise<void>;
}

export interface McpServiceParts {
  readonly app: App;
  /** Version of the npm package. */
  readonly packageVersion: string;
  readonly lifetime: Lifetime;
  readonly log: LogPort;
  /** Loads the MCP server, which ordinary calls do not need. */
  readonly load: () => Promise<McpModule>;
}

/** Time for the last bytes of a connection to be read. */
const LAST_BYTES_MS = 500;

/** The MCP clients and servers of a daemon; each keeps it running. */
export class McpService {
  private readonly parts: McpServiceParts;
  private readonly clients = new Map<Socket, Promise<void>>();
  private readonly servers = new Set<HttpServer>();

  constructor(parts: McpServiceParts) {
    this.parts = parts;
  }

  /** Serves an MCP client on a socket, which belongs to this service from then on. */
  serve(socket: Socket, { options }: McpFrame, hello: Hello): void {
    const release = this.parts.lifetime.hold('MCP client');
    const served = this.serveSocket(socket, this.partsFor(options, hello)).finally(() => {
      this.clients.delete(socket);
      release();
    });
    this.clients.set(socket, served);
  }

  /** @throws DeskterityError if the address cannot be used or is not safe */
  async serveHttp(
    { options, http }: McpHttpFrame,
    hello: Hello,
    onEcho: (text: string) => void,
  ): Promise<HttpServer> {
    const release = this.parts.lifetime.hold('HTTP server');
    try {
      const { serveHttpClients } = await this.parts.load();
      const serving = await serveHttpClients(this.partsFor(options, hello), http, onEcho);
      const server: HttpServer = {
        url: serving.url,
        close: async () => {
          if (!this.servers.delete(server)) return;
          await serving.close().catch((error: unknown) => this.parts.log.write(fault(error)));
          release();
        },
      };
      this.servers.add(server);
      return server;
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Ends every client and server with their calls. */
  async end(): Promise<void> {
    for (const socket of this.clients.keys()) {
      socket.end(() => socket.destroy());
      setTimeout(() => socket.destroy(), LAST_BYTES_MS).unref();
    }
    await Promise.all([...this.clients.values(), ...[...this.servers].map((server) => server.close())]);
  }

  /** Resolves when the socket is closed, as the last bytes may take a while to be read. */
  private async serveSocket(socket: Socket, parts: McpParts): Promise<void> {
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    try {
      const { serveClient } = await this.parts.load();
      // It may already have closed; no further event would report that.
      if (socket.destroyed || socket.readableEnded) socket.destroy();
      else await serveClient(socket, parts);
    } catch (error) {
      this.parts.log.write(fault(error));
      socket.destroy();
    }
    if (!socket.closed) await closed;
  }

  private partsFor(options: McpParts['options'], hello: Hello): McpParts {
    const { app, packageVersion, log } = this.parts;
    // Only for the server: programs started for its clients must not see it.
    const { DESKTERITY_HTTP_TOKEN: _, ...environment } = hello.environment;
    return {
      app,
      caller: { environment, cwd: hello.cwd, program: hello.program, pid: hello.pid },
      version: packageVersion,
      options,
      log,
    };
  }
}

/** Only the name is logged, because messages may quote typed text. */
function fault(error: unknown): Parameters<LogPort['write']>[0] {
  const name = error instanceof Error ? error.name : typeof error;
  return { level: 'error', message: 'mcp connection failed', fields: { name } };
}
