import { chmod, lstat, readdir, rename, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import type { ListenRequest, LocalListening } from '../../ports/local-sockets.ts';
import { isAlive } from '../paths.ts';

/** Longest wait for whoever may be listening to take a connection. */
const PROBE_LIMIT_MS = 2000;

/** Listens on a Unix socket that only this user can connect to; see {@link LocalSocketsPort.listen}. */
export async function listen(request: ListenRequest): Promise<LocalListening | undefined> {
  const { path, server, backlog, beforeVisible, takesOver = false } = request;
  if ((await isListening(path)) && !takesOver) return undefined;
  await sweepDrafts(dirname(path));
  // Closing a server, or ending Node, removes what is at the path it was bound to, were it another one's by then: so it is bound to a name of its own.
  const draft = join(dirname(path), `d${process.pid}`);
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject);
    server.listen({ path: draft, ...(backlog === undefined ? {} : { backlog }) }, resolve);
  });
  await chmod(draft, 0o600);
  await beforeVisible?.();
  await rename(draft, path);
  const identity = await identityOf(path);
  const isOurs = async () => identity !== undefined && (await identityOf(path)) === identity;
  return {
    isOurs,
    hide: async () => {
      if (!(await isOurs())) return false;
      await rm(path, { force: true });
      return true;
    },
  };
}

/** Sockets of processes that were killed before they had the right name, or of one that had the number of this process. */
async function sweepDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = Number(/^d(\d+)$/.exec(name)?.[1]);
    if (pid === process.pid || (!Number.isNaN(pid) && !isAlive(pid)))
      await rm(join(folder, name), { force: true });
  }
}

/** Whether a process takes connections at a socket. One that merely does not answer counts: its socket is not ours to remove. */
function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const finish = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(PROBE_LIMIT_MS, () => finish(true));
    socket.once('connect', () => finish(true));
    socket.once('error', (error) => {
      const code = 'code' in error ? error.code : undefined;
      finish(code !== 'ECONNREFUSED' && code !== 'ENOENT');
    });
  });
}

/** Tells a file from another one that takes its place; `undefined` where there is none. */
async function identityOf(path: string): Promise<string | undefined> {
  try {
    const { dev, ino, mtimeNs } = await lstat(path, { bigint: true });
    return `${dev} ${ino} ${mtimeNs}`;
  } catch {
    return undefined;
  }
}
