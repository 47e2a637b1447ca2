import { randomUUID } from 'node:crypto';
import type { McpConnection, Unwatch } from '../connections/connection.ts';
import { isRecord } from '../../../model/is-record.ts';
import { covers, SCOPES, type Scope } from '../access/scopes.ts';
import { createServer } from '../create-server.ts';
import { refuse, type Answer } from './answer.ts';
import type { HttpLimits } from './http-limits.ts';
import type { IsolatedConnection } from './isolated-connection.ts';
import type { McpRequest } from './mcp-request.ts';
import { SessionEvents } from './session-events.ts';
import type { Server } from '../sdk.ts';
import { SessionTransport } from './session-transport.ts';

/** The first protocol revision with events that have an id but no message. */
const FIRST_WITH_EMPTY_EVENTS = '2025-11-25';
/** How long a client waits before it reopens a lost stream. */
const RETRY_MS = 500;

export interface LegacySessionParts {
  readonly connection: McpConnection;
  /** The same, if the session works in the first root of its client. */
  readonly isolated?: IsolatedConnection | undefined;
  readonly version: string;
  /** Identifies the path and the owner: a session exists only on the path it was opened on, and for whom it was opened. */
  readonly key: string;
  readonly limits: HttpLimits;
  readonly onError: (error: Error) => void;
  /** The client may do only what the access tokens of its requests permit. */
  readonly isScoped: boolean;
  /** Of the access token, if there are some. */
  readonly owner?: string | undefined;
  /** Called once, when it has ended. */
  readonly onEnd: (session: LegacySession) => void;
}

/** One client of a protocol version of 2025 or before, from `initialize` until it ends its session or is idle for too long. */
export class LegacySession {
  readonly id = randomUUID();
  readonly key: string;
  private readonly parts: LegacySessionParts;
  private readonly transport: SessionTransport;
  private readonly events: SessionEvents;
  /** Open requests and streams. */
  private exchanges = 0;
  private timers: NodeJS.Timeout[] = [];
  private ending: Promise<void> | undefined;
  private lastActive: number | undefined;
  private server: Server | undefined;
  /** The level of the last access token. */
  private level: Scope | undefined;
  private unwatch: Unwatch | undefined;

  constructor(parts: LegacySessionParts) {
    const { key, limits, onError } = parts;
    this.parts = parts;
    this.key = key;
    this.events = new SessionEvents(limits);
    this.transport = new SessionTransport({
      sessionIdGenerator: () => this.id,
      eventStore: this.events,
      retryInterval: RETRY_MS,
    });
    this.transport.requestLimit = limits.pendingRequests;
    this.transport.onclose = () => void this.end();
    this.transport.onerror = onError;
  }

  async start(): Promise<void> {
    const { connection, version, isScoped } = this.parts;
    this.server = createServer({ connection, version, era: 'legacy', isScoped });
    this.parts.isolated?.useClient(this.server);
    // Answers that were given under other rules are not given again.
    this.unwatch = connection.watchPolicy?.(() => this.events.clear());
    await this.server.connect(this.transport);
  }

  async answer({ request, body, grant }: McpRequest): Promise<Answer> {
    const refusal = await grant?.refusalFor(body, this.parts.connection);
    if (refusal !== undefined) return { response: refusal };
    this.noteLevel(grant);
    if (this.parts.isolated?.isFixed === true && changesRoots(body)) return { response: this.endForRoots() };
    const lastEventId = request.method === 'GET' ? request.headers.get('last-event-id') : null;
    if (lastEventId !== null && !this.events.canResume(lastEventId)) return { response: unknownEvent() };
    // Taken now: messages sent while the stream opens come after it.
    const { currentId } = this.events;
    this.enter();
    try {
      const response = await this.transport.receive(request, body, grant?.authInfo);
      const ended = (): void => this.leave();
      if (!response.ok || !needsFirstEvent(request)) return { response, ended };
      // Also for a resumed stream: if it is lost again before any message, clients forget where they resumed.
      return { response, prologue: `id: ${lastEventId ?? currentId}\nretry: ${RETRY_MS}\ndata: \n\n`, ended };
    } catch (error) {
      this.leave();
      throw error;
    }
  }

  private endForRoots(): Response {
    void this.end();
    const message =
      'The folder of a session cannot change, so the session has ended. Send initialize for a new one, without Mcp-Session-Id.';
    return refuse({ status: 403, message });
  }

  /** A client whose new token permits other tools should list them again. */
  private noteLevel(grant: McpRequest['grant']): void {
    const level = SCOPES.findLast((scope) => covers(grant?.authInfo.scopes ?? [], scope));
    const hasChanged = this.level !== undefined && this.level !== level;
    this.level = level;
    if (hasChanged) void this.server?.sendToolListChanged().catch(() => undefined);
  }

  get owner(): string | undefined {
    return this.parts.owner;
  }

  /** When its last request or stream ended, by `performance.now()`; `undefined` while one is open or a call is running, and before the first. */
  get idleSince(): number | undefined {
    return this.exchanges > 0 || this.transport.isBusy ? undefined : this.lastActive;
  }

  /** Never rejects; may be called repeatedly. */
  end(): Promise<void> {
    // Closing the transport calls this again.
    this.ending ??= Promise.resolve().then(() => this.finish());
    return this.ending;
  }

  private async finish(): Promise<void> {
    this.clearTimers();
    this.parts.onEnd(this);
    this.unwatch?.();
    await this.transport.close().catch(this.parts.onError);
    await this.parts.connection.close();
  }

  private enter(): void {
    this.exchanges += 1;
    this.clearTimers();
  }

  private leave(): void {
    this.exchanges -= 1;
    if (this.exchanges > 0 || this.ending !== undefined) return;
    this.lastActive = performance.now();
    const { abandonedMs, idleMs } = this.parts.limits;
    this.timers.push(setTimeout(() => void this.end(), idleMs).unref());
    if (this.transport.isBusy)
      this.timers.push(setTimeout(() => void this.transport.cancelAll(), abandonedMs).unref());
  }

  private clearTimers(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers = [];
  }
}

function changesRoots(body: unknown): boolean {
  const messages: unknown[] = Array.isArray(body) ? body : [body];
  return messages.some(
    (message) => isRecord(message) && message['method'] === 'notifications/roots/list_changed',
  );
}

/** Whether a stream should start with an id to resume from; the library handles the streams of POST requests. */
function needsFirstEvent({ method, headers }: Request): boolean {
  return method === 'GET' && (headers.get('mcp-protocol-version') ?? '') >= FIRST_WITH_EMPTY_EVENTS;
}

function unknownEvent(): Response {
  const message =
    'The messages after that Last-Event-ID are no longer available. Open a stream without it, and reload what may have changed.';
  return refuse({ status: 400, message });
}
