import type { Duplex } from 'node:stream';
import { z } from 'zod';
import type { McpConnection } from './connection.ts';
import { createServer } from '../create-server.ts';
import { cancelledBy, LineTransport, type Refusal, type RequestId } from './line-transport.ts';
import { inLegacyTerms } from '../protocol-errors.ts';
import { RequestStates } from '../questions/request-states.ts';
import {
  acknowledgement,
  ListenWatches,
  ListenFilter,
  narrow,
  type Honored,
  type Listening,
} from './listen-watches.ts';
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  serveStdio,
  UnsupportedProtocolVersionError,
} from '../sdk.ts';
import type { JSONRPCMessage, JSONRPCRequest, ProtocolError, Server } from '../sdk.ts';
import { listenToTasks, TASK_CHANGED, wantedTasks, type ListenedTasks } from '../tasks/listen-tasks.ts';
import { needsTasks } from '../tasks/task-account.ts';

/** What the protocol library sends a modern client when its subscription is open. */
const Acknowledgement = z.object({
  notifications: ListenFilter,
  _meta: z.object({ 'io.modelcontextprotocol/subscriptionId': z.union([z.string(), z.number()]) }),
});

/** A change reported on a subscription: of a resource, or of a list. */
const Change = z.object({ uri: z.string().optional(), _meta: Acknowledgement.shape._meta });
const TOOLS_CHANGED = 'notifications/tools/list_changed';
const PROMPTS_CHANGED = 'notifications/prompts/list_changed';

/** The versions that `server/discover` reports; the library does not export them. */
const MODERN_VERSIONS: readonly string[] = ['2026-07-28'];

/** The protocol version in each modern request. */
const Claim = z.object({ _meta: z.object({ 'io.modelcontextprotocol/protocolVersion': z.string() }) });

interface Stream extends Listening {
  /** What has been acknowledged to the client; `undefined` before that. */
  acknowledged: Honored | undefined;
  tasks: ListenedTasks | undefined;
}

export interface LinesParts {
  /** The byte stream of one client, such as a socket; the server takes it over. */
  readonly stream: Duplex;
  readonly version: string;
  /** Called once. */
  readonly open: () => Promise<McpConnection>;
  readonly onError?: ((error: Error) => void) | undefined;
}

