import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { isAlive } from '../../platform/paths.ts';
import type { LocalListening, LocalSocketsPort } from '../../ports/local-sockets.ts';

const MOST_CONNECTIONS = 1024;
/** Many clients may come at once before the first is served. */
const BACKLOG = 1024;

/** A socket that this process listens on. */
export interface Listening extends Pick<LocalListening, 'isOurs'> {
  /** Removes what leads to it if it is still ours; who has connected by then is still served. */
  hide(): Promise<void>;
  /** Takes no more connections. */
  close(): void;
}

/**
 * Listens for clients, in the place of a daemon that has ended. To be called by one process at a time.
 * @returns `undefined` when somebody listens there already
 * @throws Error of the file system
 */
export async function listen(
  sockets: Pick<LocalSocketsPort, 'listen'>,
  path: string,
  onConnection: (socket: Socket) => void,
): Promise<Listening | undefined> {
  // A client of MCP that has said all it will is still to be answered; others are ended by whoever serves them.
  const server = createServer({ allowHalfOpen: true }, onConnection);
  server.maxConnections = MOST_CONNECTIONS;
  const listening = await sockets.listen({
    path,
    server,
    backlog: BACKLOG,
    // For "desk daemon stop --force" when this process answers nobody any more.
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

/** The start marker of a client that was killed before it could drop it. */
async function sweepMarker(marker: string): Promise<void> {
  const starter = await readFile(marker, 'utf8').catch(() => undefined);
  if (starter !== undefined && !isAlive(Number(starter))) await rm(marker, { force: true });
}
