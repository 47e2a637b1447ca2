import { dirname, join } from 'node:path';

/** Where the shells of a holder find their hooks and commands, by the holder's socket: one folder per terminal, gone with it. */
export function shellsFolder(holderSocket: string): string {
  return join(dirname(holderSocket), 'shells');
}
