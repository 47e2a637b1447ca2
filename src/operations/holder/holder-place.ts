import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import { operationsFolder } from '../operation-folder.ts';

/** Identifies a holder: there is one for each scope, build and state folder. */
export interface HolderKey {
  /** Absolute, with links resolved. */
  readonly scope: string;
  /** Version and hash of the sources: two builds never share a holder. */
  readonly build: string;
  readonly stateFolder: string;
}

/** Sixteen hexadecimal characters. */
export function holderName({ scope, build, stateFolder }: HolderKey): string {
  return createHash('sha256')
    .update(JSON.stringify([scope, build, stateFolder]))
    .digest('hex')
    .slice(0, 16);
}

/**
 * The file with the token that clients must know. It is in the state folder, which no confined program can read: with the token, a program
 * that may use Unix sockets could start commands outside its sandbox.
 */
export function tokenFile(stateFolder: string, socket: string): string {
  return holderFile(stateFolder, socket, 'token');
}

/** The file in which a holder that cannot start reports the reason. */
export function problemFile(stateFolder: string, socket: string): string {
  return holderFile(stateFolder, socket, 'problem');
}

/** The file with which the holder reserves disk space. */
export function reserveFile(stateFolder: string, socket: string): string {
  return holderFile(stateFolder, socket, 'reserve');
}

export function holdersFolder(stateFolder: string): string {
  return join(operationsFolder(stateFolder), 'holders');
}

function holderFile(stateFolder: string, socket: string, kind: string): string {
  return join(holdersFolder(stateFolder), `${basename(socket, '.sock')}.${kind}`);
}
