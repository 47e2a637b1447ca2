import { nearest } from '../../model/text/nearest.ts';
import { CheckedServer } from './connections/checked-server.ts';
import type { McpConnection, McpPrompt, Unwatch } from './connections/connection.ts';
import { endWatch } from './connections/listen-watches.ts';
import { paginate } from './paginate.ts';
import { requestVoice } from './connections/request-voice.ts';
import { isInputRequiredResult, ProtocolError, ProtocolErrorCode } from './sdk.ts';
import type { Server } from './sdk.ts';
import { serverInfo } from './server-info.ts';

/** Some clients never ask for a second page of tools, so that one holds them all. */
const TOOLS_PER_PAGE = 500;
const ITEMS_PER_PAGE = 100;
/** Most values a completion may have, by the protocol. */
const MOST_COMPLETIONS = 100;
/** Lists of one connection do not change, but for resources and tools. */
const STEADY = { ttlMs: 300_000, cacheScope: 'private' } as const;
/** Tool files change at any time; a client that does not listen looks again. */
const TOOL_FILES = { ttlMs: 10_000, cacheScope: 'private' } as const;

export interface ServerParts {
  readonly connection: McpConnection;
  readonly version: string;
  /** Watches of a legacy client end with its server. */
  readonly era: 'legacy' | 'modern';
}

/** The protocol server of one connection: what the client may ask, answered from {@link McpConnection}. */
export function createServer({ connection, version, era }: ServerParts): Server {
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
    cacheHints: { 'tools/list': TOOL_FILES, 'prompts/list': STEADY, 'resources/templates/list': STEADY },
  });
  serveTools(server, connection, era);
  servePrompts(server, connection);
  serveResources(server, connection, era);
  serveCompletions(server, connection);
  // In the modern era messages belong to a request; there the next answer tells it.
  if (era === 'legacy') tellCommandEnds(server, connection);
  return server;
}

/** As a message of the log, which the client shows or not by the level it has set. */
function tellCommandEnds(server: Server, connection: McpConnection): void {
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

function serveTools(server: Server, connection: McpConnection, era: ServerParts['era']): void {
  let watch: Unwatch | undefined;
  server.onclose = () => watch?.();
  server.setRequestHandler('tools/list', async ({ params }) => {
    await connection.toolsKnown;
    // Whoever has a list wants to know when it is out of date; clients of the modern era say so themselves.
    if (era === 'legacy')
      watch ??= connection.watchTools(() => void server.sendToolListChanged().catch(() => undefined));
    const { items, ...rest } = paginate(connection.tools, params?.cursor, TOOLS_PER_PAGE);
    return { tools: items.map(({ definition }) => definition), ...rest };
  });
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const find = () =>
      connection.tools.find(
        ({ definition, aliases = [] }) => definition.name === params.name || aliases.includes(params.name),
      );
    let tool = find();
    if (tool === undefined) {
      await connection.toolsKnown;
      tool = find();
    }
    if (tool === undefined)
      throw unknown(
        'tool',
        params.name,
        connection.tools.map(({ definition }) => definition.name),
      );
    const result = await tool.call(params.arguments ?? {}, requestVoice(context));
    return isInputRequiredResult(result)
      ? result
      : server.projectCallToolResult(result, tool.definition.outputSchema);
  });
}

function servePrompts(server: Server, { prompts }: McpConnection): void {
  const byName = new Map(prompts.map((prompt) => [prompt.definition.name, prompt]));
  server.setRequestHandler('prompts/list', ({ params }) => {
    const { items, ...rest } = paginate(prompts, params?.cursor, ITEMS_PER_PAGE);
    return { prompts: items.map(({ definition }) => definition), ...rest };
  });
  server.setRequestHandler('prompts/get', async ({ params }, context) => {
    const prompt = byName.get(params.name);
    if (prompt === undefined) throw unknown('prompt', params.name, [...byName.keys()]);
    const given = params.arguments ?? {};
    requireArguments(prompt, given);
    return prompt.get(given, requestVoice(context));
  });
}

function requireArguments({ definition }: McpPrompt, given: Readonly<Record<string, string>>): void {
  const names = (definition.arguments ?? []).map(({ name }) => name);
  const missing = (definition.arguments ?? []).find(
    ({ name, required }) => required === true && (given[name] ?? '').trim() === '',
  );
  if (missing !== undefined)
    throw invalid(`The prompt "${definition.name}" needs the argument "${missing.name}".`);
  const strange = Object.keys(given).find((name) => !names.includes(name));
  if (strange !== undefined) throw unknown(`argument of the prompt "${definition.name}"`, strange, names);
}

function serveResources(server: Server, { resources }: McpConnection, era: ServerParts['era']): void {
  const watches = new Map<string, Promise<Unwatch>>();
  let list: Promise<Unwatch> | undefined;
  server.setRequestHandler('resources/list', async ({ params }, context) => {
    const all = await resources.list({ signal: context.mcpReq.signal });
    const { items, ...rest } = paginate(all, params?.cursor, ITEMS_PER_PAGE);
    // Whoever has a list wants to know when it is out of date; clients of the modern era say so themselves.
    if (era === 'legacy' && list === undefined) {
      list = resources.watchList(() => void server.sendResourceListChanged().catch(() => undefined));
      // Nobody waits for it; who asks again tries again.
      list.catch(() => (list = undefined));
    }
    return { resources: items, ...rest };
  });
  server.setRequestHandler('resources/templates/list', ({ params }) => {
    const { items, ...rest } = paginate(resources.templates, params?.cursor, ITEMS_PER_PAGE);
    return { resourceTemplates: items, ...rest };
  });
  server.setRequestHandler('resources/read', ({ params }, context) =>
    resources.read(params.uri, requestVoice(context)),
  );
  server.setRequestHandler('resources/subscribe', async ({ params: { uri } }) => {
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

function unknown(what: string, given: string, names: readonly string[]): ProtocolError {
  const close = nearest(given, names);
  const hint = close === undefined ? `There are: ${names.join(', ')}.` : `Did you mean "${close}"?`;
  return invalid(`There is no ${what} called ${JSON.stringify(given.slice(0, 80))}. ${hint}`);
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
