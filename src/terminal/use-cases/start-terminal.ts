import { userInfo } from 'node:os';
import { basename, isAbsolute } from 'node:path';
import { DeskterityError } from '../../model/effects/errors.ts';
import { isInside } from '../../model/is-inside.ts';
import type { Environment, FixedFolder } from '../../model/sessions/caller.ts';
import type { TerminalSize } from '../../model/terminals/terminal-screen.ts';
import type { Confinement } from '../../model/tools/confinement.ts';
import { quote } from '../../model/text/untrusted-text.ts';
import { createConfiner, withSubstitute, type ConfinerParts } from '../../operations/confinement/confine.ts';
import type { SandboxSelector } from '../../operations/confinement/sandbox-selector.ts';
import { scopeFolder } from '../../operations/confinement/sandbox-scope.ts';
import { plainSandbox } from '../../ports/runs.ts';
import type { TerminalFactsView, TerminalName, TerminalsPort } from '../../ports/terminals.ts';
import { shellKindOf } from '../shells/shell-kind.ts';

/** Environment and confinement of a program. */
export interface Confined {
  readonly environment: Environment;
  readonly confinement: Confinement;
}

export interface StartTerminalParts {
  /** Variables of the caller. */
  readonly callerEnvironment: Environment;
  /** Variables for programs of the caller. */
  readonly environment: () => Promise<Environment>;
  /** Starts a program confined to a folder, with a second method if the first fails. @throws DeskterityError SANDBOX_UNAVAILABLE */
  readonly confine: <T>(folder: string, start: (how: Confined) => Promise<T>) => Promise<T>;
  /** Maximum bytes of output kept on disk. */
  readonly budgetBytes: number;
}

export interface TerminalStartRequest {
  readonly name: TerminalName;
  readonly isConfined: boolean;
  readonly size: TerminalSize;
}

export const USUAL_SIZE: TerminalSize = { columns: 120, rows: 40 };

/** Variables that describe the terminal to its programs. */
const TERMINAL_VARIABLES = { TERM: 'xterm-256color', COLORTERM: 'truecolor' };
/** Variables that describe the caller's own terminal or shell. */
const CALLER_TERMINAL_VARIABLES =
  /^(?:_|SHLVL|PWD|OLDPWD|COLUMNS|LINES|TERMCAP|TERM_PROGRAM(?:_VERSION)?|TMUX(?:_PANE)?|STY|WINDOWID|XTERM_.*|KITTY_.*|KONSOLE_.*|GNOME_TERMINAL_.*|WEZTERM_.*|ALACRITTY_.*|VTE_VERSION)$/;
const FALLBACK_SHELL = '/bin/sh';
/** The token of the MCP server must not reach programs in a terminal. */
const TOKEN = 'DESKTERITY_HTTP_TOKEN';
/** Shells of accounts without login. */
const NO_SHELL = new Set(['nologin', 'false', 'true', 'sync']);

/** Opens the terminal of a name, which is started if there is none. @throws DeskterityError SANDBOX_UNAVAILABLE, DAEMON_UNAVAILABLE, ACTION_FAILED, CONFLICT, INVALID_ARGUMENT */
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
      environment: { ...usable(how.environment), ...TERMINAL_VARIABLES },
      confinement: how.confinement,
    });
  if (isConfined) return confine(cwd, start);
  return start({ environment: await environment(), confinement: unconfined(cwd) });
}

export interface ChosenShell {
  readonly path: string;
  /** The login shell, if it was replaced because its command boundaries cannot be detected. */
  readonly inPlaceOf?: string | undefined;
}

/** The shell of the user's account, else that of SHELL, else `/bin/sh`. */
export function shellFor(
  environment: Environment,
  account: () => string | null = () => userInfo().shell,
): ChosenShell {
  const isShell = (path: string | null | undefined): path is string =>
    typeof path === 'string' && isAbsolute(path) && !NO_SHELL.has(basename(path));
  const login = [ofAccount(account), environment['SHELL']].find((path) => isShell(path));
  if (login === undefined) return { path: FALLBACK_SHELL };
  return shellKindOf(login) === 'none' ? { path: FALLBACK_SHELL, inPlaceOf: login } : { path: login };
}

function ofAccount(account: () => string | null): string | null {
  try {
    return account();
  } catch {
    // The user has no entry in the user database.
    return null;
  }
}

function usable(environment: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value === undefined || CALLER_TERMINAL_VARIABLES.test(name) || name === TOKEN ? [] : [[name, value]],
    ),
  );
}

function unconfined(scope: string): Confinement {
  return { by: 'none', scope, read: [], write: [], network: true, unixSockets: true, denyReport: false };
}

export interface ConfineTerminalParts extends Omit<ConfinerParts, 'scope'> {
  readonly sandboxes: Pick<SandboxSelector, 'run'>;
}

/** Confines the terminals of a caller to their project. */
export function confineTerminal(parts: ConfineTerminalParts): StartTerminalParts['confine'] {
  return async (project, start) => {
    const confiner = createConfiner({ ...parts, scope: await scopeOf(parts, project) });
    const context = await confiner.context();
    const needs = plainSandbox(project);
    const confinement = await confiner.confinementOf(needs, context);
    const environment = await confiner.environmentOf(needs, context);
    const isOpen = parts.configuration.sandbox.mode === 'auto';
    return parts.sandboxes.run({ asked: [confinement.by], isOpen }, (substitute) =>
      start({ environment, confinement: withSubstitute(confinement, substitute) }),
    );
  };
}

/** The project, which must be inside the folder that the user confines all commands to. */
async function scopeOf(
  { caller, configuration, folders, sandbox: openSandbox }: ConfineTerminalParts,
  project: string,
): Promise<FixedFolder> {
  const own = Object.values(folders);
  const sandbox = await openSandbox();
  const folder = await scopeFolder({ caller, asked: project, own, sandbox });
  const { path: scope } = folder;
  const asked = configuration.sandbox.scope || (caller.environment['AHMA_SANDBOX_SCOPE'] ?? '');
  if (asked === '') return folder;
  const { path: outer } = await scopeFolder({ caller, asked, own, sandbox });
  if (isInside(outer, scope)) return folder;
  throw new DeskterityError(
    'SANDBOX_UNAVAILABLE',
    `The project ${quote(scope)} is outside ${quote(outer)}, the folder to which commands are confined.`,
    { suggestion: 'Use a project inside it or change sandbox.scope.' },
  );
}
