import type { ServerResponse } from 'node:http';
import type { McpConnection } from '../connections/connection.ts';
import { createServer } from '../create-server.ts';
import { SSEServerTransport } from '../legacy-sse-library.ts';
import type { JSONRPCMessage } from '../sdk.ts';
import { parseJSONRPCMessage } from '../sdk.ts';
import { idOf, INVALID_REQUEST, refuse, refuseUnopened } from './answer.ts';
import { MESSAGES } from './endpoint.ts';
import type { SessionsParts } from './legacy-sessions.ts';
import { openInTime } from '../connections/in-time.ts';
import { cutOffWhenStalled } from './send-answer.ts';

const ALIVE_EVERY_MS = 15_000;

interface SseSession {
  readonly transport: BoundedTransport;
  /** Its stream has ended and nothing is left of it. */
  readonly ended: Promise<void>;
}

/** Clients of 2024-11-05: answers come on the stream that a client opens first, and its end is the end of the session. */
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

  /** Answers with the stream itself, or gives the refusal. */
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
      cutOffWhenStalled(to, limits.stalledMs);
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

  /** Takes a message; what it is answered comes on the stream. */
  async receive(session: string, body: unknown): Promise<Response> {
    const known = this.sessions.get(session);
    if (known === undefined) {
      const message = 'There is no such session; its stream may have ended. Open /sse again.';
      return refuse({ status: 404, code: -32_001, message, id: idOf(body) });
    }
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(body);
    } catch {
      const wrong = 'The body is not a JSON-RPC 2.0 message. Send one message in one request.';
      return refuse({ status: 400, code: INVALID_REQUEST, message: wrong });
    }
    await known.transport.handleMessage(message);
    return new Response('Accepted', { status: 202 });
  }

  /** Keeps the stream alive until it ends, and then nothing of it. */
  private async keep(session: string, connection: McpConnection, to: ServerResponse): Promise<void> {
    const alive = setInterval(() => to.write(': keepalive\n\n'), ALIVE_EVERY_MS).unref();
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
    for (const { transport } of all) transport.cutOff();
    await Promise.all(all.map(({ ended }) => ended));
  }
}

/** The library writes whether the client reads or not. */
class BoundedTransport extends SSEServerTransport {
  private readonly to: ServerResponse;
  private readonly unreadBytes: number;

  constructor(to: ServerResponse, unreadBytes: number) {
    super(MESSAGES, to);
    this.to = to;
    this.unreadBytes = unreadBytes;
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    if (this.to.writableLength > this.unreadBytes) this.cutOff();
    await super.send(message);
  }

  cutOff(): void {
    this.to.destroy();
  }
}

function tooMany(limit: number): Response {
  const message = `${limit} sessions are open, and no more are allowed. Close one, or try again when one has ended.`;
  return refuse({ status: 503, message, headers: { 'Retry-After': '60' } });
}
