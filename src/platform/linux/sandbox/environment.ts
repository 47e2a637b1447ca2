import { looksSecret } from './secret-variables.ts';

/** The environment of a confined program. */
export interface ConfinedEnvironment {
  readonly environment: Readonly<Record<string, string>>;
  /** Names of withheld variables, sorted. */
  readonly withheld: readonly string[];
  /** Folders that variables point to; they must be created. */
  readonly folders: readonly string[];
}

export interface EnvironmentOptions {
  /** The scope's own folder for home, temporary files and caches. */
  readonly folder: string;
  /** The program may connect to the desktop and agents, so it keeps their addresses. */
  readonly unixSockets: boolean;
  /** Names that a trusted tool file requests although they look like secrets. */
  readonly keep?: readonly string[] | undefined;
  /** If given, the only names that are passed, besides what every program needs; `X_*` stands for all that begin with `X_`. */
  readonly only?: readonly string[] | undefined;
}

/** Addresses of the desktop, agents, containers and outer terminals, whose sockets are blocked too. */
const SOCKETS =
  /^(?:DISPLAY|WAYLAND_.*|XAUTHORITY|ICEAUTHORITY|SESSION_MANAGER|WINDOWID|DBUS_.*|AT_SPI_.*|XDG_RUNTIME_DIR|XDG_SESSION_.*|SSH_AUTH_SOCK|SSH_AGENT_PID|SSH_CONNECTION|SSH_CLIENT|SSH_TTY|GPG_AGENT_INFO|GPG_TTY|GNOME_KEYRING_.*|DOCKER_HOST|DOCKER_CONTEXT|CONTAINER_HOST|PODMAN_.*|PULSE_.*|PIPEWIRE_.*|SWAYSOCK|I3SOCK|NIRI_SOCKET|HYPRLAND_.*|KITTY_.*|WEZTERM_.*|TMUX.*|STY|ZELLIJ.*|NVIM.*|VIM_SERVERNAME|VSCODE_.*|EMACS_SOCKET_NAME|WSL_INTEROP)$/;

/** Variables of Deskterity, the service manager and Node's child channels; programs that prompt for passwords; credential files. */
const NEVER =
  /^(?:DESKTERITY_.*|AHMA_.*|LISTEN_.*|NOTIFY_SOCKET|INVOCATION_ID|JOURNAL_STREAM|WATCHDOG_.*|NODE_CHANNEL_.*|NODE_UNIQUE_ID|BASH_ENV|ENV|PROMPT_COMMAND|GIT_ASKPASS|SSH_ASKPASS.*|SUDO_ASKPASS|GNUPGHOME|KUBECONFIG|DOCKER_CONFIG|CLOUDSDK_CONFIG|AWS_.*_FILE|NETRC|PGSERVICEFILE|_)$/;

/** What every program needs, whatever the user lists. */
const ESSENTIAL = /^(?:PATH|LANG|LANGUAGE|LC_\w+|TERM|COLORTERM|NO_COLOR|TZ|USER|LOGNAME|SHELL)$/;

/** Options that load code from outside into every Node program, which then fails to start. */
const FOREIGN_CODE = /--(?:require|import|loader|experimental-loader|inspect\S*)|(?:^|\s)-r\s/;

/** By variable, a folder below the scope's own folder. */
const REDIRECTED: Readonly<Record<string, string>> = {
  HOME: 'home',
  TMPDIR: 'tmp',
  TMP: 'tmp',
  TEMP: 'tmp',
  XDG_CACHE_HOME: 'home/.cache',
  XDG_CONFIG_HOME: 'home/.config',
  XDG_DATA_HOME: 'home/.local/share',
  XDG_STATE_HOME: 'home/.local/state',
  npm_config_cache: 'cache/npm',
  YARN_CACHE_FOLDER: 'cache/yarn',
  COREPACK_HOME: 'cache/corepack',
  BUN_INSTALL_CACHE_DIR: 'cache/bun',
  DENO_DIR: 'cache/deno',
  PIP_CACHE_DIR: 'cache/pip',
  UV_CACHE_DIR: 'cache/uv',
  POETRY_CACHE_DIR: 'cache/poetry',
  PRE_COMMIT_HOME: 'cache/pre-commit',
  CARGO_HOME: 'cache/cargo',
  GOPATH: 'cache/go',
  GOCACHE: 'cache/go-build',
  GOMODCACHE: 'cache/go/pkg/mod',
  GRADLE_USER_HOME: 'cache/gradle',
  NUGET_PACKAGES: 'cache/nuget',
  DOTNET_CLI_HOME: 'cache/dotnet',
  COMPOSER_HOME: 'cache/composer',
  BUNDLE_USER_HOME: 'cache/bundle',
  CCACHE_DIR: 'cache/ccache',
  SCCACHE_DIR: 'cache/sccache',
};

/** Toolchains that programs look for in HOME; they stay in the real one, readable where the rules allow it. */
const TOOLCHAINS: Readonly<Record<string, string>> = {
  RUSTUP_HOME: '.rustup',
  PYENV_ROOT: '.pyenv',
  RBENV_ROOT: '.rbenv',
  NVM_DIR: '.nvm',
  VOLTA_HOME: '.volta',
  ASDF_DATA_DIR: '.asdf',
};

/** The environment for a confined program: no secrets, no addresses of the desktop and agents; its own home, temporary files and caches. */
export function confinedEnvironment(
  inherited: Readonly<Record<string, string | undefined>>,
  options: EnvironmentOptions,
): ConfinedEnvironment {
  const kept = new Set(options.keep ?? []);
  const isListed = listed(options.only);
  const withheld: string[] = [];
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(inherited)) {
    if (value === undefined || Object.hasOwn(REDIRECTED, name)) continue;
    const isKept = kept.has(name) || isListed?.(name) === true;
    const isNeeded = ESSENTIAL.test(name) || (options.unixSockets && SOCKETS.test(name));
    const isLeftOut = isListed !== undefined && !isKept && !isNeeded;
    if (isLeftOut || isWithheld(name, value, isKept, options.unixSockets)) withheld.push(name);
    else environment[name] = value;
  }
  for (const [name, place] of Object.entries(TOOLCHAINS)) {
    if (environment[name] === undefined && inherited['HOME'] !== undefined && !withheld.includes(name))
      environment[name] = `${inherited['HOME']}/${place}`;
  }
  for (const [name, place] of Object.entries(REDIRECTED)) environment[name] = `${options.folder}/${place}`;
  return {
    environment,
    withheld: withheld.toSorted(),
    folders: [...new Set(Object.values(REDIRECTED).map((place) => `${options.folder}/${place}`))],
  };
}

/** Whether a name is in the list; `undefined` without a list. */
function listed(only: readonly string[] | undefined): ((name: string) => boolean) | undefined {
  if (only === undefined) return undefined;
  const beginnings = only.filter((item) => item.endsWith('*')).map((item) => item.slice(0, -1));
  return (name) => only.includes(name) || beginnings.some((beginning) => name.startsWith(beginning));
}

function isWithheld(name: string, value: string, isKept: boolean, unixSockets: boolean): boolean {
  if (NEVER.test(name)) return true;
  if (isKept) return false;
  if (SOCKETS.test(name)) return !unixSockets;
  if (name === 'NODE_OPTIONS' && FOREIGN_CODE.test(value)) return true;
  return looksSecret(name, value);
}
