import type { Duplex } from 'node:stream';
import { z } from 'zod';
import type { McpConnection } from './connection.ts';
import { createServer } from './create-server.ts';
import { LineTransport } from './line-transport.ts';
import { ListenWatches } from './listen-watches.ts';
import type { ListenFilter, Listening } from './listen-watches.ts';
import { isJSONRPCNotification, serveStdio } from './sdk.ts';
import type { JSONRPCMessage, Server } from './sdk.ts';

/** What the protocol library tells a client of the modern era when its stream of changes is open. */
const Acknowledgement = z.object({
  notifications: z.object({
    resourceSubscriptions: z.array(z.string()).optional(),
    resourcesListChanged: z.boolean().optional(),
  }),
  _meta: z.object({ 'io.modelcontextprotocol/subscriptionId': z.union([z.string(), z.number()]) }),
});

/** A change, as it is told on one of those streams. */
const Change = z.object({ _meta: Acknowledgement.shape._meta });

interface Stream extends Listening {
  /** The client has been told that changes are told. */
  isOpen: boolean;
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

  const streamOf = (message: JSONRPCMessage): Stream | undefined => {
    const { data } = Change.safeParse(isJSONRPCNotification(message) ? message.params : undefined);
    return data && streams.get(data._meta['io.modelcontextprotocol/subscriptionId']);
  };

  const gone = deferred();
  // The library keeps to itself what a client of the modern era subscribes to; its messages say it.
  const transport = new LineTransport(stream, {
    sent: (message) => {
      const listening = listeningIn(message);
      // What changes before a stream is open, whoever then reads sees.
      if (listening === undefined || watches === undefined) return streamOf(message)?.isOpen ?? true;
      const { id, filter } = listening;
      streams.get(id)?.end();
      const stream: Stream = { ...watches.open(filter), isOpen: false };
      streams.set(id, stream);
      return stream.ready.then(() => (stream.isOpen = streams.get(id) === stream));
    },
    received: (message) => {
      if (!isJSONRPCNotification(message) || message.method !== 'notifications/cancelled') return;
      const id = message.params?.['requestId'];
      if (typeof id !== 'string' && typeof id !== 'number') return;
      streams.get(id)?.end();
      streams.delete(id);
    },
    gone: gone.resolve,
  });
  serveStdio(
    async ({ era }) => {
      const connection = await opened;
      server = createServer({ connection, version, era });
      if (era === 'modern') {
        watches ??= new ListenWatches(connection.resources, {
          resourceUpdated: (uri) => void server?.sendResourceUpdated({ uri }).catch(() => undefined),
          resourcesChanged: () => void server?.sendResourceListChanged().catch(() => undefined),
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

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
