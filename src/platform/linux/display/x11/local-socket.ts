import { connect } from 'node:net';

const LOCAL = /^(?:unix)?:(\d+)(?:\.\d+)?$/;

/** Whether somebody listens at the socket of a local display; nothing is wrong with a display that is none of this machine. */
export interface LocalSocket {
  readonly problem: 'missing' | 'deserted' | undefined;
  /** To be called when the display has been connected to, or will not be: an X server that is left by its last client begins anew. */
  readonly release: () => void;
}

/** The X library never closes a socket on which connecting failed, so it must not try where nobody listens. */
export function tryLocalSocket(display: string): Promise<LocalSocket> {
  const number = LOCAL.exec(display)?.[1];
  if (number === undefined) return Promise.resolve({ problem: undefined, release: () => undefined });
  return new Promise((resolve) => {
    const socket = connect(`/tmp/.X11-unix/X${number}`);
    const release = (): void => void socket.destroy();
    socket.once('connect', () => resolve({ problem: undefined, release }));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      resolve({ problem: error.code === 'ENOENT' ? 'missing' : 'deserted', release });
    });
  });
}
