import { randomUUID } from 'node:crypto';
import type { McpConnection } from '../connections/connection.ts';
import { createServer } from '../create-server.ts';
import { refuse } from './answer.ts';
import type { Answer } from './answer.ts';
import type { HttpLimits } from './http-limits.ts';
import { SessionEvents } from './session-events.ts';
import { SessionTransport } from './session-transport.ts';

/** The first revision whose clients know an event that has an id and no message. */
const FIRST_WITH_EMPTY_EVENTS = '2025-11-25';
/** How long a client waits before it asks for a lost stream again. */
const RETRY_MS = 500;

export interface LegacySessionParts {
  readonly connection: McpConnection;
  readonly version: string;
  /** Of the path: a session is only known on the path it was opened on. */
  readonly key: string;
  readonly limits: HttpLimits;
  readonly onError: (error: Error) => void;
  /** Called once, when it is over. */
  readonly onEnd: (session: LegacySession) => void;
}

/** One client of 2025 or before, from `initialize` until it says that it has done or is not heard of any more. */
export class LegacySession {
  readonly id = randomUUID();
  readonly key: string;
  private readonly parts: LegacySessionParts;
  private readonly transport: SessionTransport;
  private readonly events: SessionEvents;
  /** Requests and streams that are open. */
  private exchanges = 0;
  private timers: NodeJS.Timeout[] = [];
  private ending: Promise<void> | undefined;
  private restingSince: number | undefined;

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
    this.transport.requestLimit = limits.requestsUnderWay;
    this.transport.onclose = () => void this.end();
    this.transport.onerror = onError;
  }

  async start(): Promise<void> {
    const { connection, version } = this.parts;
    await createServer({ connection, version, era: 'legacy' }).connect(this.transport);
  }

  async answer(request: Request, body: unknown): Promise<Answer> {
    const lastEventId = request.method === 'GET' ? request.headers.get('last-event-id') : null;
    if (lastEventId !== null && !this.events.canResume(lastEventId)) return { response: unknownEvent() };
    // As of now: what is said while the stream opens comes after.
    const { here } = this.events;
    this.enter();
    try {
      const response = await this.transport.receive(request, body);
      const ended = (): void => this.leave();
      if (!response.ok || !needsFirstEvent(request)) return { response, ended };
      // Also of a stream that is resumed: clients forget what they resumed at when it is lost again before anything came.
      return { response, prologue: `id: ${lastEventId ?? here}\nretry: ${RETRY_MS}\ndata: \n\n`, ended };
    } catch (error) {
      this.leave();
      throw error;
    }
  }

  /** When its last request or stream ended, in milliseconds of `performance.now()`; `undefined` while one is open, a call is under way, or it has only begun. */
  get idleSince(): number | undefined {
    return this.exchanges > 0 || this.transport.isBusy ? undefined : this.restingSince;
  }

  /** Never rejects; may be called again. */
  end(): Promise<void> {
    // Ending closes the transport, which asks for the end again.
    this.ending ??= Promise.resolve().then(() => this.finish());
    return this.ending;
  }

  private async finish(): Promise<void> {
    this.clearTimers();
    this.parts.onEnd(this);
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
    this.restingSince = performance.now();
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

/** Whether a stream is to begin with an id to resume at; the library sees to the streams of POST requests. */
function needsFirstEvent({ method, headers }: Request): boolean {
  return method === 'GET' && (headers.get('mcp-protocol-version') ?? '') >= FIRST_WITH_EMPTY_EVENTS;
}

function unknownEvent(): Response {
  const message =
    'What came after that Last-Event-ID is not kept. Open a stream without it, and read anew what may have changed.';
  return refuse({ status: 400, message });
}
