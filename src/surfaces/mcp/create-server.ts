import { invalidParams, unknownName } from './protocol-errors.ts';
import { CheckedServer } from './connections/checked-server.ts';
import { findTool } from './access/scope-needed.ts';
import { STRICTEST } from './access/scopes.ts';
import type { McpConnection, McpPrompt, McpTool, RequestChannel, Unwatch } from './connections/connection.ts';
import { endWatch } from './connections/listen-watches.ts';
import { requestChannel } from './connections/connection.ts';
import {
  isInputRequiredResult,
  type Implementation,
  type ProtocolError,
  type Server,
  type ServerContext,
} from './sdk.ts';

/** One page holds all tools, because some clients never request a second one. */
const TOOLS_PER_PAGE = 500;
const ITEMS_PER_PAGE = 100;
/** Limit of the protocol. */
const MOST_COMPLETIONS = 100;
/** On one connection only the lists of resources and tools change. */
const STABLE = { ttlMs: 300_000, cacheScope: 'private' } as const;
/** Tool files can change at any time; a client without a subscription reads them again. */
const TOOL_FILES = { ttlMs: 10_000, cacheScope: 'private' } as const;
/** The next request may come with another token, which permits other tools. */
const TOKENS = { ttlMs: 0, cacheScope: 'private' } as const;

export interface ServerParts {
  readonly connection: McpConnection;
  readonly version: string;
  /** A legacy client's watches end with its server. */
  readonly era: 'legacy' | 'modern';
  /** Callers may do only what their access tokens permit. Default: everything. */
  readonly isScoped?: boolean | undefined;
}

/** The protocol server of one connection, which answers requests from {@link McpConnection}. */
export function createServer({ connection, version, era, isScoped = false }: ServerParts): Server {
  const server = new CheckedServer(serverInfo(version), {
    instructions: connection.instructions,
    capabilities: {
      tools: { listChanged: true },
      prompts: {},
      resources: { subscribe: true, listChanged: true },
      completions: {},
      logging: {},
      experimental: { ...connection.facts },
    },
    cacheHints: {
      'tools/list': isScoped ? TOKENS : TOOL_FILES,
      'prompts/list': STABLE,
      'resources/templates/list': STABLE,
    },
  });
  const channelOf = (context: ServerContext) => requestChannel(context, isScoped);
  serveTools(server, connection, { era, channelOf });
  servePrompts(server, connection, channelOf);
  serveResources(server, connection, { era, channelOf });
  serveCompletions(server, connection);
  // In the modern era messages belong to a request, so the next answer reports it instead.
  if (era === 'legacy') reportCommandEnds(server, connection);
  return server;
}

/** Sends log messages, which the client filters by level. */
function reportCommandEnds(server: Server, connection: McpConnection): void {
  const unwatch = connection.watchCommandEnds?.((finished) => {
    const message = { level: 'notice', logger: 'deskterity.terminals', data: finished } as const;
    server.sendLoggingMessage(message, server.transport?.sessionId).catch(() => undefined);
  });
  const { onclose } = server;
  server.onclose = () => {
    onclose?.();
    unwatch?.();
  };
}

type ChannelOf = (context: ServerContext) => RequestChannel;

interface ServeParts {
  readonly era: ServerParts['era'];
  readonly channelOf: ChannelOf;
}

function serveTools(server: Server, connection: McpConnection, { era, channelOf }: ServeParts): void {
  let watch: Unwatch | undefined;
  server.onclose = () => watch?.();
  const permitted = (context: ServerContext): readonly McpTool[] => {
    const { may } = channelOf(context);
    return connection.tools.filter(({ scope = STRICTEST }) => may(scope));
  };
  server.setRequestHandler('tools/list', async ({ params }, context) => {
    await connection.prepare?.(context);
    await connection.toolsKnown;
    // A client that has a list needs to know when it changes; modern clients subscribe explicitly.
    if (era === 'legacy')
      watch ??= connection.watchTools(() => void server.sendToolListChanged().catch(() => undefined));
    const { items, ...rest } = paginate(permitted(context), params?.cursor, TOOLS_PER_PAGE);
    return { tools: items.map(({ definition }) => definition), ...rest };
  });
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    await connection.prepare?.(context);
    const find = () => findTool(permitted(context), params.name);
    let tool = find();
    if (tool === undefined) {
      await connection.toolsKnown;
      tool = find();
    }
    if (tool === undefined)
      throw unknownName(
        'tool',
        params.name,
        permitted(context).map(({ definition }) => definition.name),
      );
    const result = await tool.call(params.arguments ?? {}, channelOf(context));
    return isInputRequiredResult(result)
      ? result
      : server.projectCallToolResult(result, tool.definition.outputSchema);
  });
}

function servePrompts(server: Server, { prompts }: McpConnection, channelOf: ChannelOf): void {
  const byName = new Map(prompts.map((prompt) => [prompt.definition.name, prompt]));
  server.setRequestHandler('prompts/list', ({ params }) => {
    const { items, ...rest } = paginate(prompts, params?.cursor, ITEMS_PER_PAGE);
    return { prompts: items.map(({ definition }) => definition), ...rest };
  });
  server.setRequestHandler('prompts/get', async ({ params }, context) => {
    const prompt = byName.get(params.name);
    if (prompt === undefined) throw unknownName('prompt', params.name, [...byName.keys()]);
    const given = params.arguments ?? {};
    requireArguments(prompt, given);
    return prompt.get(given, channelOf(context));
  });
}