/** Serves one client of either era over a stream of lines. Resolves when it has disconnected and is cleaned up. */
export async function serveLines({ stream, version, open, onError }: LinesParts): Promise<void> {
  // Starts at once, because the client's first request will wait for it.
  const opened = open();
  opened.catch(() => undefined);
  let watches: ListenWatches | undefined;
  const streams = new Map<RequestId, Stream>();
  /** Tasks that requests subscribe to, until they are acknowledged. */
  const wanted = new Map<RequestId, readonly string[]>();
  let server: Server | undefined;
  const states = new RequestStates();
  let isLegacy = false;

  /** False for changes on a subscription that has not acknowledged them. */
  const isExpected = (message: JSONRPCMessage): boolean => {
    if (isJSONRPCNotification(message) && message.method === TASK_CHANGED) return true;
    const { data } = Change.safeParse(isJSONRPCNotification(message) ? message.params : undefined);
    const stream = data && streams.get(data._meta['io.modelcontextprotocol/subscriptionId']);
    if (stream === undefined) return true;
    const { acknowledged } = stream;
    if (isJSONRPCNotification(message) && message.method === TOOLS_CHANGED)
      return acknowledged?.areToolsWatched ?? false;
    if (isJSONRPCNotification(message) && message.method === PROMPTS_CHANGED)
      return acknowledged?.arePromptsWatched ?? false;
    return (
      (data?.uri === undefined ? acknowledged?.isListWatched : acknowledged?.uris.has(data.uri)) ?? false
    );
  };

  const listenTo = async (
    taskIds: readonly string[] | undefined,
    id: RequestId,
  ): Promise<ListenedTasks | undefined> => {
    const { tasks } = await opened;
    if (tasks === undefined || taskIds === undefined) return undefined;
    return listenToTasks(tasks, { taskIds, account: '', id }).catch(() => undefined);
  };

  /** Opens a subscription and returns the message that reports it to the client. */
  const begin = async (
    id: RequestId,
    filter: ListenFilter,
    open: ListenWatches,
  ): Promise<JSONRPCMessage | undefined> => {
    end(streams.get(id));
    const stream: Stream = { ...open.open(filter), acknowledged: undefined, tasks: undefined };
    streams.set(id, stream);
    const taskIds = wanted.get(id);
    wanted.delete(id);
    const honored = await stream.ready;
    const tasks = await listenTo(taskIds, id);
    stream.tasks = tasks;
    // Cancelled or replaced meanwhile.
    if (streams.get(id) !== stream) {
      tasks?.end();
      return undefined;
    }
    if (honored.refusal === undefined) {
      stream.acknowledged = honored;
      if (tasks === undefined) return acknowledgement(id, narrow(honored));
      // After the acknowledgement, which is written next.
      setImmediate(() => tasks.begin((change) => void transport.send(change)));
      return acknowledgement(id, { ...narrow(honored), taskIds: [...tasks.taskIds] });
    }
    tasks?.end();
    streams.delete(id);
    // The library believes the subscription is open.
    transport.onmessage?.(cancellation(id));
    const { code, message, data } = honored.refusal;
    return { jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } };
  };

  let onGone = (): void => undefined;
  const gone = new Promise<void>((resolve) => {
    onGone = resolve;
  });
  // The library does not expose what a modern client subscribes to, so it is read from its messages.
  const transport = new LineTransport(stream, {
    sent: (message) => {
      const listening = listeningIn(message);
      // The library has refused a subscription.
      if (isJSONRPCErrorResponse(message) && message.id !== undefined) wanted.delete(message.id);
      // Changes before the subscription opens are visible to a later read.
      if (listening === undefined || watches === undefined) {
        if (!isExpected(message)) return undefined;
        return isLegacy ? inLegacyTerms(message) : message;
      }
      return begin(listening.id, listening.filter, watches);
    },
    received: (message) => {
      // The library only checks the version of the first request.
      if (isJSONRPCRequest(message)) {
        if (isLegacy) return undefined;
        const tasks = wantedTasks(message);
        if (tasks?.isDeclared === false) return refusalOf(needsTasks());
        if (tasks !== undefined) wanted.set(message.id, tasks.taskIds);
        return versionRefusal(message);
      }
      const cancelled = cancelledBy(message);
      if (cancelled === undefined) return undefined;
      wanted.delete(cancelled);
      end(streams.get(cancelled));
      streams.delete(cancelled);
      return undefined;
    },
    gone: () => onGone(),
  });
  serveStdio(
    async ({ era }) => {
      const connection = await opened;
      server = createServer({ connection, version, era: era === 'legacy' ? era : { states } });
      isLegacy = era === 'legacy';
      if (era === 'modern') {
        watches ??= new ListenWatches(connection, {
          resourceUpdated: (uri) => void server?.sendResourceUpdated({ uri }).catch(() => undefined),
          resourcesChanged: () => void server?.sendResourceListChanged().catch(() => undefined),
          toolsChanged: () => void server?.sendToolListChanged().catch(() => undefined),
          promptsChanged: () => void server?.sendPromptListChanged().catch(() => undefined),
        });
      }
      return server;
    },
    { transport, onerror: (error) => onError?.(error) },
  );
  await gone;
  for (const stream of streams.values()) end(stream);
  watches?.close();
  await (await opened.catch(() => undefined))?.close();
}

function listeningIn(
  message: JSONRPCMessage,
): { readonly id: RequestId; readonly filter: ListenFilter } | undefined {
  if (!isJSONRPCNotification(message) || message.method !== 'notifications/subscriptions/acknowledged')
    return undefined;
  const { data } = Acknowledgement.safeParse(message.params);
  return data && { id: data._meta['io.modelcontextprotocol/subscriptionId'], filter: data.notifications };
}

function end(stream: Stream | undefined): void {
  stream?.end();
  stream?.tasks?.end();
}

function refusalOf({ code, message, data }: ProtocolError): Refusal {
  return { code, message, data };
}

function cancellation(requestId: string | number): JSONRPCMessage {
  return { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } };
}

/** Refuses a request with an unsupported protocol version; `initialize` negotiates its own. */
function versionRefusal({ method, params }: JSONRPCRequest): Refusal | undefined {
  const requested =
    method === 'initialize'
      ? undefined
      : Claim.safeParse(params).data?._meta['io.modelcontextprotocol/protocolVersion'];
  if (requested === undefined || MODERN_VERSIONS.includes(requested)) return undefined;
  const supported = [...MODERN_VERSIONS];
  return refusalOf(new UnsupportedProtocolVersionError({ supported, requested }));
}
