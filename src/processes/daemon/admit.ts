import type { Socket } from 'node:net';
import type { LocalSocketsPort } from '../../ports/local-sockets.ts';
import type { LogPort } from '../../ports/log.ts';
import { encodeServerFrame } from '../../wire/daemon-protocol.ts';

/** Time for a refused client to read the reason. */
const LINGER_MS = 1000;

/**
 * Serves a client unless it is a confined command: if it may use Unix sockets, it could otherwise run an unconfined command or operate the
 * desktop. Never rejects.
 */
export async function admit(
  socket: Socket,
  parts: { readonly sockets: Pick<LocalSocketsPort, 'isConfined'>; readonly log: Pick<LogPort, 'write'> },
  serve: () => void,
): Promise<void> {
  // The reason does not matter.
  socket.on('error', () => undefined);
  // If in doubt, the client counts as confined.
  const isRefused = await parts.sockets.isConfined(socket).catch(() => true);
  if (socket.destroyed) return;
  if (!isRefused) {
    serve();
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