function requireArguments({ definition }: McpPrompt, given: Readonly<Record<string, string>>): void {
  const names = (definition.arguments ?? []).map(({ name }) => name);
  const missing = (definition.arguments ?? []).find(
    ({ name, required }) => required === true && (given[name] ?? '').trim() === '',
  );
  if (missing !== undefined)
    throw invalidParams(`The prompt "${definition.name}" needs the argument "${missing.name}".`);
  const extra = Object.keys(given).find((name) => !names.includes(name));
  if (extra !== undefined) throw unknownName(`argument of the prompt "${definition.name}"`, extra, names);
}

function serveResources(
  server: Server,
  { resources, prepare }: McpConnection,
  { era, channelOf }: ServeParts,
): void {
  const watches = new Map<string, Promise<Unwatch>>();
  let list: Promise<Unwatch> | undefined;
  server.setRequestHandler('resources/list', async ({ params }, context) => {
    await prepare?.(context);
    const all = await resources.list({ signal: context.mcpReq.signal });
    const { items, ...rest } = paginate(all, params?.cursor, ITEMS_PER_PAGE);
    // A client that has a list needs to know when it changes; modern clients subscribe explicitly.
    if (era === 'legacy' && list === undefined) {
      list = resources.watchList(() => void server.sendResourceListChanged().catch(() => undefined));
      // Nobody waits for it; the next request tries again.
      list.catch(() => (list = undefined));
    }
    return { resources: items, ...rest };
  });
  server.setRequestHandler('resources/templates/list', ({ params }) => {
    const { items, ...rest } = paginate(resources.templates, params?.cursor, ITEMS_PER_PAGE);
    return { resourceTemplates: items, ...rest };
  });
  server.setRequestHandler('resources/read', async ({ params }, context) => {
    await prepare?.(context);
    return resources.read(params.uri, channelOf(context));
  });
  server.setRequestHandler('resources/subscribe', async ({ params: { uri } }, context) => {
    await prepare?.(context);
    const known = watches.get(uri);
    const watch =
      known ?? resources.watch(uri, () => void server.sendResourceUpdated({ uri }).catch(() => undefined));
    watches.set(uri, watch);
    try {
      await watch;
    } catch (error) {
      if (watches.get(uri) === watch) watches.delete(uri);
      throw error;
    }
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    const watch = watches.get(uri);
    if (watch !== undefined) endWatch(watch);
    watches.delete(uri);
    return {};
  });
  const { onclose } = server;
  server.onclose = () => {
    onclose?.();
    for (const watch of watches.values()) endWatch(watch);
    watches.clear();
    if (list !== undefined) endWatch(list);
    list = undefined;
  };
}

function serveCompletions(server: Server, connection: McpConnection): void {
  server.setRequestHandler('completion/complete', async ({ params }, context) => {
    const { ref, argument, context: known } = params;
    const all = await connection.complete({
      of:
        ref.type === 'ref/prompt'
          ? { kind: 'prompt', name: ref.name }
          : { kind: 'resource', uriTemplate: ref.uri },
      argument,
      known: known?.arguments ?? {},
      signal: context.mcpReq.signal,
    });
    const values = all.slice(0, MOST_COMPLETIONS);
    return { completion: { values, total: all.length, hasMore: all.length > values.length } };
  });
}

export interface Page<T> {
  readonly items: T[];
  readonly nextCursor?: string;
}

/** One page of a list. A cursor contains the number of items before it. @throws ProtocolError -32602 for an invalid cursor */
export function paginate<T>(all: readonly T[], cursor: string | undefined, pageSize: number): Page<T> {
  const start = cursor === undefined ? 0 : offsetOf(cursor);
  if (start > 0 && start >= all.length) throw unknownCursor();
  const end = start + pageSize;
  const items = all.slice(start, end);
  return end < all.length ? { items, nextCursor: `after-${end}` } : { items };
}

function offsetOf(cursor: string): number {
  const digits = /^after-([1-9]\d{0,8})$/.exec(cursor)?.[1];
  if (digits === undefined) throw unknownCursor();
  return Number(digits);
}

function unknownCursor(): ProtocolError {
  return invalidParams('The cursor does not belong to this list. Request the list again without a cursor.');
}

/**
 * A pointer in a window. A data URL, so that showing it needs no network; small, because modern clients receive it with
 * every answer.
 */
const ICON =
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'><path d='M1 3h22v18H1z'/><path d='M9 8l9 6-6 1-3 5z' fill='#fa0'/></svg>";

/** The server's identity, as clients show it. */
export function serverInfo(version: string): Implementation {
  return {
    name: 'deskterity',
    title: 'Deskterity',
    version,
    description: 'Reads and controls desktop applications through their accessibility trees.',
    icons: [
      {
        src: `data:image/svg+xml;base64,${Buffer.from(ICON).toString('base64')}`,
        mimeType: 'image/svg+xml',
        sizes: ['any'],
      },
    ],
  };
}
