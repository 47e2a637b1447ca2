import { clip, reveal } from '../text/untrusted-text.ts';

/** What identifies a session: its project and its tag. */
export interface TerminalIdentity {
  /** Absolute, with links resolved, so that each folder is one project. Absent without a project. */
  readonly projectPath: string | undefined;
  readonly tag: string;
}

/** Tag of the project `/`. */
export const ROOT_PROJECT_TAG = '_root_project_';
/** Tag if the name has no usable characters. */
export const DEFAULT_TAG = '_default_tag_';

const EMOJI = '🤖💥';
const LONGEST_NAME = 64;
const LONGEST_TAG = 64;

/** The default tag of a session: the last folder of the project, sanitised. */
export function deriveTag(projectPath: string): string {
  const name = lastFolder(projectPath);
  return name === undefined ? ROOT_PROJECT_TAG : sanitiseTag(name);
}

/** Letters, digits, `-` and `_`; every other UTF-16 unit becomes `_`. At most 64 characters. */
export function sanitiseTag(text: string): string {
  const safe = text.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, LONGEST_TAG);
  return safe === '' ? DEFAULT_TAG : safe;
}

/** The last folder of a project's path. */
export function projectName(projectPath: string | undefined): string {
  if (projectPath === undefined) return '_global_';
  const name = lastFolder(projectPath);
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

/** The shell command that attaches to a session. */
export function attachCommand({ projectPath, tag }: TerminalIdentity): string {
  const project = projectPath === undefined ? '' : ` ${option('--project-path', projectPath)}`;
  return `desk terminal attach${project} ${option('--tag', tag)}`;
}

/** A separate value that begins with a dash would be parsed as an option. */
function option(name: string, value: string): string {
  return `${name}${value.startsWith('-') ? '=' : ' '}${shellWord(value)}`;
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${reveal(text).replaceAll("'", String.raw`'\''`)}'`;
}

function lastFolder(path: string): string | undefined {
  return path.split('/').findLast((part) => part !== '');
}

/** One line, with invisible characters made visible. */
function shown(text: string): string {
  return clip(reveal(text), LONGEST_NAME);
}
