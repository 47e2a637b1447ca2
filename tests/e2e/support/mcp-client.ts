import { isDeepStrictEqual } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type {
  CallToolResult,
  ClientOptions,
  FetchLike,
  RequestOptions,
  SubscriptionFilter,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach } from 'vitest';
import { z } from 'zod';
import type { Place } from '../harness.ts';
import { serveOverHttp, withChecks } from './mcp-http-server.ts';

const VERSIONS = { legacy: '2025-11-25', modern: '2026-07-28' } as const;
export type Era = keyof typeof VERSIONS;
export type Way = 'stdio' | 'HTTP';

/** The protocol and transport of a client, and how the program is started for it. */
export interface ClientSettings {
  readonly era: Era;
  readonly way: Way;
  /** Flags of `desk mcp`. */
  readonly flags?: readonly string[];
  /** An HTTP server that is already running; if absent, the client starts one. */
  readonly url?: URL | undefined;
  readonly fetch?: FetchLike | undefined;
  /** For clients of older revisions. */
  readonly supportedProtocolVersions?: string[] | undefined;
  /** What the client answers. */
  readonly capabilities?: ClientOptions['capabilities'];
  /** Variables of a program that is started over stdio. */
  readonly environment?: Readonly<Record<string, string>>;
}

const Status = z.looseObject({ session: z.string() });

/** The official client, connected to the built program, with the notifications it has received. */
export class McpDesk {
  readonly client: Client;
  readonly settings: ClientSettings;
  /** URIs of resources that were reported as changed, in order. */
  readonly updated: string[] = [];
  /** How often the list of resources was reported as changed. */
  listChanges = 0;
  private readonly ways: { readonly endSession: () => Promise<void>; readonly stop: () => Promise<void> };

  private constructor(client: Client, settings: ClientSettings, ways: McpDesk['ways']) {
    this.client = client;
    this.settings = settings;
    this.ways = ways;
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      this.updated.push(params.uri);
    });
    client.setNotificationHandler('notifications/resources/list_changed', () => {
      this.listChanges += 1;
    });
  }

  static async connect(place: Place, settings: ClientSettings): Promise<McpDesk> {
    const { era, supportedProtocolVersions, capabilities } = settings;
    const options: ClientOptions = {
      versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: VERSIONS.modern } },
      ...(capabilities === undefined ? {} : { capabilities }),
      ...(supportedProtocolVersions === undefined ? {} : { supportedProtocolVersions }),
    };
    const client = new Client({ name: 'deskterity-e2e', version: '1' }, options);
    const open = settings.way === 'stdio' ? openStdio : openHttp;
    return new McpDesk(client, settings, await open(place, client, settings));
  }

  /** A tool's answer or failure; the client has checked it against the tool's own schema. */
  call(name: string, input: Record<string, unknown> = {}, options?: RequestOptions): Promise<CallToolResult> {
    return this.client.callTool({ name, arguments: input }, options);
  }

  /** The structured content of an answer that must not be a failure. */
  async data<T extends z.ZodType>(
    schema: T,
    name: string,
    input: Record<string, unknown> = {},
    options?: RequestOptions,
  ): Promise<z.output<T>> {
    const result = await this.call(name, input, options);
    if (result.isError === true) throw new Error(`${name} failed: ${textOf(result)}`);
    return schema.parse(result.structuredContent);
  }

  /** The name of the session of its calls. */
  async session(): Promise<string> {
    return (await this.data(Status, 'desktop_status')).session;
  }

  /** Subscribes to resources in the way of its protocol; returns the function that unsubscribes. */
  async watch(...uris: readonly string[]): Promise<() => Promise<void>> {
    const { client, settings } = this;
    if (settings.era === 'modern') return this.listen({ resourceSubscriptions: [...uris] });
    for (const uri of uris) await client.subscribeResource({ uri });
    return async () => {
      for (const uri of uris) await client.unsubscribeResource({ uri });
    };
  }

  /** Subscribes to the list of resources in the way of its protocol. */
  async watchList(): Promise<void> {
    // In the legacy protocol, every client that has the list is notified when it changes.
    if (this.settings.era === 'legacy') await this.client.listResources();
    else await this.listen({ resourcesListChanged: true });
  }

  private async listen(filter: SubscriptionFilter): Promise<() => Promise<void>> {
    const stream = await this.client.listen(filter);
    if (!isDeepStrictEqual(stream.honoredFilter, filter))
      throw new Error(`the subscription is incomplete: ${JSON.stringify(stream.honoredFilter)}`);
    return () => stream.close();
  }

  /** How often a resource was reported as changed. */
  updatesOf(uri: string): number {
    return this.updated.filter((each) => each === uri).length;
  }

  /** The current text of a resource. */
  async read(uri: string): Promise<string> {
    const { contents } = await this.client.readResource({ uri }, { cacheMode: 'bypass' });
    return contents.map((each) => ('text' in each ? each.text : '')).join('');
  }

  /** Disconnects in the way of its transport. */
  async leave(): Promise<void> {
    await this.ways.endSession();
    await this.client.close();
  }

  /** Ends everything that is still running. @throws Error if the program wrote anything outside the protocol */
  async stop(): Promise<void> {
    await this.client.close();
    await this.ways.stop();
  }
}

/** All texts of an answer. */
export function textOf({ content }: CallToolResult): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
}

async function openStdio(place: Place, client: Client, settings: ClientSettings): Promise<McpDesk['ways']> {
  const { environment } = place.desktop;
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [place.entry, 'mcp', ...withChecks(settings.flags ?? [])],
    env: {
      ...Object.fromEntries(
        Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
      ),
      ...settings.environment,
    },
    cwd: place.folder,
    stderr: 'pipe',
  });
  let complaints = '';
  transport.stderr?.on('data', (piece: Buffer) => (complaints += piece.toString()));
  await client.connect(transport);
  return {
    // Closing its input is enough.
    endSession: async () => undefined,
    stop: async () => {
      if (complaints !== '') throw new Error(`desk mcp wrote to standard error: ${complaints}`);
    },
  };
}

async function openHttp(place: Place, client: Client, settings: ClientSettings): Promise<McpDesk['ways']> {
  const { url, fetch, flags = [] } = settings;
  const server = url === undefined ? await serveOverHttp(place, flags) : undefined;
  const at = url ?? server?.url;
  if (at === undefined) throw new Error('there is no server');
  const transport = new StreamableHTTPClientTransport(at, {
    ...(fetch === undefined ? {} : { fetch }),
    reconnectionOptions: {
      initialReconnectionDelay: 50,
      maxReconnectionDelay: 200,
      reconnectionDelayGrowFactor: 1.5,
      maxRetries: 200,
    },
  });
  try {
    await client.connect(transport);
  } catch (error) {
    await server?.stop();
    throw error;
  }
  return {
    endSession: async () => {
      if (settings.era === 'legacy') await transport.terminateSession();
      // A protocol without sessions has one session for all clients, for as long as the server runs.
      else await server?.stop();
    },
    stop: async () => server?.stop(),
  };
}

/** Clients of one test, which are disconnected after it. */
export function useClients(place: () => Place): (settings: ClientSettings) => Promise<McpDesk> {
  const clients: McpDesk[] = [];
  afterEach(async () => {
    const gone = await Promise.allSettled(clients.splice(0).map((client) => client.stop()));
    for (const each of gone) if (each.status === 'rejected') throw each.reason;
  });
  return async (settings) => {
    const client = await McpDesk.connect(place(), settings);
    clients.push(client);
    return client;
  };
}
