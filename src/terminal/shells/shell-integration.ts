import { bashHooks, bashStartFile } from './bash-hooks.ts';
import { MARK_NUMBER, type HookPlace } from './command-marks.ts';
import { fishHooks } from './fish-hooks.ts';
import { posixHooks } from './posix-hooks.ts';
import type { BoundedShellKind } from './shell-kind.ts';
import { quoteForFish, quoteForShell } from './shell-quote.ts';
import { zshHooks, zshStartFile } from './zsh-hooks.ts';

export interface ShellFile {
  /** Name in the folder of the session. */
  readonly name: string;
  readonly text: string;
}

/** How to start a session's shell. */
export interface ShellStart {
  readonly command: readonly [string, ...string[]];
  /** The complete environment: the user's, with start-up variables that the shell restores before it reads the user's files. */
  readonly environment: Readonly<Record<string, string>>;
  /** To be written (0600) before the start. They contain the token and are removed at the first prompt. */
  readonly files: readonly ShellFile[];
  /**
   * Typed if the shell reads from the terminal and no mark has come: always for POSIX shells, otherwise if the user's files prevented our hooks from
   * loading. Its echo comes before the first mark.
   */
  readonly lateLine: string;
  /** Whether the shell prints marks without `lateLine`. */
  readonly isHooked: boolean;
}

/** A login shell with the user's start files followed by our hooks; no file of the user is changed. */
export function startOf(
  kind: BoundedShellKind,
  program: string,
  environment: Readonly<Record<string, string>>,
  place: HookPlace,
): ShellStart {
  const hooks = `${place.folder}/hooks`;
  const quoted = kind === 'fish' ? quoteForFish(hooks) : quoteForShell(hooks);
  const common = { environment, lateLine: ` . ${quoted}${ENTER[kind]}`, isHooked: kind !== 'posix' };
  if (kind === 'bash')
    return {
      ...common,
      command: [program, '--posix', '--login', '-i'],
      environment: { ...environment, ENV: `${place.folder}/bash-start` },
      files: [
        { name: 'hooks', text: bashHooks(place) },
        { name: 'bash-start', text: bashStartFile(place, environment) },
      ],
    };
  if (kind === 'zsh')
    return {
      ...common,
      command: [program, '--login', '-i'],
      environment: { ...environment, ZDOTDIR: place.folder },
      files: [
        { name: 'hooks', text: zshHooks(place) },
        { name: '.zshenv', text: zshStartFile(place, environment) },
      ],
    };
  if (kind === 'fish')
    return {
      ...common,
      command: [program, '--login', '--interactive', '--init-command', `source ${quoted}`],
      files: [{ name: 'hooks', text: fishHooks(place) }],
    };
  return { ...common, command: [program, '-l'], files: [{ name: 'hooks', text: posixHooks(place) }] };
}

/**
 * Clears the line at the prompt and causes a prompt mark. Type it again after 300 ms without a mark, because zsh loses a ctrl-c that arrives while it
 * handles a key. fish prints no mark for ctrl-c on an empty line, so our hooks bind a private key. It also reveals that a command has ended when the
 * kernel reports that the shell is reading but no mark has come, because a ctrl-c may have interrupted our hooks.
 */
export const CLEAR_LINE: Readonly<Record<BoundedShellKind, string>> = {
  bash: '\u0003',
  zsh: '\u0003',
  fish: `\u001B[${String(MARK_NUMBER)}~`,
  posix: '\u0003',
};

/** Line editors accept carriage return in every keymap; a terminal in canonical mode ends lines with a line feed in all settings. */
export const ENTER: Readonly<Record<BoundedShellKind, string>> = {
  bash: '\r',
  zsh: '\r',
  fish: '\r',
  posix: '\n',
};
