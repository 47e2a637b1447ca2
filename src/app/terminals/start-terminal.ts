import { userInfo } from 'node:os';
import { basename, isAbsolute, resolve } from 'node:path';
import { realpath, stat } from 'node:fs/promises';
import type { Configuration } from '../../model/configuration/config.ts';
import type { Confinement } from '../../model/tools/confinement.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { TerminalSize } from '../../model/terminals/terminal-screen.ts';
import { clip, quote } from '../../model/text/untrusted-text.ts';
import type { SandboxPort } from '../../ports/sandbox.ts';
import type { TerminalFactsView, TerminalName, TerminalsPort } from '../../ports/terminals.ts';
import { isInside } from '../../model/is-inside.ts';
import { shellKindOf } from '../../terminal/shells/shell-kind.ts';
import { plainSandbox } from '../../ports/runs.ts';
import type { Caller, Environment } from '../../model/sessions/caller.ts';
import { createConfiner, placed } from '../../operations/confinement/confine.ts';
import type { SandboxMeans } from '../../operations/confinement/sandbox-means.ts';
import { nearestReal, sandboxScope } from '../../operations/confinement/sandbox-scope.ts';

export interface StartTerminalParts {
  readonly caller: Caller;
  readonly configuration: Configuration;
  /** Folders of Deskterity itself. */
  readonly folders: { readonly state: string; readonly cache: string; readonly config: string };
  readonly sandbox: () => Promise<SandboxPort>;
  readonly means: Pick<SandboxMeans, 'run'>;
  /** What programs of the caller get. */
  readonly environment: () => Promise<Environment>;
}

export interface TerminalRequest {
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
  parts: StartTerminalParts,
  port: Pick<TerminalsPort, 'open'>,
  { name, isConfined, size }: TerminalRequest,
): Promise<TerminalFactsView> {
  const { configuration } = parts;
  const common = {
    name,
    shell: shellFor(parts.caller.environment).path,
    cwd: name.projectPath,
    size,
    budgetBytes: configuration.operations.output_mb * 1024 * 1024,
  };
  if (!isConfined) {
    const environment = { ...usable(await parts.environment()), ...OF_THE_TERMINAL };
    return port.open({ ...common, environment, confinement: unconfined(name.projectPath) });
  }
  const confiner = createConfiner({ ...parts, scope: await scopeOf(parts, name.projectPath) });
  const around = await confiner.around();
  const needs = plainSandbox(name.projectPath);
  const confinement = await confiner.confinementOf(needs, around);
  const environment = { ...usable(await confiner.environmentOf(needs, around)), ...OF_THE_TERMINAL };
  const isOpen = configuration.sandbox.mode === 'auto';
  return parts.means.run({ asked: [confinement.by], isOpen }, (inPlaceOf) =>
    port.open({ ...common, environment, confinement: placed(confinement, inPlaceOf) }),
  );
}

/** The project's folder with links resolved. @throws DeskterityError INVALID_ARGUMENT where it is to be there and is not */
export async function projectFolder(path: string, mustBeThere: boolean): Promise<string> {
  if (!mustBeThere) return nearestReal(resolve(path));
  try {
    const real = await realpath(path);
    if ((await stat(real)).isDirectory()) return real;
  } catch {
    // Said below.
  }
  throw new DeskterityError(
    'INVALID_ARGUMENT',
    `The parameter 'project_path' is ${quote(clip(path, 200))}, which is no folder that can be entered.`,
    { suggestion: 'Give the absolute path of a folder that is there.' },
  );
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

/** The project itself, where it lies in the folder that the user keeps all commands to. */
async function scopeOf(
  { caller, configuration, folders, sandbox: openSandbox }: StartTerminalParts,
  project: string,
): Promise<string> {
  const own = Object.values(folders);
  const sandbox = await openSandbox();
  const scope = await sandboxScope({ caller, asked: project, own, sandbox });
  const asked = configuration.sandbox.scope || (caller.environment['AHMA_SANDBOX_SCOPE'] ?? '');
  if (asked === '') return scope;
  const around = await sandboxScope({ caller, asked, own, sandbox });
  if (isInside(around, scope)) return scope;
  throw new DeskterityError(
    'SANDBOX_UNAVAILABLE',
    `The project ${quote(scope)} is outside ${quote(around)}, the folder that commands are confined to.`,
    { suggestion: 'Give a project inside it, or change sandbox.scope.' },
  );
}
