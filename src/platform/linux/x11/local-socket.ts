import { connect } from 'node:net';

const LOCAL = /^(?:unix)?:(\d+)(?:\.\d+)?$/;

/**
 * What is wrong with the socket of a local display; `undefined` where somebody listens there, or the display is none of this machine. The X
 * library never closes a socket on which connecting failed, so it must not try.
 */
export function localSocketProblem(display: string): Promise<'missing' | 'deserted' | undefined> {
  const number = LOCAL.exec(display)?.[1];
  if (number === undefined) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const socket = connect(`/tmp/.X11-unix/X${number}`);
    socket.once('connect', () => {
      socket.destroy();
      resolve(undefined);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code === 'ENOENT' ? 'missing' : 'deserted');
    });
  });
}
