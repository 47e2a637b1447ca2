import { chmod, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { isAlive } from '../../platform/is-alive.ts';
import { identityOf, isListening } from '../../platform/unix-socket.ts';

const MOST_CONNECTIONS = 1024;
/** Many clients may come at once before the first is served. */
const BACKLOG = 1024;

/** A socket that this process listens on. */
export interface Listening {
  /** Whether the path still leads to it: somebody may have removed or replaced the file. */
  isOurs(): Promise<boolean>;
  /** Removes the file if it is still ours; who has connected by then is still served. */
  hide(): Promise<void>;
  /** Takes no more connections. */
  close(): void;
}

/**
 * Listens on a Unix socket, in the place of a stale one. To be called by one process at a time.
 * @returns `undefined` when somebody listens there already
 * @throws Error of the file system
 */
export async function listen(
  path: string,
  onConnection: (socket: Socket) => void,
): Promise<Listening | undefined> {
  if (await isListening(path)) return undefined;
  await sweepDrafts(dirname(path));
  // Closing a server removes what is at the path it was bound to, were it another daemon's socket by then: so it is bound to a name of its own.
  const draft = join(dirname(path), `d${process.pid}`);
  // A client of MCP that has said all it will is still to be answered; others are ended by whoever serves them.
  const server = createServer({ allowHalfOpen: true }, onConnection);
  server.maxConnections = MOST_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path: draft, backlog: BACKLOG }, resolve);
  });
  await chmod(draft, 0o600);
  // For "desk daemon stop --force" when this process answers nobody any more.
  await writeFile(`${path}.pid`, `${process.pid}\n`, { mode: 0o600 });
  await rename(draft, path);
  const identity = await identityOf(path);
  const isOurs = async () => identity !== undefined && (await identityOf(path)) === identity;
  return {
    isOurs,
    hide: async () => {
      if (!(await isOurs())) return;
      await rm(path, { force: true });
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

/** Sockets of processes that were killed before they had the right name. */
async function sweepDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = /^d(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) await rm(join(folder, name), { force: true });
  }
}
