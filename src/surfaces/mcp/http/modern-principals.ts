import { z } from 'zod';
import type { McpConnection, Opener } from '../connections/connection.ts';
import { createServer } from '../create-server.ts';
import { RequestStates } from '../questions/request-states.ts';
import { acknowledgement, ListenFilter, ListenWatches, narrow } from '../connections/listen-watches.ts';
import { createMcpHandler, type McpHttpHandler, type ProtocolError } from '../sdk.ts';
import { idOf, INVALID_PARAMS, refuse, refuseUnopened, type Answer } from './answer.ts';
import type { SessionsParts } from './legacy-sessions.ts';
import type { McpRequest } from './mcp-request.ts';
import { openedIn } from '../connections/in-time.ts';
import { listenToTasks, wantedTasks, type WantedTasks } from '../tasks/listen-tasks.ts';
import { needsTasks } from '../tasks/task-account.ts';
import { streamWithTasks, TASKS_ONLY } from './stream-with-tasks.ts';

/** A subscription request; the library checks the rest of it. */
const ListenRequest = z.looseObject({
  method: z.literal('subscriptions/listen'),
  params: z.looseObject({ notifications: ListenFilter.loose() }),
});

interface Opened {
  readonly connection: McpConnection;
  readonly handler: McpHttpHandler;
  readonly watches: ListenWatches;
  /** Subscriptions that are open or being opened. */
  streams: number;
}

interface Principal {
  readonly owner: string | undefined;
  readonly opening: Promise<Opened>;
  /** Open requests and streams. */
  uses: number;
  idle: NodeJS.Timeout | undefined;
}

/** Requests of protocol version 2026-07-28: they have no session, and all on one path, and of one owner if there are access tokens, share a connection. */
export class ModernPrincipals {
  private readonly parts: SessionsParts;
  private readonly principals = new Map<string, Principal>();
  private isClosed = false;

  constructor(parts: SessionsParts) {
    this.parts = parts;
  }

  /** Open requests and streams. */
  get uses(): number {
    return [...this.principals.values()].reduce((sum, { uses }) => sum + uses, 0);
  }

