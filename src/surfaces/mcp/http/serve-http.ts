import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isIP, type AddressInfo, type Socket } from 'node:net';
import { isRecord } from '../../../model/is-record.ts';
import type { TcpConnection } from '../../../model/sessions/tcp-connection.ts';
import type { Opener } from '../connections/connection.ts';
import { isLegacyRequest } from '../sdk.ts';
import { acceptsStream, answerForm, type AnswerForm } from './accept.ts';
import { refuse, type Answer } from './answer.ts';
import { bindAddress } from './bind-address.ts';
import { endpointOf, MCP } from './endpoint.ts';
import { echoed, echoOf } from './echo.ts';
import { createGuard, type Guard } from './guards.ts';
import { HTTP_LIMITS, type HttpLimits } from './http-limits.ts';
import { LegacySessions } from './legacy-sessions.ts';
import { ModernPrincipals } from './modern-principals.ts';
import { atMost } from '../connections/in-time.ts';
import type { Grant, OauthAccess } from './oauth/oauth-access.ts';
import type { OauthSettings } from './oauth/oauth-settings.ts';
import type { RootRules } from './isolated-connection.ts';
import { readBody } from './read-body.ts';
import { badPort, noAudience, notListening, requireOneScheme } from './refuse-start.ts';
import { sendAnswer } from './send-answer.ts';
import { shapeAnswer } from './shape-answer.ts';
import type { SseSessions } from './sse-sessions.ts';

export interface HttpParts {
  readonly version: string;
  /** Address to listen on; loopback unless a token is set. */
  readonly bind: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** Bearer token required in every request, if any. */
  readonly token: string | undefined;
  /** Requires access tokens of an authorization server instead. */
  readonly oauth?: OauthSettings | undefined;
  /** Also serve the HTTP+SSE transport of 2024-11-05 at /sse and /messages. */
  readonly isSseServed: boolean;
  readonly open: Opener;
  /** Toolsets that a path may contain. */
  readonly toolsets: readonly string[];
  /** Folders that paths of their own work in. */
  readonly folders?: readonly { readonly name: string; readonly folder: string }[] | undefined;
  /** Each session works in the first root of its client. */
  readonly rootRules?: RootRules | undefined;
  /** Told of each connection before its first request is handled. */
  readonly onPeer?: ((connection: TcpConnection) => Promise<void>) | undefined;
  /** Receives what clients send and receive, for people. */
  readonly onEcho?: ((text: string) => void) | undefined;
  readonly limits?: Partial<HttpLimits>;
  readonly onError?: (error: Error) => void;
}

export interface HttpServing {
  /** URL of the MCP endpoint with the default toolsets. */
  readonly url: string;
  /** Number of open sessions, and of streams and requests without sessions. */
  readonly clients: number;
  /** Ends all streams and sessions. Never rejects; may be called repeatedly. */
  close(): Promise<void>;
}

/** Time to send the last answers when the server closes. */
const LAST_ANSWERS_MS = 1000;
/** Longer timers would end at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * Serves MCP over Streamable HTTP, to clients of both eras on one port.
 * @throws DeskterityError INVALID_ARGUMENT, UNAUTHORIZED for an address that needs a token, CONFLICT for a port in use
 */
