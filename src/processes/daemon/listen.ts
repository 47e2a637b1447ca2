import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { isAlive } from '../../platform/paths.ts';
import type { LogPort } from '../../ports/log.ts';
import { encodeServerFrame } from '../../wire/daemon-protocol.ts';
import type { LocalListening, LocalSocketsPort } from '../../ports/local-sockets.ts';

const MAX_CONNECTIONS = 1024;
/** Many clients may connect before the first is served. */
const BACKLOG = 1024;

/** A listening socket. */
export interface Listening extends Pick<LocalListening, 'isOurs'> {
  /** Removes the socket file if it is still ours; clients that have connected are still served. */
  hide(): Promise<void>;
  /** Stops accepting connections. */
  close(): void;
}

/**
 * Listens for clients and replaces a daemon that has ended. Only one process at a time may call it.
 * @returns `undefined` if another process already listens there
 * @throws Error of the file system
 */
export async function listen(
  sockets: Pick<LocalSocketsPort, 'listen'>,
  path: string,
  onConnection: (socket: Socket) => void,
): Promise<Listening | undefined> {
  // An MCP client that has closed its side must still be answered; others are closed by the code that serves them.
  const server = createServer({ allowHalfOpen: true }, onConnection);
  server.maxConnections = MAX_CONNECTIONS;
  const listening = await sockets.listen({
    path,
    server,
    backlog: BACKLOG,
    // For "desk daemon stop --force" if this process no longer responds.
    beforeVisible: () => writeFile(`${path}.pid`, `${process.pid}\n`, { mode: 0o600 }),
  });
  if (listening === undefined) return undefined;
  return {
    isOurs: () => listening.isOurs(),
    hide: async () => {
      if (!(await listening.hide())) return;
      await rm(`${path}.pid`, { force: true });
      await sweepMarker(`${path}.start`);
    },
    close: () => void server.close(),
  };
}

/** Removes the start marker of a client that was killed. */
async function sweepMarker(marker: string): Promise<void> {
  const starter = await readFile(marker, 'utf8').catch(() => undefined);
  if (starter !== undefined && !isAlive(Number(starter))) await rm(marker, { force: true });
}

/** Time for a refused client to read the reason. */
const LINGER_MS = 1000;

/**
 * Serves a client unless it is a confined command: if it may use Unix sockets, it could otherwise run an unconfined command or operate the
 * desktop. Never rejects.
 */
export async function admit(
  socket: Socket,
  parts: {
    readonly sockets: Pick<LocalSocketsPort, 'isConfined' | 'peerPid'>;
    readonly log: Pick<LogPort, 'write'>;
  },
  serve: (pid: number | undefined) => void,
): Promise<void> {
  // The reason does not matter.
  socket.on('error', () => undefined);
  // If in doubt, the client counts as confined.
  const isRefused = await parts.sockets.isConfined(socket).catch(() => true);
  const pid = isRefused ? undefined : await parts.sockets.peerPid(socket);
  if (socket.destroyed) return;
  if (!isRefused) {
    serve(pid);
    return;
  }
  parts.log.write({ level: 'warn', message: 'confined client refused' });
  const refusal = encodeServerFrame({
    type: 'refused',
    code: 'UNAUTHORIZED',
    message: 'Commands inside the sandbox of Deskterity may not call Deskterity.',
    suggestion: 'Call it from outside the sandbox.',
  });
  socket.resume().end(refusal, () => socket.destroySoon());
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
