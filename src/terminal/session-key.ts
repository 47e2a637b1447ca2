import { createHash } from 'node:crypto';
import type { TerminalIdentity } from '../model/terminals/session-name.ts';

/** Replaces the hash for a session without a project. */
export const NO_PROJECT = 'NO_PROJECT';

const KEY_LENGTH = 32;

/** Hexadecimal SHA-256 of the canonical path, or {@link NO_PROJECT}. */
export function projectHash(projectPath: string | undefined): string {
  return projectPath === undefined ? NO_PROJECT : createHash('sha256').update(projectPath).digest('hex');
}

/** Identifies a session; usable as a file name. */
export function sessionKey({ projectPath, tag }: TerminalIdentity): string {
  return createHash('sha256')
    .update(`${projectHash(projectPath)}\0${tag}`)
    .digest('hex')
    .slice(0, KEY_LENGTH);
}
