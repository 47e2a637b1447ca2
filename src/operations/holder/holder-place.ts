import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import { operationsFolder } from '../operation-folder.ts';

/** What tells holders apart: each pair of scope and build has its own, for each state folder. */
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
 * Where a holder keeps the word that its clients must know. In the state folder, which no confined program can read: one that may use Unix sockets
 * could otherwise have things run without its confinement.
 */
export function tokenFile(stateFolder: string, socket: string): string {
  return holderFile(stateFolder, socket, 'token');
}

/** Where a holder that cannot do its work says why, for whoever started it. */
export function problemFile(stateFolder: string, socket: string): string {
  return holderFile(stateFolder, socket, 'problem');
}

/** Room on the disk that the holder keeps. */
export function reserveFile(stateFolder: string, socket: string): string {
  return holderFile(stateFolder, socket, 'reserve');
}

export function holdersFolder(stateFolder: string): string {
  return join(operationsFolder(stateFolder), 'holders');
}

function holderFile(stateFolder: string, socket: string, kind: string): string {
  return join(holdersFolder(stateFolder), `${basename(socket, '.sock')}.${kind}`);
}
