import type { Duplex } from 'node:stream';
import type { Caller } from '../../model/sessions/caller.ts';
import type { CallSettings, App } from '../../app/app.ts';
import type { HttpServing } from './http/serve-http.ts';
import { allToolFacts } from './tools/command-tools.ts';
import { openDesk } from './tools/open-desk.ts';
import type { McpOptions } from './options.ts';
import { serveLines } from './connections/serve-lines.ts';
import { requireToolsets, toolsetNames } from './tools/toolsets.ts';
import { WATCH_LIMITS } from './connections/watch-limits.ts';

/** What an MCP server of this machine is made of. */
export interface McpParts {
  readonly app: App;
  /** For whom it works: whose environment, whose folder. */
  readonly caller: Caller;
  /** Of the package. */
  readonly version: string;
  readonly options: McpOptions;
  readonly log: { write: NonNullable<CallSettings['onLog']> };
}

/** Where MCP is served over HTTP, and for whom. */
export interface HttpPlace {
  readonly bind: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Also the transport of older clients, with server-sent events. */
  readonly isSseServed: boolean;
  /** What clients must show. */
  readonly token: string | undefined;
}

/** Serves one client over a stream of bytes, which belongs to it from now on. Resolves when the client is gone and nothing is left of it. */
export async function serveClient(stream: Duplex, parts: McpParts): Promise<void> {
  const { log, version } = parts;
  await serveLines({
    stream,
    version,
    open: () => openDesk({ ...parts, hasSessionArgument: false }),
    onError: (error) => log.write(problem(error)),
  });
}

/** Serves any number of clients until it is closed. @throws DeskterityError when the place cannot be used, or is not safe */
export async function serveHttpClients(parts: McpParts, place: HttpPlace): Promise<HttpServing> {
  const { app, log, options, version } = parts;
  const all = allToolFacts(app.commands);
  requireToolsets(options.toolsets, all);
  const { serveHttp } = await import('./http/serve-http.ts');
  return serveHttp({
    ...place,
    version,
    toolsets: toolsetNames(all),
    open: ({ kind, toolsets }) =>
      openDesk({
        ...parts,
        options: { ...options, toolsets: toolsets ?? options.toolsets },
        // Where the user chose the session, no client chooses another.
        hasSessionArgument: kind === 'principal' && options.session === undefined,
        mostWatches: kind === 'principal' ? WATCH_LIMITS.principal : WATCH_LIMITS.client,
      }),
    onError: (error) => log.write(problem(error)),
  });
}

/** Only that there was one: its text may quote what somebody typed. */
function problem(error: Error): Parameters<McpParts['log']['write']>[0] {
  return { level: 'warn', message: 'mcp connection', fields: { name: error.name } };
}
