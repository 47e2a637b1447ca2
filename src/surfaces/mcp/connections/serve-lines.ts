import type { Duplex } from 'node:stream';
import { z } from 'zod';
import type { McpConnection } from './connection.ts';
import { createServer } from '../create-server.ts';
import { LineTransport } from './line-transport.ts';
import type { Refusal } from './line-transport.ts';
import { ListenWatches, narrow } from './listen-watches.ts';
import type { Honored, ListenFilter, Listening } from './listen-watches.ts';
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  serveStdio,
  UnsupportedProtocolVersionError,
} from '../sdk.ts';
import type { JSONRPCMessage, JSONRPCRequest, Server } from '../sdk.ts';

/** What the protocol library tells a client of the modern era when its stream of changes is open. */
const Acknowledgement = z.object({
  notifications: z.object({
    resourceSubscriptions: z.array(z.string()).optional(),
    resourcesListChanged: z.boolean().optional(),
    toolsListChanged: z.boolean().optional(),
  }),
  _meta: z.object({ 'io.modelcontextprotocol/subscriptionId': z.union([z.string(), z.number()]) }),
});

/** A change, as it is told on one of those streams: of a resource, of their list, or of that of the tools. */
const Change = z.object({ uri: z.string().optional(), _meta: Acknowledgement.shape._meta });
const TOOLS_CHANGED = 'notifications/tools/list_changed';

/** The library knows more than it exports: what `server/discover` answers. */
const MODERN_VERSIONS: readonly string[] = ['2026-07-28'];

/** The version that each request of the modern era names. */
const Claim = z.object({ _meta: z.object({ 'io.modelcontextprotocol/protocolVersion': z.string() }) });

interface Stream extends Listening {
  /** What the client has been told that it is told; nothing before. */
  told: Honored | undefined;
}

export interface LinesParts {
  /** Bytes of one client, such as a socket; belongs to the server from now on. */
  readonly stream: Duplex;
  readonly version: string;
  /** Called once. */
  readonly open: () => Promise<McpConnection>;
  readonly onError?: ((error: Error) => void) | undefined;
}

/** Serves one client of either era over a stream of lines. Resolves when it is gone and nothing is left of it. */
export async function serveLines({ stream, version, open, onError }: LinesParts): Promise<void> {
  // Begun at once: whoever connects is about to speak, and waits then.
  const opened = open();
  opened.catch(() => undefined);
  let watches: ListenWatches | undefined;
  const streams = new Map<string | number, Stream>();
  let server: Server | undefined;
  let isLegacy = false;

  /** Other than for changes that a stream does not tell of (yet). */
  const isWanted = (message: JSONRPCMessage): boolean => {
    const { data } = Change.safeParse(isJSONRPCNotification(message) ? message.params : undefined);
    const stream = data && streams.get(data._meta['io.modelcontextprotocol/subscriptionId']);
    if (stream === undefined) return true;
    const { told } = stream;
    if (isJSONRPCNotification(message) && message.method === TOOLS_CHANGED)
      return told?.areToolsWatched ?? false;
    return (data?.uri === undefined ? told?.isListWatched : told?.uris.has(data.uri)) ?? false;
  };

  /** Opens a stream, and gives what the client is told of that. */
  const begin = async (
    id: string | number,
    filter: ListenFilter,
    open: ListenWatches,
  ): Promise<JSONRPCMessage | undefined> => {
    streams.get(id)?.end();
    const stream: Stream = { ...open.open(filter), told: undefined };
    streams.set(id, stream);
    const honored = await stream.ready;
    // Cancelled meanwhile, or begun anew.
    if (streams.get(id) !== stream) return undefined;
    if (honored.refusal === undefined) {
      stream.told = honored;
      return acknowledgement(id, honored);
    }
    streams.delete(id);
    // The library takes the stream for open.
    transport.onmessage?.(cancellation(id));
    const { code, message, data } = honored.refusal;
    return { jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } };
  };

  const gone = deferred();
  // The library keeps to itself what a client of the modern era subscribes to; its messages say it.
  const transport = new LineTransport(stream, {
    sent: (message) => {
      const listening = listeningIn(message);
      // What changes before a stream is open, whoever then reads sees.
      if (listening === undefined || watches === undefined) return isWanted(message) ? message : undefined;
      return begin(listening.id, listening.filter, watches);
    },
    received: (message) => {
      // The library looks at the version of the first request only.
      if (isJSONRPCRequest(message)) return isLegacy ? undefined : versionRefusal(message);
      if (!isJSONRPCNotification(message) || message.method !== 'notifications/cancelled') return undefined;
      const id = message.params?.['requestId'];
      if (typeof id !== 'string' && typeof id !== 'number') return undefined;
      streams.get(id)?.end();
      streams.delete(id);
      return undefined;
    },
    gone: gone.resolve,
  });
  serveStdio(
    async ({ era }) => {
      const connection = await opened;
      server = createServer({ connection, version, era });
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
  await gone.promise;
  for (const { end } of streams.values()) end();
  watches?.close();
  await (await opened.catch(() => undefined))?.close();
}

function listeningIn(
  message: JSONRPCMessage,
): { readonly id: string | number; readonly filter: ListenFilter } | undefined {
  if (!isJSONRPCNotification(message) || message.method !== 'notifications/subscriptions/acknowledged')
    return undefined;
  const { data } = Acknowledgement.safeParse(message.params);
  return data && { id: data._meta['io.modelcontextprotocol/subscriptionId'], filter: data.notifications };
}

function acknowledgement(id: string | number, honored: Honored): JSONRPCMessage {
  return {
    jsonrpc: '2.0',
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications: narrow(honored), _meta: { 'io.modelcontextprotocol/subscriptionId': id } },
  };
}

function cancellation(requestId: string | number): JSONRPCMessage {
  return { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } };
}

/** For a request that names a version of the protocol which is not served; what `initialize` says of it is settled there. */
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

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
