import { createHash } from 'node:crypto';
import type { TerminalIdentity } from '../model/terminals/session-name.ts';

/** In the place of a hash where there is no project. */
export const NO_PROJECT = 'NO_PROJECT';

const KEY_LENGTH = 32;

/** SHA-256 of the canonical path in hexadecimal, or {@link NO_PROJECT}. */
export function projectHash(projectPath: string | undefined): string {
  return projectPath === undefined ? NO_PROJECT : createHash('sha256').update(projectPath).digest('hex');
}

/** The same for the same session, different for any other; fit for a file name. */
export function sessionKey({ projectPath, tag }: TerminalIdentity): string {
  return createHash('sha256')
    .update(`${projectHash(projectPath)}\0${tag}`)
    .digest('hex')
    .slice(0, KEY_LENGTH);
}
