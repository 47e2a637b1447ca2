import { lstat } from 'node:fs/promises';
import { connect } from 'node:net';

/** Longest wait for whoever may be listening to take a connection. */
const PROBE_LIMIT_MS = 2000;

/** Whether a process takes connections at a socket. One that merely does not answer counts: its socket is not ours to remove. */
export function isListening(path: string): Promise<boolean> {
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
export async function identityOf(path: string): Promise<string | undefined> {
  try {
    const { dev, ino, mtimeNs } = await lstat(path, { bigint: true });
    return `${dev} ${ino} ${mtimeNs}`;
  } catch {
    return undefined;
  }
}
