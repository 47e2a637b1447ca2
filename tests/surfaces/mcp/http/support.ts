import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { ClientOptions, StreamableHTTPClientTransportOptions } from '@modelcontextprotocol/client';
import { afterEach } from 'vitest';
import type {
  McpConnection,
  McpTool,
  RequestChannel,
} from '../../../../src/surfaces/mcp/connections/connection.ts';
import { serveHttp, type HttpParts, type HttpServing } from '../../../../src/surfaces/mcp/http/serve-http.ts';
import { ResourceNotFoundError } from '../../../../src/surfaces/mcp/sdk.ts';

const MODES = { legacy: 'legacy', modern: { pin: '2026-07-28' }, either: 'auto' } as const;

/** A connection whose calls and changes the test steers, and which says what became of it. */
export class FakeConnection implements McpConnection {
  readonly instructions = 'Look first.';
  readonly facts = {};
  readonly prompts = [];
  readonly tools: readonly McpTool[] = [
    tool('echo', async ({ text }) => String(text)),
    tool('talk', async ({ steps, bytes }, voice) => {
      for (let done = 1; done <= Number(steps); done += 1)
        voice.progress({ message: 'x'.repeat(Number(bytes ?? 1)), done });
      return 'said';
    }),
    tool('hold', (_, voice) => this.hold(voice)),
  ];
  readonly resources: McpConnection['resources'] = {
    templates: [],
    list: async () => [{ uri: 'deskterity://apps', name: 'apps' }],
    read: async (uri) => ({ contents: [{ uri, text: 'now' }] }),
    watch: async (uri, onChange) => {
      if (uri.startsWith('junk')) throw new ResourceNotFoundError(uri);
      return this.watch(uri, onChange);
    },
    watchList: async (onChange) => this.watch('', onChange),
  };
  readonly watches = new Map<string, Set<() => void>>();
  readonly toolWatchers = new Set<() => void>();
  readonly promptWatchers = new Set<() => void>();
  readonly policyWatchers = new Set<() => void>();
  readonly toolsets: readonly string[] | undefined;
  /** Watches that were ever begun. */
  watchings = 0;
  /** What a watch waits for before it is set up. */
  watchable: Promise<void> = Promise.resolve();
  closings = 0;
  held = 0;
  cancelled = 0;
  private readonly releases: (() => void)[] = [];

  watchTools = (onChange: () => void) => {
    this.toolWatchers.add(onChange);
    return () => void this.toolWatchers.delete(onChange);
  };

  watchPolicy = (onChange: () => void) => {
    this.policyWatchers.add(onChange);
    return () => void this.policyWatchers.delete(onChange);
  };

  watchPrompts = (onChange: () => void) => {
    this.promptWatchers.add(onChange);
    return () => void this.promptWatchers.delete(onChange);
  };

  constructor(toolsets: readonly string[] | undefined) {
    this.toolsets = toolsets;
  }

  async complete(): Promise<readonly string[]> {
    return [];
  }

  async close(): Promise<void> {
    this.closings += 1;
  }

  change(uri: string): void {
    for (const onChange of this.watches.get(uri) ?? []) onChange();
  }

  /** Lets the calls of `hold` finish. */
  release(): void {
    for (const release of this.releases.splice(0)) release();
  }

  private async hold(voice: RequestChannel): Promise<string> {
    this.held += 1;
    voice.progress({ message: 'holding', done: 1 });
    await new Promise<void>((resolve) => {
      this.releases.push(resolve);
      voice.signal.addEventListener('abort', () => {
        this.cancelled += 1;
        resolve();
      });
    });
    return 'held';
  }

  private async watch(uri: string, onChange: () => void): Promise<() => void> {
    await this.watchable;
    this.watchings += 1;
    const watching = this.watches.get(uri) ?? new Set();
    this.watches.set(uri, watching);
    watching.add(onChange);
    return () => {
      watching.delete(onChange);
      if (watching.size === 0) this.watches.delete(uri);
    };
  }
}

function tool(
  name: string,
  run: (input: Readonly<Record<string, unknown>>, voice: RequestChannel) => Promise<string>,
): McpTool {
  return {
    definition: { name, inputSchema: { type: 'object' } },
    call: async (input, voice) => ({ content: [{ type: 'text', text: await run(input, voice) }] }),
  };
}

/** A server of its own for each test, and clients that are closed after it. */
export class HttpLab {
  readonly connections: FakeConnection[] = [];
  readonly opened: string[] = [];
  /** Whom each connection belongs to. */
  readonly owners: (string | undefined)[] = [];
  readonly errors: Error[] = [];
  private readonly closers: (() => Promise<unknown>)[] = [];
  private served: HttpServing | undefined;

  get serving(): HttpServing {
    if (this.served === undefined) throw new Error('not started');
    return this.served;
  }

  get url(): string {
    return this.serving.url;
  }

  /** The only one there is. */
  get connection(): FakeConnection {
    const [only, ...others] = this.connections;
    if (only === undefined || others.length > 0) throw new Error(`${this.connections.length} connections`);
    return only;
  }

  async start(parts: Partial<HttpParts> = {}): Promise<HttpServing> {
    const serving = await serveHttp({
      version: '0.0.1',
      bind: '127.0.0.1',
      port: 0,
      token: undefined,
      isSseServed: false,
      toolsets: ['core', 'inspect', 'all'],
      open: async ({ kind, toolsets, owner }) => {
        const connection = new FakeConnection(toolsets);
        this.connections.push(connection);
        this.opened.push(kind);
        this.owners.push(owner);
        return connection;
      },
      onError: (error) => this.errors.push(error),
      ...parts,
    });
    this.served ??= serving;
    this.closers.push(() => serving.close());
    return serving;
  }

  async client(
    era: 'legacy' | 'modern' | 'either',
    options: StreamableHTTPClientTransportOptions & {
      readonly url?: string;
      readonly client?: ClientOptions;
      readonly beforeConnect?: (client: Client) => void;
    } = {},
  ): Promise<{ readonly client: Client; readonly transport: StreamableHTTPClientTransport }> {
    const { url = this.url, client: more, beforeConnect, ...rest } = options;
    const mode = MODES[era];
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode }, ...more });
    beforeConnect?.(client);
    const transport = new StreamableHTTPClientTransport(new URL(url), rest);
    await client.connect(transport);
    this.closers.push(() => client.close());
    return { client, transport };
  }

  afterwards(close: () => Promise<unknown>): void {
    this.closers.push(close);
  }

  async end(): Promise<void> {
    for (const close of this.closers.splice(0).toReversed()) await close();
  }
}

export function useHttpLab(): () => HttpLab {
  let lab = new HttpLab();
  afterEach(async () => {
    await lab.end();
    lab = new HttpLab();
  });
  return () => lab;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A request with exactly these headers, which fetch would not send. */
export function raw(
  url: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: string | Buffer } = {},
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, { method, headers, agent: false }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(pieces).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

export const JSON_HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

export function initialize(id: number | string = 1, protocolVersion = '2025-11-25'): string {
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'initialize', params });
}
