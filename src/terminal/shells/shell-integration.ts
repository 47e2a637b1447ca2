import { bashHooks, bashStartFile } from './bash-hooks.ts';
import { MARK_NUMBER } from './command-marks.ts';
import type { HookPlace } from './command-marks.ts';
import { fishHooks } from './fish-hooks.ts';
import { posixHooks } from './posix-hooks.ts';
import type { BoundedShellKind } from './shell-kind.ts';
import { quoteForFish, quoteForShell } from './shell-quote.ts';
import { zshHooks, zshStartFile } from './zsh-hooks.ts';

export interface ShellFile {
  /** Below the folder of the session. */
  readonly name: string;
  readonly text: string;
}

/** How a session's shell is started. */
export interface ShellStart {
  readonly command: readonly [string, ...string[]];
  /** The whole environment: the user's and what the start needs, which the shell takes out again before it reads the user's own files. */
  readonly environment: Readonly<Record<string, string>>;
  /** To be written (0600) before the start. They hold the token: to be removed when the first prompt is there. */
  readonly files: readonly ShellFile[];
  /**
   * Typed when the shell reads from the terminal and no mark has come: always for POSIX shells, otherwise where the user's files kept our hooks
   * from being read. Its echo comes before the first mark.
   */
  readonly lateLine: string;
  /** Whether marks come without `lateLine`. */
  readonly isHooked: boolean;
}

/** A login shell with the user's own start files and our hooks after them; nothing is written into files of the user. */
export function startOf(
  kind: BoundedShellKind,
  program: string,
  environment: Readonly<Record<string, string>>,
  place: HookPlace,
): ShellStart {
  const hooks = `${place.folder}/hooks`;
  const quoted = kind === 'fish' ? quoteForFish(hooks) : quoteForShell(hooks);
  const lateLine = ` . ${quoted}${ENTER[kind]}`;
  if (kind === 'bash')
    return {
      command: [program, '--posix', '--login', '-i'],
      environment: { ...environment, ENV: `${place.folder}/bash-start` },
      files: [
        { name: 'hooks', text: bashHooks(place) },
        { name: 'bash-start', text: bashStartFile(place, environment) },
      ],
      lateLine,
      isHooked: true,
    };
  if (kind === 'zsh')
    return {
      command: [program, '--login', '-i'],
      environment: { ...environment, ZDOTDIR: place.folder },
      files: [
        { name: 'hooks', text: zshHooks(place) },
        { name: '.zshenv', text: zshStartFile(place, environment) },
      ],
      lateLine,
      isHooked: true,
    };
  if (kind === 'fish')
    return {
      command: [program, '--login', '--interactive', '--init-command', `source ${quoted}`],
      environment,
      files: [{ name: 'hooks', text: fishHooks(place) }],
      lateLine,
      isHooked: true,
    };
  return {
    command: [program, '-l'],
    environment,
    files: [{ name: 'hooks', text: posixHooks(place) }],
    lateLine,
    isHooked: false,
  };
}

/**
 * Clears a line that somebody has begun, and has a prompt mark come; to be typed again after 300 ms without one, for zsh loses a ctrl-c that comes
 * while it handles a key. fish says nothing at ctrl-c on an empty line, so it has a key of ours. It also brings to light that a command has
 * ended, where the kernel says that the shell reads though no mark has come: a ctrl-c may have hit our hooks.
 */
export const CLEAR_LINE: Readonly<Record<BoundedShellKind, string>> = {
  bash: '\u0003',
  zsh: '\u0003',
  fish: `\u001B[${String(MARK_NUMBER)}~`,
  posix: '\u0003',
};

/** Line editors take carriage return in every keymap; a terminal in line mode ends lines with a line feed whatever its settings are. */
export const ENTER: Readonly<Record<BoundedShellKind, string>> = {
  bash: '\r',
  zsh: '\r',
  fish: '\r',
  posix: '\n',
};