export async function serveHttp(parts: HttpParts): Promise<HttpServing> {
  const { oauth } = parts;
  requireOneScheme(parts);
  const at = await bindAddress(parts.bind, parts.token, { hasIssuer: oauth !== undefined });
  if (oauth !== undefined && oauth.audience === undefined && !at.isLoopback) throw noAudience();
  const names = oauth?.audience === undefined ? [] : [new URL(oauth.audience).hostname];
  const guard = createGuard({ bind: parts.bind, at, token: parts.token, names });
  const limits = { ...HTTP_LIMITS, ...parts.limits };
  const onError = (error: Error) => parts.onError?.(error);
  const sessionsParts = { ...parts, limits, onError, isScoped: oauth !== undefined };
  const { SseSessions } = parts.isSseServed ? await import('./sse-sessions.ts') : { SseSessions: undefined };
  const serving = new Serving(parts, limits, guard, {
    legacy: new LegacySessions(sessionsParts),
    modern: new ModernPrincipals(sessionsParts),
    sse: SseSessions && new SseSessions(sessionsParts),
  });
  const { oauthAccess } =
    oauth === undefined ? { oauthAccess: undefined } : await import('./oauth/oauth-access.ts');
  await serving.listen(
    at.address,
    parts.port,
    (url) => oauth && oauthAccess?.({ settings: { ...oauth, audience: oauth.audience ?? url }, onError }),
  );
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
  private access: OauthAccess | undefined;
  private readonly exchanges = new Set<Promise<void>>();
  private readonly met = new WeakMap<Socket, Promise<void>>();
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

  async listen(
    address: string,
    port: number,
    accessAt: (url: string) => OauthAccess | undefined,
  ): Promise<void> {
    if (!Number.isInteger(port) || port < 0 || port > 65_535) throw badPort(port);
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', (error: NodeJS.ErrnoException) => reject(notListening(error, address, port)));
      this.server.listen({ host: address, port }, () => {
        this.url = urlOf(address, this.server.address());
        // Before the first request is read.
        this.access = accessAt(this.url);
        resolve();
      });
    });
    this.server.on('error', (error) => this.parts.onError?.(error));
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
    // Without a listener the error would end the process; the 'close' event is enough.
    to.on('error', () => undefined);
    try {
      const answer = await this.answer(request, to, gone.signal);
      if (answer === undefined) return;
      await sendAnswer(answer, to, { ...this.limits, echo: echoOf(answer.response, this.parts.onEcho) });
    } catch (error) {
      if (to.destroyed) return;
      this.parts.onError?.(error instanceof Error ? error : new Error(String(error)));
      const message = 'The server failed to answer. See its log, or try again.';
      if (to.headersSent) to.destroy();
      else await sendAnswer({ response: refuse({ status: 500, message }) }, to, this.limits);
    }
  }

  /** Once for each connection; only clients that are admitted. */
  private async meet(socket: Socket): Promise<void> {
    const meeting = this.met.get(socket) ?? this.tellOf(socket);
    this.met.set(socket, meeting);
    await meeting;
  }

  private async tellOf({ localAddress, localPort, remoteAddress, remotePort }: Socket): Promise<void> {
    if (localAddress === undefined || localPort === undefined) return;
    if (remoteAddress === undefined || remotePort === undefined) return;
    const connection = { localAddress, localPort, remoteAddress, remotePort };
    await this.parts.onPeer?.(connection).catch((error: Error) => this.parts.onError?.(error));
  }

  /** `undefined` if already answered. */
  private async answer(
    incoming: IncomingMessage,
    to: ServerResponse,
    signal: AbortSignal,
  ): Promise<Answer | undefined> {
    const { method = '', url = '', headers } = incoming;
    const refusal = this.guard(incoming);
    if (refusal !== undefined) return { response: refusal };
    const metadata = this.access?.metadata(url, method);
    if (metadata !== undefined) return { response: metadata };
    // Before anything else is told, such as which paths there are.
    const grant = await this.access?.admit(headers.authorization);
    if (grant instanceof Response) return { response: grant };
    const endpoint = endpointOf(url, method, this.parts);
    if (endpoint instanceof Response) return { response: endpoint };
    await this.meet(incoming.socket);
    const form = endpoint.kind === 'mcp' ? formOf(method, headers.accept) : 'either';
    if (form instanceof Response) return { response: form };
    let body: unknown;
    if (method === 'POST') {
      const read = await readBody(incoming, this.limits.bodyBytes);
      if (read instanceof Response) return { response: read };
      body = read.value;
      this.parts.onEcho?.(echoed('received', body));
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
    const key = grant === undefined ? endpoint.key : JSON.stringify([endpoint.key, grant.owner]);
    const asked = { request, body, toolsets: endpoint.toolsets, folder: endpoint.folder, key, grant };
    const isLong = isLasting(method, body);
    if (isLong && form === 'json') return { response: notAcceptable('text/event-stream') };
    if (grant !== undefined && isLong) endWith(grant, to);
    const answer = (await isLegacyRequest(request, body))
      ? await legacy.answer(asked)
      : await modern.answer(asked);
    return shapeAnswer(answer, { form, body, limitBytes: this.limits.unreadBytes, signal });
  }
}

/** How to answer, or the refusal of a client that accepts nothing that we have. */
function formOf(method: string, accept: string | undefined): AnswerForm | Response {
  if (method === 'DELETE') return 'json';
  const form = method === 'GET' ? (acceptsStream(accept) ? 'stream' : undefined) : answerForm(accept);
  if (form !== undefined) return form;
  return notAcceptable(method === 'GET' ? 'text/event-stream' : 'application/json or text/event-stream');
}

function notAcceptable(types: string): Response {
  return refuse({ status: 406, message: `The answer is ${types}, which Accept does not allow. Accept it.` });
}

/** Whether the answer is a stream that lasts until somebody ends it. */
function isLasting(method: string, body: unknown): boolean {
  return method === 'GET' || (isRecord(body) && body['method'] === 'subscriptions/listen');
}

/** A stream does not outlast the permission to read it; the client opens it again with a new token. */
function endWith({ remainingMs }: Grant, to: ServerResponse): void {
  const timer = setTimeout(() => to.destroy(), Math.min(remainingMs, LONGEST_TIMER_MS)).unref();
  to.once('close', () => clearTimeout(timer));
}

/** Without the token, which is nobody else's business, and with the forms of answers that the library demands: {@link shapeAnswer} sees to the rest. */
function headersOf({ headers }: IncomingMessage): Headers {
  const all = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (name === 'authorization' || name === 'cookie') continue;
    for (const each of Array.isArray(value) ? value : [value ?? '']) all.append(name, each);
  }
  all.set('accept', 'application/json, text/event-stream');
  return all;
}

function urlOf(address: string, at: string | AddressInfo | null): string {
  const port = typeof at === 'object' && at !== null ? at.port : 0;
  return `http://${isIP(address) === 6 ? `[${address}]` : address}:${port}${MCP}`;
}
