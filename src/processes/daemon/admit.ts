import type { Socket } from 'node:net';
import type { LocalSocketsPort } from '../../ports/local-sockets.ts';
import type { LogPort } from '../../ports/log.ts';
import { encodeServerFrame } from '../../wire/daemon-protocol.ts';

/** For whoever is refused to read why. */
const LINGER_MS = 1000;

/**
 * Lets a client in, unless it is a command that is confined: one that may use Unix sockets could ask for a command that is not, or work the desktop.
 * Never rejects.
 */
export async function admit(
  socket: Socket,
  parts: { readonly sockets: Pick<LocalSocketsPort, 'isConfined'>; readonly log: Pick<LogPort, 'write'> },
  serve: () => void,
): Promise<void> {
  // Its reason does not matter.
  socket.on('error', () => undefined);
  // Whoever cannot be told from a confined command is one.
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
    message: 'A command that Deskterity confines may not ask it for anything.',
    suggestion: 'Call it from outside of the sandbox.',
  });
  socket.resume().end(refusal, () => socket.destroySoon());
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
