import { z } from 'zod';
import type { McpConnection } from '../connection.ts';
import { createServer } from '../create-server.ts';
import { ListenWatches } from '../listen-watches.ts';
import type { ListenFilter } from '../listen-watches.ts';
import { createMcpHandler } from '../sdk.ts';
import type { McpHttpHandler } from '../sdk.ts';
import type { Answer } from './answer.ts';
import { idOf, INVALID_PARAMS, refuse, refuseUnopened } from './answer.ts';
import type { McpRequest, SessionsParts } from './legacy-sessions.ts';
import { within } from './in-time.ts';

/** A request for a stream of changes; anything else about it the library checks. */
const ListenRequest = z.object({
  method: z.literal('subscriptions/listen'),
  params: z.object({
    notifications: z.object({
      resourceSubscriptions: z.array(z.string()).optional(),
      resourcesListChanged: z.boolean().optional(),
    }),
  }),
});

interface Opened {
  readonly connection: McpConnection;
  readonly handler: McpHttpHandler;
  readonly watches: ListenWatches;
}

interface Principal {
  readonly opening: Promise<Opened>;
  /** Requests and streams that are open. */
  uses: number;
  idle: NodeJS.Timeout | undefined;
}

/** Requests of 2026-07-28: none belongs to a session, and all on one path share what they can do. */
export class ModernPrincipals {
  private readonly parts: SessionsParts;
  private readonly principals = new Map<string, Principal>();
  private isClosed = false;

  constructor(parts: SessionsParts) {
    this.parts = parts;
  }

  /** Requests and streams that are open. */
  get uses(): number {
    return [...this.principals.values()].reduce((sum, { uses }) => sum + uses, 0);
  }

  async answer(asked: McpRequest): Promise<Answer> {
    const { limits } = this.parts;
    const filter = ListenRequest.safeParse(asked.body).data?.params.notifications;
    if ((filter?.resourceSubscriptions?.length ?? 0) > limits.listenResources)
      return { response: tooManyResources(limits.listenResources, asked.body) };
    const principal = this.principals.get(asked.key) ?? this.start(asked);
    if (principal === undefined) return { response: tooManyPaths(limits.principals, asked.body) };
    this.enter(principal);
    const leave = (): void => this.leave(asked.key, principal);
    try {
      return await this.serve(await within(principal.opening, limits.openMs), asked, filter, leave);
    } catch (error) {
      leave();
      return { response: refuseUnopened(error, asked.body) };
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    const all = [...this.principals.values()];
    this.principals.clear();
    await Promise.all(all.map(end));
  }

  private async serve(
    { handler, watches }: Opened,
    { request, body }: McpRequest,
    filter: ListenFilter | undefined,
    leave: () => void,
  ): Promise<Answer> {
    const response = await handler.fetch(request, { parsedBody: body });
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
    const listening = filter !== undefined && isStream ? watches.open(filter) : undefined;
    // The stream begins by saying that changes are told from now on.
    await listening?.ready;
    const ended = (): void => {
      listening?.end();
      leave();
    };
    return { response, ended };
  }

  private start({ key, toolsets }: McpRequest): Principal | undefined {
    if (this.isClosed || this.principals.size >= this.parts.limits.principals) return undefined;
    const principal: Principal = { opening: this.open(toolsets), uses: 0, idle: undefined };
    this.principals.set(key, principal);
    // The next request tries again.
    principal.opening.catch((error: unknown) => {
      if (this.principals.get(key) === principal) this.principals.delete(key);
      this.parts.onError(error instanceof Error ? error : new Error(String(error)));
    });
    return principal;
  }

  private async open(toolsets: readonly string[] | undefined): Promise<Opened> {
    const { open, version, limits, onError } = this.parts;
    const connection = await open({ kind: 'principal', toolsets });
    const handler = createMcpHandler(() => createServer({ connection, version, era: 'modern' }), {
      legacy: 'reject',
      maxSubscriptions: limits.listenStreams,
      onerror: onError,
    });
    return { connection, handler, watches: new ListenWatches(connection.resources, handler.notify) };
  }

  private enter(principal: Principal): void {
    principal.uses += 1;
    clearTimeout(principal.idle);
  }

  private leave(key: string, principal: Principal): void {
    principal.uses -= 1;
    if (principal.uses > 0 || this.principals.get(key) !== principal) return;
    principal.idle = setTimeout(() => {
      this.principals.delete(key);
      void end(principal);
    }, this.parts.limits.idleMs).unref();
  }
}

async function end({ opening, idle }: Principal): Promise<void> {
  clearTimeout(idle);
  const opened = await opening.catch(() => undefined);
  await opened?.handler.close();
  opened?.watches.close();
  await opened?.connection.close();
}

function tooManyResources(limit: number, body: unknown): Response {
  const message = `A stream of changes may name ${limit} resources at most. Open several streams.`;
  return refuse({ status: 400, code: INVALID_PARAMS, message, id: idOf(body) });
}

function tooManyPaths(limit: number, body: unknown): Response {
  const message = `${limit} paths with toolsets are in use, and no more are allowed. Use one that is, or try again later.`;
  return refuse({ status: 503, message, id: idOf(body), headers: { 'Retry-After': '60' } });
}
