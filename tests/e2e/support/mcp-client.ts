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

/** How a client is told to talk, and how the program is started for it. */
export interface ClientSettings {
  readonly era: Era;
  readonly way: Way;
  /** Of `desk mcp`. */
  readonly flags?: readonly string[];
  /** An HTTP server that runs already; the client has one of its own where absent. */
  readonly url?: URL | undefined;
  readonly fetch?: FetchLike | undefined;
  /** For clients of older revisions. */
  readonly supportedProtocolVersions?: string[] | undefined;
}

const Status = z.looseObject({ session: z.string() });

/** The official client, connected to the built program, with what it has been told. */
export class McpDesk {
  readonly client: Client;
  readonly settings: ClientSettings;
  /** Addresses of resources it was told have changed, in order. */
  readonly updated: string[] = [];
  /** How often it was told that the list of resources has changed. */
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
    const { era, supportedProtocolVersions } = settings;
    const options: ClientOptions = {
      versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: VERSIONS.modern } },
      ...(supportedProtocolVersions === undefined ? {} : { supportedProtocolVersions }),
    };
    const client = new Client({ name: 'deskterity-e2e', version: '1' }, options);
    const open = settings.way === 'stdio' ? openStdio : openHttp;
    return new McpDesk(client, settings, await open(place, client, settings));
  }

  /** A tool's answer, of whichever kind; the client has checked it against the tool's own schema. */
  call(name: string, input: Record<string, unknown> = {}, options?: RequestOptions): Promise<CallToolResult> {
    return this.client.callTool({ name, arguments: input }, options);
  }

  /** The data of an answer that must not be a failure. */
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

  /** The name of the session that its calls belong to. */
  async session(): Promise<string> {
    return (await this.data(Status, 'desktop_status')).session;
  }

  /** Watches resources in the way of its era; what ends it is returned. */
  async watch(...uris: readonly string[]): Promise<() => Promise<void>> {
    const { client, settings } = this;
    if (settings.era === 'modern') return this.listen({ resourceSubscriptions: [...uris] });
    for (const uri of uris) await client.subscribeResource({ uri });
    return async () => {
      for (const uri of uris) await client.unsubscribeResource({ uri });
    };
  }

  /** Watches the list of resources in the way of its era. */
  async watchList(): Promise<void> {
    // Of the legacy era, whoever has the list is told when it is out of date.
    if (this.settings.era === 'legacy') await this.client.listResources();
    else await this.listen({ resourcesListChanged: true });
  }

  private async listen(filter: SubscriptionFilter): Promise<() => Promise<void>> {
    const stream = await this.client.listen(filter);
    if (!isDeepStrictEqual(stream.honoredFilter, filter))
      throw new Error(`not all is watched: ${JSON.stringify(stream.honoredFilter)}`);
    return () => stream.close();
  }

  /** How often it was told that a resource has changed. */
  updatesOf(uri: string): number {
    return this.updated.filter((each) => each === uri).length;
  }

  /** The text of a resource, as it is now. */
  async read(uri: string): Promise<string> {
    const { contents } = await this.client.readResource({ uri }, { cacheMode: 'bypass' });
    return contents.map((each) => ('text' in each ? each.text : '')).join('');
  }

  /** Says that it has done, as the transport has it, and goes. */
  async leave(): Promise<void> {
    await this.ways.endSession();
    await this.client.close();
  }

  /** Ends whatever of it still runs. @throws Error when the program wrote beside the protocol */
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
    env: Object.fromEntries(
      Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
    cwd: place.folder,
    stderr: 'pipe',
  });
  let complaints = '';
  transport.stderr?.on('data', (piece: Buffer) => (complaints += piece.toString()));
  await client.connect(transport);
  return {
    // The end of its input says it all.
    endSession: async () => undefined,
    stop: async () => {
      if (complaints !== '') throw new Error(`desk mcp complained: ${complaints}`);
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
      // What has no sessions has one for all, as long as the server runs.
      else await server?.stop();
    },
    stop: async () => server?.stop(),
  };
}

/** Clients of one test, which are gone after it. */
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
