import { chmod, lstat, readdir, rename, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { errorCode } from '../../model/error-code.ts';
import type { ListenRequest, LocalListening } from '../../ports/local-sockets.ts';
import { isAlive } from '../paths.ts';

/** Longest wait for a listening process to accept a connection. */
const PROBE_LIMIT_MS = 2000;

/** Listens on a Unix socket that only this user can connect to; see {@link LocalSocketsPort.listen}. */
export async function listen(request: ListenRequest): Promise<LocalListening | undefined> {
  const { path, server, backlog, beforeVisible, takesOver = false } = request;
  if ((await isListening(path)) && !takesOver) return undefined;
  await sweepDrafts(dirname(path));
  // When a server closes, Node removes the path it was bound to, even if it now belongs to another process; so bind to a unique name.
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

/** Removes drafts of processes that were killed before the rename, or of an earlier process with our pid. */
async function sweepDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = Number(/^d(\d+)$/.exec(name)?.[1]);
    if (pid === process.pid || (!Number.isNaN(pid) && !isAlive(pid)))
      await rm(join(folder, name), { force: true });
  }
}

/** Whether a process listens on a socket. One that does not answer counts too: its socket must not be removed. */
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
      finish(!['ECONNREFUSED', 'ENOENT'].includes(errorCode(error) ?? ''));
    });
  });
}

/** Distinguishes a file from a later one at the same path; `undefined` if there is none. */
async function identityOf(path: string): Promise<string | undefined> {
  try {
    const { dev, ino, mtimeNs } = await lstat(path, { bigint: true });
    return `${dev} ${ino} ${mtimeNs}`;
  } catch {
    return undefined;
  }
}
