import { z } from 'zod';

/** `legacy`: a client that initializes, as in revisions up to 2025; `modern`: one that identifies itself in each request, as since 2026-07-28. */
export type Era = 'legacy' | 'modern';

type Params = Readonly<Record<string, unknown>>;

const LEGACY = '2025-11-25';
export const MODERN = '2026-07-28';
const CLIENT = { name: 'bench', version: '1' };
const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientInfo': CLIENT,
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** The first request of a client. */
export const GREETINGS: Readonly<Record<Era, { readonly method: string; readonly params: Params }>> = {
  legacy: {
    method: 'initialize',
    params: { protocolVersion: LEGACY, capabilities: {}, clientInfo: CLIENT },
  },
  modern: { method: 'server/discover', params: {} },
};

export const INITIALIZED = '{"jsonrpc":"2.0","method":"notifications/initialized"}';

/** One request as JSON. */
export function requestText(era: Era, id: number, method: string, params: Params): string {
  const all = era === 'modern' ? { ...params, _meta: MODERN_META } : params;
  return JSON.stringify({ jsonrpc: '2.0', id, method, params: all });
}

const Message = z.object({
  id: z.number().optional(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
});

/** Parses what a server sent. @throws if it is not a message */
export function parseMessage(text: string): z.output<typeof Message> {
  return Message.parse(JSON.parse(text));
}

const CallResult = z.object({ isError: z.boolean().optional(), content: z.unknown().optional() });
const ToolList = z.object({ tools: z.array(z.unknown()) });

/** An MCP client that writes JSON itself, so that no client library is measured. */
export abstract class McpAsker {
  readonly era: Era;

  constructor(era: Era) {
    this.era = era;
  }

  /** The result of a request. @throws if the server refuses, or does not answer in time */
  abstract request(method: string, params?: Params): Promise<unknown>;

  abstract close(): Promise<void>;

  /** The handshake; calls may follow. */
  async greet(): Promise<void> {
    const { method, params } = GREETINGS[this.era];
    await this.request(method, params);
  }

  /** @throws if the tool fails, because only answers are measured */
  async call(name: string, input: Params = {}): Promise<void> {
    const result = CallResult.parse(await this.request('tools/call', { name, arguments: input }));
    if (result.isError === true) throw new Error(`${name} failed: ${JSON.stringify(result.content)}`);
  }

  /** The number of tools, and the whole answer as the server has written it. */
  async listTools(): Promise<{ readonly count: number; readonly text: string }> {
    const result = await this.request('tools/list');
    return { count: ToolList.parse(result).tools.length, text: JSON.stringify(result) };
  }
}
