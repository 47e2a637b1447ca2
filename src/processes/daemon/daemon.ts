import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../../app/app.ts';
import type { LocalSocketsPort } from '../../ports/local-sockets.ts';
import type { LogPort } from '../../ports/log.ts';
import { ClientConnection } from './client-connection.ts';
import type { ConnectionParts } from './client-connection.ts';
import { admit } from './admit.ts';
import { AttachService } from './attach-service.ts';
import { Life } from './life.ts';
import { listen } from './listen.ts';
import type { Listening } from './listen.ts';
import { McpService } from './mcp-service.ts';
import type { McpServiceParts } from './mcp-service.ts';
import type { Hello } from '../../wire/client-frames.ts';

/** Clients that had connected when the socket was hidden, and are still to be told. */
const LATE_CLIENTS_MS = 50;
/** Calls may end by themselves, then they are cancelled, then left alone. */
const FINISH_LIMIT_MS = 1500;
const CANCEL_LIMIT_MS = 500;
/** For MCP clients to be ended with their sessions. */
const MCP_LIMIT_MS = 1000;
/** For private desktops to end. */
const CLOSE_LIMIT_MS = 8000;
/** A daemon whose socket is gone can never be asked again. */
const SOCKET_CHECK_MS = 3000;

export interface DaemonParts {
  readonly socket: string;
  readonly version: string;
  /** Has done nothing yet that a process which is one too many could not drop. */
  readonly openApp: () => App;
  readonly packageVersion: string;
  readonly loadMcp: McpServiceParts['load'];
  readonly sockets: LocalSocketsPort;
  readonly log: LogPort;
  readonly toLine: ConnectionParts['toLine'];
  /** Milliseconds without calls after which the daemon leaves, by the settings of a caller. */
  readonly idleTimeoutMs: (environment: Hello['environment']) => Promise<number>;
  readonly initialIdleTimeoutMs: number;
  /** Runs a step that only one process may be in. */
  readonly exclusively: <T>(step: () => Promise<T>) => Promise<T>;
}

export interface Daemon {
  /** Begins to leave; {@link gone} tells when it is done. */
  leave(reason: string): void;
  readonly gone: Promise<void>;
}

/** Serves clients until it is time to leave. `undefined` when another process serves them already. */
export async function startDaemon(parts: DaemonParts): Promise<Daemon | undefined> {
  const connections = new Set<ClientConnection>();
  const app = parts.openApp();
  const gone = deferred();
  let listening: Listening | undefined;
  const life = new Life({
    version: parts.version,
    keptBy: () => app.keptBy(),
    idleTimeoutMs: parts.initialIdleTimeoutMs,
    leave: (reason) => {
      parts.log.write({ level: 'info', message: 'daemon leaves', fields: { reason } });
      void shutDown({ listening, connections, life, mcp, attachments, app, log: parts.log }).finally(() =>
        gone.resolve(),
      );
    },
  });
  const { log, packageVersion, loadMcp: load } = parts;
  const mcp = new McpService({ app, packageVersion, life, log, load });
  const attachments = new AttachService({ app, life });
  const connectionParts: ConnectionParts = {
    app,
    version: parts.version,
    life,
    mcp,
    attachments,
    log: parts.log,
    toLine: parts.toLine,
    onAnswered: ({ environment }) => {
      parts.idleTimeoutMs(environment).then(
        (milliseconds) => life.setIdleTimeout(milliseconds),
        // A wrong setting was the answer to the call itself.
        () => undefined,
      );
    },
  };
  listening = await parts.exclusively(() =>
    listen(parts.sockets, parts.socket, (socket) => {
      void admit(socket, parts, () => {
        const connection = new ClientConnection(socket, connectionParts);
        connections.add(connection);
        socket.on('close', () => connections.delete(connection));
      });
    }),
  );
  if (listening === undefined) return undefined;
  watchSocket(listening, life);
  parts.log.write({ level: 'info', message: 'daemon started', fields: { version: parts.version } });
  return { leave: (reason) => life.leave(reason), gone: gone.promise };
}

function watchSocket(listening: Listening, life: Life): void {
  const timer = setInterval(() => {
    if (life.isLeaving) clearInterval(timer);
    else void leaveIfUnreachable(listening, life);
  }, SOCKET_CHECK_MS);
  timer.unref();
}

async function leaveIfUnreachable(listening: Listening, life: Life): Promise<void> {
  if (life.activeCalls === 0 && !(await listening.isOurs())) life.leave('its socket is gone');
}

async function shutDown(leaving: {
  readonly listening: Listening | undefined;
  readonly connections: ReadonlySet<ClientConnection>;
  readonly life: Life;
  readonly mcp: McpService;
  readonly attachments: AttachService;
  readonly app: App;
  readonly log: LogPort;
}): Promise<void> {
  const { listening, connections, life, mcp, attachments, app, log } = leaving;
  // Those of MCP clients are calls of the app only.
  const activeCalls = () => Math.max(life.activeCalls, app.activeCalls);
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

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
