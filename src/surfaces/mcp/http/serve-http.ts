import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import type { AddressInfo } from 'node:net';
import { DeskterityError } from '../../../model/effects/errors.ts';
import type { Opener } from '../connections/connection.ts';
import { isLegacyRequest } from '../sdk.ts';
import type { Answer } from './answer.ts';
import { refuse } from './answer.ts';
import { bindAddress } from './bind-address.ts';
import { endpointOf, MCP } from './endpoint.ts';
import { createGuard } from './guards.ts';
import type { Guard } from './guards.ts';
import { HTTP_LIMITS } from './http-limits.ts';
import type { HttpLimits } from './http-limits.ts';
import { LegacySessions } from './legacy-sessions.ts';
import { ModernPrincipals } from './modern-principals.ts';
import { atMost } from '../connections/in-time.ts';
import { readBody } from './read-body.ts';
import { sendAnswer } from './send-answer.ts';
import type { SseSessions } from './sse-sessions.ts';

export interface HttpParts {
  readonly version: string;
  /** Address to listen on; loopback unless a token is set. */
  readonly bind: string;
  /** 0: any that is free. */
  readonly port: number;
  /** Bearer token that every request must carry; absent: none is asked for. */
  readonly token: string | undefined;
  /** Also serve the HTTP+SSE transport of 2024-11-05 at /sse and /messages. */
  readonly isSseServed: boolean;
  readonly open: Opener;
  /** Names of toolsets that a path may have. */
  readonly toolsets: readonly string[];
  readonly limits?: Partial<HttpLimits>;
  readonly onError?: (error: Error) => void;
}

export interface HttpServing {
  /** Of the MCP endpoint with the default toolsets. */
  readonly url: string;
  /** Sessions, streams and requests without sessions that are open. */
  readonly clients: number;
  /** Ends all streams and sessions. Never rejects; may be called again. */
  close(): Promise<void>;
}

/** For the last answers to be sent when the server closes. */
const LAST_ANSWERS_MS = 1000;

/**
 * Serves MCP over Streamable HTTP, to clients of both eras on one port.
 * @throws DeskterityError INVALID_ARGUMENT, UNAUTHORIZED for an address that needs a token, CONFLICT for a port that is taken
 */
export async function serveHttp(parts: HttpParts): Promise<HttpServing> {
  const at = await bindAddress(parts.bind, parts.token);
  const guard = createGuard({ bind: parts.bind, at, token: parts.token });
  const limits = { ...HTTP_LIMITS, ...parts.limits };
  const sessionsParts = { ...parts, limits, onError: (error: Error) => parts.onError?.(error) };
  const { SseSessions } = parts.isSseServed ? await import('./sse-sessions.ts') : { SseSessions: undefined };
  const serving = new Serving(parts, limits, guard, {
    legacy: new LegacySessions(sessionsParts),
    modern: new ModernPrincipals(sessionsParts),
    sse: SseSessions && new SseSessions(sessionsParts),
  });
  await serving.listen(at.address, parts.port);
  return serving;
}

interface Eras {
  readonly legacy: LegacySessions;
  readonly modern: ModernPrincipals;
  readonly sse: SseSessions | undefined;
}

class Serving implements HttpServing {
  url = '';
  private readonly parts: HttpParts;
  private readonly limits: HttpLimits;
  private readonly guard: Guard;
  private readonly eras: Eras;
  private readonly server: Server;
  private readonly exchanges = new Set<Promise<void>>();
  private closing: Promise<void> | undefined;

  constructor(parts: HttpParts, limits: HttpLimits, guard: Guard, eras: Eras) {
    this.parts = parts;
    this.limits = limits;
    this.guard = guard;
    this.eras = eras;
    const { requestMs, connections } = limits;
    this.server = createServer(
      {
        requestTimeout: requestMs,
        headersTimeout: requestMs,
        connectionsCheckingInterval: Math.min(requestMs / 2, 5000),
        keepAlive: true,
        noDelay: true,
      },
      (request, response) => {
        const exchange = this.serve(request, response).finally(() => this.exchanges.delete(exchange));
        this.exchanges.add(exchange);
      },
    );
    this.server.maxConnections = connections;
  }