  async answer(asked: McpRequest): Promise<Answer> {
    const { limits } = this.parts;
    const listen = ListenRequest.safeParse(asked.body).data;
    if ((listen?.params.notifications.resourceSubscriptions?.length ?? 0) > limits.listenResources)
      return { response: tooManyResources(limits.listenResources, asked.body) };
    const wanted = wantedTasks(asked.body);
    if (wanted?.isDeclared === false) return { response: notWatched(needsTasks(), asked.body) };
    const principal = this.principals.get(asked.key) ?? this.start(asked);
    if (principal === undefined) return { response: tooManyPaths(limits.principals, asked.body) };
    this.enter(principal);
    const leave = (): void => this.leave(asked.key, principal);
    try {
      const opened = await openedIn(principal.opening, limits.openMs);
      const refusal = await asked.grant?.refusalFor(asked.body, opened.connection);
      if (refusal !== undefined) return { response: refusal, ended: leave };
      if (listen !== undefined) return await this.listen(opened, asked, { ...listen, wanted }, leave);
      return {
        response: await opened.handler.fetch(asked.request, options(asked, asked.body)),
        ended: leave,
      };
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

  /** Removes what cannot be watched from the request, because the library acknowledges everything in it. */
  private async listen(
    opened: Opened,
    mcpRequest: McpRequest,
    { wanted, ...asked }: z.output<typeof ListenRequest> & { readonly wanted: WantedTasks | undefined },
    leave: () => void,
  ): Promise<Answer> {
    const { request, body } = mcpRequest;
    const { listenStreams } = this.parts.limits;
    if (opened.streams >= listenStreams)
      return { response: tooManyStreams(listenStreams, body), ended: leave };
    opened.streams += 1;
    const { notifications } = asked.params;
    const listening = opened.watches.open(notifications);
    const ended = (): void => {
      opened.streams -= 1;
      listening.end();
      leave();
    };
    try {
      // The stream starts with the acknowledgement.
      const honored = await listening.ready;
      if (honored.refusal !== undefined) return { response: notWatched(honored.refusal, body), ended };
      const none = {
        resourceSubscriptions: undefined,
        resourcesListChanged: undefined,
        toolsListChanged: undefined,
        promptsListChanged: undefined,
      };
      const params = {
        ...asked.params,
        notifications: { ...notifications, ...none, ...narrow(honored) },
      };
      const fetched = (given: object) =>
        opened.handler.fetch(request, options(mcpRequest, { ...asked, params: given }));
      const { tasks } = opened.connection;
      const id = idOf(body);
      if (wanted === undefined || tasks === undefined || id === null)
        return { response: await fetched(params), ended };
      const listened = await listenToTasks(tasks, {
        taskIds: wanted.taskIds,
        account: mcpRequest.grant?.owner ?? '',
        id,
      });
      const narrowed = narrow(honored);
      const others = { ...params.notifications, resourceSubscriptions: [TASKS_ONLY] };
      const response = await fetched(
        Object.keys(narrowed).length > 0 ? params : { ...params, notifications: others },
      );
      const acknowledged = acknowledgement(id, { ...narrowed, taskIds: [...listened.taskIds] });
      return { response: streamWithTasks(response, acknowledged, listened), ended };
    } catch (error) {
      opened.streams -= 1;
      listening.end();
      throw error;
    }
  }

  private start({ key, toolsets, folder, grant }: McpRequest): Principal | undefined {
    const { principals: most, ownersPart } = this.parts.limits;
    const owner = grant?.owner;
    const own = [...this.principals].filter((each) => owner !== undefined && each[1].owner === owner);
    const isOwnFull = own.length >= Math.max(1, Math.floor(most * ownersPart));
    const isFull = isOwnFull || this.principals.size >= most;
    if (this.isClosed || (isFull && !this.evict(isOwnFull ? own : [...this.principals]))) return undefined;
    const principal: Principal = {
      owner,
      opening: this.open({ toolsets, folder, owner }),
      uses: 0,
      idle: undefined,
    };
    this.principals.set(key, principal);
    // So that the next request tries again.
    principal.opening.catch((error: unknown) => {
      if (this.principals.get(key) === principal) this.principals.delete(key);
      this.parts.onError(error instanceof Error ? error : new Error(String(error)));
    });
    return principal;
  }

  /** Ends the connection that has not been used for the longest time, so that users who have left do not keep others out. */
  private evict(candidates: readonly (readonly [string, Principal])[]): boolean {
    // The longest unused is the first: a use moves it to the end.
    const unused = candidates.find(([, { uses }]) => uses === 0);
    if (unused === undefined) return false;
    this.principals.delete(unused[0]);
    void end(unused[1]);
    return true;
  }

  private async open(asked: Omit<Parameters<Opener>[0], 'kind'>): Promise<Opened> {
    const { open, version, limits, onError, isScoped } = this.parts;
    const connection = await open({ kind: 'principal', ...asked });
    const era = { states: new RequestStates() };
    const handler = createMcpHandler(() => createServer({ connection, version, era, isScoped }), {
      legacy: 'reject',
      maxSubscriptions: limits.listenStreams,
      onerror: onError,
    });
    return {
      connection,
      handler,
      watches: new ListenWatches(connection, handler.notify),
      streams: 0,
    };
  }

  private enter(principal: Principal): void {
    principal.uses += 1;
    clearTimeout(principal.idle);
  }

  private leave(key: string, principal: Principal): void {
    principal.uses -= 1;
    if (principal.uses > 0 || this.principals.get(key) !== principal) return;
    this.principals.delete(key);
    this.principals.set(key, principal);
    principal.idle = setTimeout(() => {
      this.principals.delete(key);
      void end(principal);
    }, this.parts.limits.idleMs).unref();
  }
}

/** For the library: the token stays behind. */
function options({ grant }: McpRequest, parsedBody: unknown) {
  return { parsedBody, ...(grant === undefined ? {} : { authInfo: grant.authInfo }) };
}

async function end({ opening, idle }: Principal): Promise<void> {
  clearTimeout(idle);
  const opened = await opening.catch(() => undefined);
  await opened?.handler.close();
  opened?.watches.close();
  await opened?.connection.close();
}

function tooManyResources(limit: number, body: unknown): Response {
  const message = `A subscription may contain at most ${limit} resources. Open several subscriptions.`;
  return refuse({ status: 400, code: INVALID_PARAMS, message, id: idOf(body) });
}

/** With status 200, because clients show only the number of other statuses. */
function notWatched({ code, message, data }: ProtocolError, body: unknown): Response {
  const { data: facts } = z.record(z.string(), z.unknown()).safeParse(data);
  return refuse({
    status: 200,
    code,
    message,
    id: idOf(body),
    ...(facts === undefined ? {} : { data: facts }),
  });
}

function tooManyStreams(limit: number, body: unknown): Response {
  const message = `The limit of ${limit} subscriptions on this path is reached. Close one, or combine several.`;
  return refuse({ status: 200, message, id: idOf(body) });
}

function tooManyPaths(limit: number, body: unknown): Response {
  const message = `The limit of ${limit} paths with toolsets is reached. Use one of them, or try again later.`;
  return refuse({ status: 503, message, id: idOf(body), headers: { 'Retry-After': '60' } });
}
