import type { Duplex } from 'node:stream';
import { SessionOwners } from './access/session-owners.ts';
import { oauthSettings } from './http/oauth/oauth-settings.ts';
import type { HttpServing } from './http/serve-http.ts';
import { allToolFacts } from './tools/command-tools.ts';
import { spelledFailure } from './tools/client-spelling.ts';
import { openConnection } from './tools/open-connection.ts';
import type { Opener } from './connections/connection.ts';
import type { McpParts } from './options.ts';
import { serveLines } from './connections/serve-lines.ts';
import { offeredToolsets, requireToolsets } from './tools/toolsets.ts';
import { WATCH_LIMITS } from './connections/watch-limits.ts';

export type { McpParts } from './options.ts';

/** Where MCP is served over HTTP. */
export interface HttpAddress {
  readonly bind: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** Also serve the older transport with server-sent events. */
  readonly isSseServed: boolean;
  /** Bearer token that clients must send. */
  readonly token: string | undefined;
  /** The toolsets that a client can choose from by its path. Default: all. */
  readonly mostToolsets: readonly string[] | undefined;
}

/** Serves one client over a byte stream, which it takes over. Resolves when the client has disconnected and is cleaned up. */
export async function serveClient(stream: Duplex, parts: McpParts): Promise<void> {
  const { app, log, version } = parts;
  await serveLines({
    stream,
    version,
    open: () =>
      spelledFailure(
        openConnection({ ...parts, hasSessionArgument: false, isOneClient: true }),
        app.commandLineSpeller,
      ),
    onError: (error) => log.write(problem(error)),
  });
}

/** Serves any number of clients until closed. @throws DeskterityError if the address cannot be used, or is not safe */
export async function serveHttpClients(parts: McpParts, address: HttpAddress): Promise<HttpServing> {
  const { app, log, options, version } = parts;
  const all = allToolFacts(app.commands);
  requireToolsets(options.toolsets, all);
  const { serveHttp } = await import('./http/serve-http.ts');
  const {
    oauth_issuer: issuer,
    oauth_audience: audience,
    oauth_scopes: scopes,
  } = await app.mcpSettings(parts.caller);
  const owners = new SessionOwners();
  const open: Opener = ({ kind, toolsets, owner }) =>
    openConnection({
      ...parts,
      options: { ...options, toolsets: toolsets ?? options.toolsets },
      // Clients must not leave a session that the user chose.
      hasSessionArgument: kind === 'principal' && options.session === undefined,
      own: owner === undefined ? undefined : owners.of(owner),
      isOneClient: kind === 'session',
      mostWatches: kind === 'principal' ? WATCH_LIMITS.principal : WATCH_LIMITS.client,
    });
  const serving = serveHttp({
    ...address,
    oauth: oauthSettings({ issuer, audience, scopes }),
    version,
    toolsets: offeredToolsets(all, address.mostToolsets),
    open: (request) => spelledFailure(open(request), app.commandLineSpeller),
    onError: (error) => log.write(problem(error)),
  });
  return spelledFailure(serving, app.commandLineSpeller);
}

/** Without the message, which may quote typed text. */
function problem(error: Error): Parameters<McpParts['log']['write']>[0] {
  return { level: 'warn', message: 'mcp connection', fields: { name: error.name } };
}
