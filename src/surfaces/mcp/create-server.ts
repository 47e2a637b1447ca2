import type { McpConnection, Unwatch } from './connections/connection.ts';
import { CheckedServer } from './connections/checked-server.ts';
import type { Era } from './era.ts';
import { RequestStates } from './questions/request-states.ts';
import type { Implementation, Server } from './sdk.ts';
import { serveCompletions } from './serving/serve-completions.ts';
import { servePrompts } from './serving/serve-prompts.ts';
import { serveResources } from './serving/serve-resources.ts';
import { serveTools } from './serving/serve-tools.ts';
import { serveTasks, taskCapabilities } from './tasks/serve-tasks.ts';

/** On one connection only the lists of resources, tools and prompts change. */
const STABLE = { ttlMs: 300_000, cacheScope: 'private' } as const;
/** Tool files and the policy can change at any time; a client without a subscription reads them again. */
const CHANGING = { ttlMs: 10_000, cacheScope: 'private' } as const;
/** The next request may come with another token, which permits other tools. */
const TOKENS = { ttlMs: 0, cacheScope: 'private' } as const;

export interface ServerParts {
  readonly connection: McpConnection;
  readonly version: string;
  /** A legacy client's watches end with its server. */
  readonly era: Era;
  /** Callers may do only what their access tokens permit. Default: everything. */
  readonly isScoped?: boolean | undefined;
}

/** The protocol server of one connection, which answers requests from {@link McpConnection}. */
export function createServer({ connection, version, era, isScoped = false }: ServerParts): Server {
  const server = new CheckedServer(serverInfo(version), {
    instructions: connection.instructions,
    capabilities: {
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      completions: {},
      logging: {},
      experimental: { ...connection.facts },
      ...taskCapabilities(connection, era),
    },
    cacheHints: {
      'tools/list': isScoped ? TOKENS : CHANGING,
      'prompts/list': CHANGING,
      'resources/templates/list': STABLE,
    },
  });
  const states = era === 'legacy' ? new RequestStates() : era.states;
  const served = { server, connection, era, states, isScoped };
  serveTools(served);
  serveTasks(served);
  servePrompts(served);
  serveResources(served);
  serveCompletions(served);
  // In the modern era messages belong to a request, so the next answer reports it instead.
  if (era === 'legacy') {
    reportWhile(server, 'deskterity.terminals', connection.watchCommandEnds);
    reportWhile(server, 'deskterity.policy', (onChange) =>
      connection.watchMode?.((mode) => onChange({ security_mode: mode })),
    );
  }
  server.setNotificationHandler('notifications/roots/list_changed', () => connection.rootsChanged?.());
  return server;
}

/** Sends log messages, which the client filters by level, until it disconnects. */
function reportWhile(
  server: Server,
  logger: string,
  watch: ((report: (data: unknown) => void) => Unwatch | undefined) | undefined,
): void {
  const unwatch = watch?.((data) => {
    const message = { level: 'notice', logger, data } as const;
    server.sendLoggingMessage(message, server.transport?.sessionId).catch(() => undefined);
  });
  const { onclose } = server;
  server.onclose = () => {
    onclose?.();
    unwatch?.();
  };
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
