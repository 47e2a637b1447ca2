import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../../app/app.ts';
import type { LocalSocketsPort } from '../../ports/local-sockets.ts';
import type { LogPort } from '../../ports/log.ts';
import { ClientConnection, type ConnectionParts } from './client-connection.ts';
import { AttachService } from './attach-service.ts';
import { Lifetime } from './lifetime.ts';
import { admit, listen, type Listening } from './listen.ts';
import { McpService, type McpServiceParts } from './mcp-service.ts';
import type { Hello } from '../../wire/client-frames.ts';

/** For clients that connected just before the socket was hidden. */
const LATE_CLIENTS_MS = 50;
/** Time for calls to finish; then they are cancelled and get {@link CANCEL_LIMIT_MS}. */
const FINISH_LIMIT_MS = 1500;
const CANCEL_LIMIT_MS = 1000;
/** For MCP clients and their sessions to end. */
const MCP_LIMIT_MS = 1000;
/** For private desktops to end. */
const CLOSE_LIMIT_MS = 8000;
/** A daemon whose socket was removed can no longer be reached. */
const SOCKET_CHECK_MS = 3000;

export interface DaemonParts {
  readonly socket: string;
  readonly version: string;
  /** Must not have effects: another daemon may already be running. */
  readonly openApp: () => App;
  readonly packageVersion: string;
  readonly loadMcp: McpServiceParts['load'];
  readonly sockets: LocalSocketsPort;
  readonly log: LogPort;
  readonly toLine: ConnectionParts['toLine'];
  /** Milliseconds without calls after which the daemon exits, from the caller's settings. */
  readonly idleTimeoutMs: (environment: Hello['environment']) => Promise<number>;
  readonly initialIdleTimeoutMs: number;
  /** Runs a step under a lock between processes. */
  readonly exclusively: <T>(step: () => Promise<T>) => Promise<T>;
}

export interface Daemon {
  /** Starts to shut down; {@link gone} resolves afterwards. */
  leave(reason: string): void;
  readonly gone: Promise<void>;
}

/** Serves clients until it shuts down. `undefined` if another process already serves them. */
export async function startDaemon(parts: DaemonParts): Promise<Daemon | undefined> {
  const connections = new Set<ClientConnection>();
  const app = parts.openApp();
  let resolveGone: () => void = () => undefined;
  const gone = new Promise<void>((resolve) => (resolveGone = resolve));
  let listening: Listening | undefined;
  const lifetime = new Lifetime({
    version: parts.version,
    keptBy: () => app.keptBy(),
    idleTimeoutMs: parts.initialIdleTimeoutMs,
    leave: (reason) => {
      parts.log.write({ level: 'info', message: 'daemon leaves', fields: { reason } });
      void shutDown({ listening, connections, lifetime, mcp, attachments, app, log: parts.log }).finally(() =>
        resolveGone(),
      );
    },
  });
  const { log, packageVersion, loadMcp: load } = parts;
  const mcp = new McpService({ app, packageVersion, lifetime, log, load });
  const attachments = new AttachService({ app, lifetime });
  const connectionParts: ConnectionParts = {
    app,
    version: parts.version,
    lifetime,
    mcp,
    attachments,
    log: parts.log,
    toLine: parts.toLine,
    onAnswered: ({ environment }) => {
      parts.idleTimeoutMs(environment).then(
        (milliseconds) => lifetime.setIdleTimeout(milliseconds),
        // The call itself reported the invalid setting.
        () => undefined,
      );
    },
  };
  listening = await parts.exclusively(() =>
    listen(parts.sockets, parts.socket, (socket) => {
      void admit(socket, parts, (pid) => {
        const connection = new ClientConnection(socket, connectionParts, pid);
        connections.add(connection);
        socket.on('close', () => connections.delete(connection));
      });
    }),
  );
  if (listening === undefined) return undefined;
  watchSocket(listening, lifetime);
  parts.log.write({ level: 'info', message: 'daemon started', fields: { version: parts.version } });
  return { leave: (reason) => lifetime.leave(reason), gone };
}

function watchSocket(listening: Listening, lifetime: Lifetime): void {
  const timer = setInterval(() => {
    if (lifetime.isLeaving) clearInterval(timer);
    else void leaveIfUnreachable(listening, lifetime);
  }, SOCKET_CHECK_MS);
  timer.unref();
}

async function leaveIfUnreachable(listening: Listening, lifetime: Lifetime): Promise<void> {
  if (lifetime.activeCalls === 0 && !(await listening.isOurs())) lifetime.leave('its socket was removed');
}

async function shutDown(leaving: {
  readonly listening: Listening | undefined;
  readonly connections: ReadonlySet<ClientConnection>;
  readonly lifetime: Lifetime;
  readonly mcp: McpService;
  readonly attachments: AttachService;
  readonly app: App;
  readonly log: LogPort;
}): Promise<void> {
  const { listening, connections, lifetime, mcp, attachments, app, log } = leaving;
  // Calls of MCP clients are counted only by the app.
  const activeCalls = () => Math.max(lifetime.activeCalls, app.activeCalls);
  await listening?.hide().catch(() => undefined);
  for (const connection of connections) connection.announceLeaving();
  await sleep(LATE_CLIENTS_MS);
  listening?.close();
  await untilIdle(activeCalls, FINISH_LIMIT_MS);
  for (const connection of connections) connection.cancelAll();
  attachments.end();
  await Promise.race([mcp.end(), sleep(MCP_LIMIT_MS)]);
  await untilIdle(activeCalls, CANCEL_LIMIT_MS);
  for (const connection of connections) connection.end();
  await Promise.race([app.close().catch(() => undefined), sleep(CLOSE_LIMIT_MS)]);
  await Promise.race([log.flush(), sleep(CANCEL_LIMIT_MS)]);
}

async function untilIdle(activeCalls: () => number, limitMs: number): Promise<void> {
  const end = performance.now() + limitMs;
  while (activeCalls() > 0 && performance.now() < end) await sleep(20);
}
