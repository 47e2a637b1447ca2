import { userInfo } from 'node:os';
import { basename, isAbsolute } from 'node:path';
import type { Environment } from '../../model/sessions/caller.ts';
import type { TerminalSize } from '../../model/terminals/terminal-screen.ts';
import type { Confinement } from '../../model/tools/confinement.ts';
import type { TerminalFactsView, TerminalName, TerminalsPort } from '../../ports/terminals.ts';
import { shellKindOf } from '../shells/shell-kind.ts';

/** What keeps a program to a folder. */
export interface Confined {
  readonly environment: Environment;
  readonly confinement: Confinement;
}

export interface StartTerminalParts {
  /** Variables of the caller. */
  readonly callerEnvironment: Environment;
  /** What programs of the caller get. */
  readonly environment: () => Promise<Environment>;
  /** Starts something confined to a folder, perhaps once more by other means. @throws DeskterityError SANDBOX_UNAVAILABLE */
  readonly confine: <T>(folder: string, start: (how: Confined) => Promise<T>) => Promise<T>;
  /** Bytes of what is shown that are kept on the disk at most. */
  readonly budgetBytes: number;
}

export interface TerminalStartRequest {
  readonly name: TerminalName;
  readonly isConfined: boolean;
  readonly size: TerminalSize;
}

export const USUAL_SIZE: TerminalSize = { columns: 120, rows: 40 };

/** What a program in the terminal is told of the terminal itself. */
const OF_THE_TERMINAL = { TERM: 'xterm-256color', COLORTERM: 'truecolor' };
/** What says something of the terminal that the caller sits in, or of its shell. */
const OF_THE_CALLERS =
  /^(?:_|SHLVL|PWD|OLDPWD|COLUMNS|LINES|TERMCAP|TERM_PROGRAM(?:_VERSION)?|TMUX(?:_PANE)?|STY|WINDOWID|XTERM_.*|KITTY_.*|KONSOLE_.*|GNOME_TERMINAL_.*|WEZTERM_.*|ALACRITTY_.*|VTE_VERSION)$/;
const EVERYWHERE = '/bin/sh';
/** What clients of an MCP server must show is for nobody in a terminal. */
const TOKEN = 'DESKTERITY_HTTP_TOKEN';
/** Accounts that nobody logs in to have one of these. */
const NO_SHELL = new Set(['nologin', 'false', 'true', 'sync']);

/** The terminal of a name, started where there is none. @throws DeskterityError SANDBOX_UNAVAILABLE, DAEMON_UNAVAILABLE, ACTION_FAILED, CONFLICT, INVALID_ARGUMENT */
export async function startTerminal(
  { callerEnvironment, environment, confine, budgetBytes }: StartTerminalParts,
  port: Pick<TerminalsPort, 'open'>,
  { name, isConfined, size }: TerminalStartRequest,
): Promise<TerminalFactsView> {
  const { projectPath: cwd } = name;
  const shell = shellFor(callerEnvironment).path;
  const start = async (how: Confined) =>
    port.open({
      name,
      shell,
      cwd,
      size,
      budgetBytes,
      environment: { ...usable(how.environment), ...OF_THE_TERMINAL },
      confinement: how.confinement,
    });
  if (isConfined) return confine(cwd, start);
  return start({ environment: await environment(), confinement: unconfined(cwd) });
}

export interface ChosenShell {
  readonly path: string;
  /** The login shell, where it is one whose commands have no beginning and end that can be seen. */
  readonly inPlaceOf?: string | undefined;
}

/** Pure but for the user database: the shell of the user's account, else the one the environment names, else the one that is everywhere. */
export function shellFor(
  environment: Environment,
  account: () => string | null = () => userInfo().shell,
): ChosenShell {
  const isShell = (path: string | null | undefined): path is string =>
    typeof path === 'string' && isAbsolute(path) && !NO_SHELL.has(basename(path));
  const login = [ofAccount(account), environment['SHELL']].find((path) => isShell(path));
  if (login === undefined) return { path: EVERYWHERE };
  return shellKindOf(login) === 'none' ? { path: EVERYWHERE, inPlaceOf: login } : { path: login };
}

function ofAccount(account: () => string | null): string | null {
  try {
    return account();
  } catch {
    // A user id without an entry in the user database.
    return null;
  }
}

function usable(environment: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value === undefined || OF_THE_CALLERS.test(name) || name === TOKEN ? [] : [[name, value]],
    ),
  );
}

function unconfined(scope: string): Confinement {
  return { by: 'none', scope, read: [], write: [], network: true, unixSockets: true, denyReport: false };
}
