import type { ServerResponse } from 'node:http';
import type { McpConnection } from '../connections/connection.ts';
import { createServer } from '../create-server.ts';
import { SSEServerTransport } from '../legacy-sse-library.ts';
import { parseJSONRPCMessage, type JSONRPCMessage } from '../sdk.ts';
import { inLegacyTerms } from '../protocol-errors.ts';
import { idOf, INVALID_REQUEST, refuse, refuseUnopened } from './answer.ts';
import { MESSAGES } from './endpoint.ts';
import type { SessionsParts } from './legacy-sessions.ts';
import { openInTime } from '../connections/in-time.ts';
import { disconnectWhenStalled } from './send-answer.ts';

const KEEP_ALIVE_MS = 15_000;

interface SseSession {
  readonly transport: BoundedTransport;
  /** Resolves when its stream has ended and it is cleaned up. */
  readonly ended: Promise<void>;
}

/** Clients of protocol version 2024-11-05: a client first opens a stream that carries the answers and ends the session when it closes. */
export class SseSessions {
  private readonly parts: SessionsParts;
  private readonly sessions = new Map<string, SseSession>();
  private opening = 0;
  private isClosed = false;

  constructor(parts: SessionsParts) {
    this.parts = parts;
  }

  get size(): number {
    return this.sessions.size + this.opening;
  }

  /** Answers with the stream itself, or returns a refusal. */
  async begin(to: ServerResponse): Promise<Response | undefined> {
    const { open, version, limits, onError } = this.parts;
    if (this.size >= limits.sessions || this.isClosed) return tooMany(limits.sessions);
    this.opening += 1;
    try {
      const connection = await openInTime(
        () => open({ kind: 'session', toolsets: undefined }),
        limits.openMs,
      );
      if (to.destroyed || this.isClosed) {
        await connection.close();
        return tooMany(limits.sessions);
      }
      const transport = new BoundedTransport(to, limits.unreadBytes);
      disconnectWhenStalled(to, limits.stalledMs);
      const ended = this.keep(transport.sessionId, connection, to);
      this.sessions.set(transport.sessionId, { transport, ended });
      transport.onerror = onError;
      await createServer({ connection, version, era: 'legacy' }).connect(transport);
      return undefined;
    } catch (error) {
      onError(error instanceof Error ? error : new Error(String(error)));
      return refuseUnopened(error, undefined);
    } finally {
      this.opening -= 1;
    }
  }

  /** Receives a message; its answer is sent on the stream. */
  async receive(session: string, body: unknown): Promise<Response> {
    const known = this.sessions.get(session);
    if (known === undefined) {
      const message = 'The session does not exist; its stream may have ended. Open /sse again.';
      return refuse({ status: 404, code: -32_001, message, id: idOf(body) });
    }
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(body);
    } catch {
      const invalid = 'The body is not a JSON-RPC 2.0 message. Send one message in one request.';
      return refuse({ status: 400, code: INVALID_REQUEST, message: invalid });
    }
    await known.transport.handleMessage(message);
    return new Response('Accepted', { status: 202 });
  }

  /** Keeps the stream alive until it ends, then cleans up the session. */
  private async keep(session: string, connection: McpConnection, to: ServerResponse): Promise<void> {
    const alive = setInterval(() => to.write(': keepalive\n\n'), KEEP_ALIVE_MS).unref();
    await new Promise<void>((resolve) => {
      to.once('close', resolve);
    });
    clearInterval(alive);
    this.sessions.delete(session);
    await connection.close();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    const all = [...this.sessions.values()];
    for (const { transport } of all) transport.disconnect();
    await Promise.all(all.map(({ ended }) => ended));
  }
}

/** Disconnects a client that does not read, which the library does not check. */
class BoundedTransport extends SSEServerTransport {
  private readonly to: ServerResponse;
  private readonly unreadBytes: number;

  constructor(to: ServerResponse, unreadBytes: number) {
    super(MESSAGES, to);
    this.to = to;
    this.unreadBytes = unreadBytes;
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    if (this.to.writableLength > this.unreadBytes) this.disconnect();
    await super.send(inLegacyTerms(message));
  }

  disconnect(): void {
    this.to.destroy();
  }
}

function tooMany(limit: number): Response {
  const message = `The limit of ${limit} sessions is reached. Close one, or try again later.`;
  return refuse({ status: 503, message, headers: { 'Retry-After': '60' } });
}
