import { createHash } from 'node:crypto';
import { clip, reveal } from '../../model/text/untrusted-text.ts';
import { ROOT_PROJECT_TAG } from './terminal-tag.ts';

/** What a session is known by: its project and its tag. */
export interface TerminalIdentity {
  /** Absolute, with links resolved: two ways to one folder are one project. Absent where there is no project. */
  readonly projectPath: string | undefined;
  readonly tag: string;
}

/** In the place of a hash where there is no project. */
export const NO_PROJECT = 'NO_PROJECT';

const EMOJI = '🤖💥';
const LONGEST_NAME = 64;
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

/** The last folder of a project's path. */
export function projectName(projectPath: string | undefined): string {
  if (projectPath === undefined) return '_global_';
  const name = projectPath.split('/').findLast((part) => part !== '');
  return name === undefined ? ROOT_PROJECT_TAG : shown(name);
}

/** `Project / tag`, for sentences. */
export function displayTag({ projectPath, tag }: TerminalIdentity): string {
  return projectPath === undefined ? shown(tag) : `${projectName(projectPath)} / ${shown(tag)}`;
}

/** `🤖💥 Project / tag`, for lists and windows. */
export function displayName({ projectPath, tag }: TerminalIdentity): string {
  return `${EMOJI} ${projectName(projectPath)} / ${shown(tag)}`;
}

/** One line that hides nothing. */
function shown(text: string): string {
  return clip(reveal(text), LONGEST_NAME);
}
