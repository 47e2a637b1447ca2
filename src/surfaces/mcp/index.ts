import { resolve } from 'node:path';
import type { Duplex } from 'node:stream';
import { fixFolder } from '../../app/fix-folder.ts';
import { SessionOwners } from './access/session-owners.ts';
import { oauthSettings } from './http/oauth/oauth-settings.ts';
import type { Caller, FixedFolder } from '../../model/sessions/caller.ts';
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
  /** Folders that paths of their own work in. */
  readonly folders: readonly { readonly name: string; readonly folder: string }[];
  /** Each session works in the first root of its client. */
  readonly isSessionIsolated: boolean;
  /** Also tell what clients send and receive. */
  readonly isEchoed: boolean;
}

/** Serves one client over a byte stream, which it takes over. Resolves when the client has disconnected and is cleaned up. */
export async function serveClient(stream: Duplex, parts: McpParts): Promise<void> {
  const { app, log, version } = parts;
  await serveLines({
    stream,
    version,
    open: () =>
      spelledFailure(
        fixed(parts).then((caller) =>
          openConnection({ ...parts, caller, hasSessionArgument: false, isOneClient: true }),
        ),
        app.commandLineSpeller,
      ),
    onError: (error) => log.write(problem(error)),
  });
}

/** Serves any number of clients until closed. @throws DeskterityError if the address cannot be used, or is not safe */
export async function serveHttpClients(
  parts: McpParts,
  address: HttpAddress,
  onEcho?: (text: string) => void,
): Promise<HttpServing> {
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
  const caller = await fixed(parts);
  const chosen = address.isSessionIsolated ? await app.chosenScope(parts.caller) : '';
  const ceiling = chosen === '' ? '' : (caller.fixedFolder?.path ?? chosen);
  // Now, because a connection is opened again after it was idle.
  const folders = new Map<string, FixedFolder | undefined>();
  for (const { folder } of address.folders) folders.set(folder, await fixFolder(folder));
  const open: Opener = async ({ kind, toolsets, owner, folder }) =>
    openConnection({
      ...parts,
      caller: {
        ...(folder === undefined
          ? caller
          : callerIn(caller, folders.has(folder) ? folders.get(folder) : await fixFolder(folder), folder)),
        owner,
      },
      kind,
      options: { ...options, toolsets: toolsets ?? options.toolsets },
      // Clients must not leave a session that the user chose.
      hasSessionArgument: kind === 'principal' && options.session === undefined,
      owner,
      own: owner === undefined ? undefined : owners.of(owner),
      isOneClient: kind === 'session',
      mostWatches: kind === 'principal' ? WATCH_LIMITS.principal : WATCH_LIMITS.client,
    });
  const serving = serveHttp({
    ...address,
    oauth: oauthSettings({ issuer, audience, scopes }),
    version,
    toolsets: offeredToolsets(all, address.mostToolsets),
    onEcho: address.isEchoed ? onEcho : undefined,
    onPeer: (connection) => app.notePeer(connection),
    rootRules: address.isSessionIsolated ? { ceiling } : undefined,
    open: (request) => spelledFailure(open(request), app.commandLineSpeller),
    onError: (error) => log.write(problem(error)),
  });
  return spelledFailure(serving, app.commandLineSpeller);
}

/** As if the server had been started in this folder, and for it. */
function callerIn(caller: Caller, fixedFolder: FixedFolder | undefined, given: string): Caller {
  const folder = fixedFolder?.path ?? given;
  const environment = { ...caller.environment, DESKTERITY_SANDBOX_SCOPE: folder };
  return { ...caller, cwd: folder, environment, fixedFolder };
}

/** The caller with the folder that it is confined to from now on. */
async function fixed({ app, caller }: Pick<McpParts, 'app' | 'caller'>): Promise<Caller> {
  const chosen = await app.chosenScope(caller);
  return { ...caller, fixedFolder: await fixFolder(resolve(caller.cwd, chosen)) };
}

/** Without the message, which may quote typed text. */
function problem(error: Error): Parameters<McpParts['log']['write']>[0] {
  return { level: 'warn', message: 'mcp connection', fields: { name: error.name } };
}
