import { chmod, rename, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { identityOf, isListening } from '../../platform/unix-socket.ts';

const MOST_CONNECTIONS = 256;

export interface Listening {
  /** Removes the socket if it is still ours. To be called by one process at a time. */
  hide(): Promise<void>;
}

/**
 * Listens on a Unix socket, in the place of a stale one. To be called by one process at a time.
 * @param beforeVisible what whoever connects must find
 * @param takesOver takes the place also of one that listens there
 * @returns `undefined` when somebody listens there already
 * @throws Error of the file system
 */
export async function listenAlone(
  path: string,
  onConnection: (socket: Socket) => void,
  beforeVisible: () => Promise<void>,
  takesOver = false,
): Promise<Listening | undefined> {
  if ((await isListening(path)) && !takesOver) return undefined;
  // Bound to a name of its own: Node removes what is there when it ends, were it another one's by then.
  const draft = join(dirname(path), `h${process.pid}`);
  await rm(draft, { force: true });
  const server = createServer(onConnection);
  server.maxConnections = MOST_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(draft, resolve);
  });
  server.on('error', () => undefined);
  await chmod(draft, 0o600);
  await beforeVisible();
  await rename(draft, path);
  const identity = await identityOf(path);
  return {
    hide: async () => {
      if (identity !== undefined && (await identityOf(path)) === identity) await rm(path, { force: true });
    },
  };
}
