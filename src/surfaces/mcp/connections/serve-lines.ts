import type { Duplex } from 'node:stream';
import { z } from 'zod';
import type { McpConnection } from './connection.ts';
import { createServer } from '../create-server.ts';
import { cancelledBy, LineTransport, type Refusal, type RequestId } from './line-transport.ts';
import { inLegacyTerms } from '../protocol-errors.ts';
import { ListenWatches, ListenFilter, narrow, type Honored, type Listening } from './listen-watches.ts';
import { RequestStates } from '../questions/request-states.ts';
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  serveStdio,
  UnsupportedProtocolVersionError,
} from '../sdk.ts';
import type { JSONRPCMessage, JSONRPCRequest, Server } from '../sdk.ts';

/** What the protocol library sends a modern client when its subscription is open. */
const Acknowledgement = z.object({
  notifications: ListenFilter,
  _meta: z.object({ 'io.modelcontextprotocol/subscriptionId': z.union([z.string(), z.number()]) }),
});

/** A change reported on a subscription: of a resource, of their list, or of the tool list. */
const Change = z.object({ uri: z.string().optional(), _meta: Acknowledgement.shape._meta });
const TOOLS_CHANGED = 'notifications/tools/list_changed';

/** The versions that `server/discover` reports; the library does not export them. */
const MODERN_VERSIONS: readonly string[] = ['2026-07-28'];

/** The protocol version in each modern request. */
const Claim = z.object({ _meta: z.object({ 'io.modelcontextprotocol/protocolVersion': z.string() }) });

interface Stream extends Listening {
  /** What has been acknowledged to the client; `undefined` before that. */
  acknowledged: Honored | undefined;
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
  let server: Server | undefined;
  const states = new RequestStates();
  let isLegacy = false;

  /** False for changes on a subscription that has not acknowledged them. */
  const isExpected = (message: JSONRPCMessage): boolean => {
    const { data } = Change.safeParse(isJSONRPCNotification(message) ? message.params : undefined);
    const stream = data && streams.get(data._meta['io.modelcontextprotocol/subscriptionId']);
    if (stream === undefined) return true;
    const { acknowledged } = stream;
    if (isJSONRPCNotification(message) && message.method === TOOLS_CHANGED)
      return acknowledged?.areToolsWatched ?? false;
    return (
      (data?.uri === undefined ? acknowledged?.isListWatched : acknowledged?.uris.has(data.uri)) ?? false
    );
  };

  /** Opens a subscription and returns the message that reports it to the client. */
  const begin = async (
    id: RequestId,
    filter: ListenFilter,
    open: ListenWatches,
  ): Promise<JSONRPCMessage | undefined> => {
    streams.get(id)?.end();
    const stream: Stream = { ...open.open(filter), acknowledged: undefined };
    streams.set(id, stream);
    const honored = await stream.ready;
    // Cancelled or replaced meanwhile.
    if (streams.get(id) !== stream) return undefined;
    if (honored.refusal === undefined) {
      stream.acknowledged = honored;
      return acknowledgement(id, honored);
    }
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
      // Changes before the subscription opens are visible to a later read.
      if (listening === undefined || watches === undefined) {
        if (!isExpected(message)) return undefined;
        return isLegacy ? inLegacyTerms(message) : message;
      }
      return begin(listening.id, listening.filter, watches);
    },
    received: (message) => {
      // The library only checks the version of the first request.
      if (isJSONRPCRequest(message)) return isLegacy ? undefined : versionRefusal(message);
      const cancelled = cancelledBy(message);
      if (cancelled === undefined) return undefined;
      streams.get(cancelled)?.end();
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
        });
      }
      return server;
    },
    { transport, onerror: (error) => onError?.(error) },
  );
  await gone;
  for (const { end } of streams.values()) end();
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

function acknowledgement(id: RequestId, honored: Honored): JSONRPCMessage {
  return {
    jsonrpc: '2.0',
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications: narrow(honored), _meta: { 'io.modelcontextprotocol/subscriptionId': id } },
  };
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
  const { code, message, data } = new UnsupportedProtocolVersionError({
    supported: [...MODERN_VERSIONS],
    requested,
  });
  return { code, message, data };
}