  get clients(): number {
    const { legacy, modern, sse } = this.eras;
    return legacy.size + modern.uses + (sse?.size ?? 0);
  }

  async listen(address: string, port: number): Promise<void> {
    if (!Number.isInteger(port) || port < 0 || port > 65_535) throw badPort(port);
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', (error: NodeJS.ErrnoException) => reject(notListening(error, address, port)));
      this.server.listen({ host: address, port }, resolve);
    });
    this.server.on('error', (error) => this.parts.onError?.(error));
    this.url = urlOf(address, this.server.address());
  }

  close(): Promise<void> {
    this.closing ??= this.finish();
    return this.closing;
  }

  private async finish(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    const { legacy, modern, sse } = this.eras;
    await atMost(this.limits.closeMs, Promise.all([legacy.close(), modern.close(), sse?.close()]));
    await atMost(LAST_ANSWERS_MS, Promise.all(this.exchanges));
    this.server.closeAllConnections();
    await closed;
  }

  private async serve(request: IncomingMessage, to: ServerResponse): Promise<void> {
    const gone = new AbortController();
    to.once('close', () => gone.abort());
    // Without a listener it would end the process; who waits for the client sees that it has gone.
    to.on('error', () => undefined);
    try {
      const answer = await this.answer(request, to, gone.signal);
      if (answer !== undefined) await sendAnswer(answer, to, this.limits);
    } catch (error) {
      if (to.destroyed) return;
      this.parts.onError?.(error instanceof Error ? error : new Error(String(error)));
      const message = 'The server failed to answer. Its log says why; try again.';
      if (to.headersSent) to.destroy();
      else await sendAnswer({ response: refuse({ status: 500, message }) }, to, this.limits);
    }
  }

  /** `undefined`: answered already. */
  private async answer(
    incoming: IncomingMessage,
    to: ServerResponse,
    signal: AbortSignal,
  ): Promise<Answer | undefined> {
    const { method = '', url = '' } = incoming;
    const refusal = this.guard(incoming);
    if (refusal !== undefined) return { response: refusal };
    const endpoint = endpointOf(url, method, this.parts);
    if (endpoint instanceof Response) return { response: endpoint };
    let body: unknown;
    if (method === 'POST') {
      const read = await readBody(incoming, this.limits.bodyBytes);
      if ('refusal' in read) return { response: read.refusal };
      body = read.value;
    }
    const { legacy, modern, sse } = this.eras;
    if (endpoint.kind === 'sse') {
      const response = await sse?.begin(to);
      return response && { response };
    }
    if (endpoint.kind === 'messages') {
      const response = await sse?.receive(endpoint.session, body);
      return response && { response };
    }
    const request = new Request(`http://localhost${MCP}`, { method, headers: headersOf(incoming), signal });
    const asked = { request, body, toolsets: endpoint.toolsets, key: endpoint.key };
    return (await isLegacyRequest(request, body)) ? legacy.answer(asked) : modern.answer(asked);
  }
}

function headersOf({ headers }: IncomingMessage): Headers {
  const all = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    for (const each of Array.isArray(value) ? value : [value ?? '']) all.append(name, each);
  }
  return all;
}

function urlOf(address: string, at: string | AddressInfo | null): string {
  const port = typeof at === 'object' && at !== null ? at.port : 0;
  return `http://${isIP(address) === 6 ? `[${address}]` : address}:${port}${MCP}`;
}

function badPort(port: number): DeskterityError {
  return new DeskterityError('INVALID_ARGUMENT', `${port} is not a port.`, {
    suggestion: 'Give a number from 1 to 65535, or 0 for any that is free.',
  });
}

function notListening(error: NodeJS.ErrnoException, address: string, port: number): DeskterityError {
  const platformDetail = error.code ?? error.message;
  if (error.code === 'EADDRINUSE') {
    return new DeskterityError('CONFLICT', `Port ${port} of ${address} is taken.`, {
      suggestion: 'Give another port, or end the program that listens there.',
      platformDetail,
      cause: error,
    });
  }
  return new DeskterityError('INVALID_ARGUMENT', `Cannot listen on port ${port} of ${address}.`, {
    suggestion: 'Give an address of this machine, and a port above 1023.',
    platformDetail,
    cause: error,
  });
}
