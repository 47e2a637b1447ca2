import { statSync, type Stats } from 'node:fs';
import path from 'node:path';
import type { Environment } from '../../../model/sessions/caller.ts';
import { DESKTOP_VARIABLES, PRIVATE_DESKTOP_MARKER } from './desktop-environment.ts';
import { acceptsConnections, privateDisplays } from './live-displays.ts';
import { processVariables, type ProcessVariables } from './process-environments.ts';
import { X11Wire } from '../display/x11/wire.ts';

/** The only variables read from other processes. */
type Taken = (typeof DESKTOP_VARIABLES)[number];

/** Desktop shells and window managers, whose variables are the most reliable. Names as the kernel truncates them. */
const DESKTOP_PROGRAMS =
  /^(?:gnome-session.*|gnome-shell|plasmashell|kwin_.*|ksmserver|startplasma.*|xfce4-session|xfwm4|mate-session|marco|cinnamon.*|muffin|budgie-.*|lx(?:qt-)?session|openbox|metacity|mutter|icewm.*|fluxbox|i3|sway|labwc|Hyprland|awesome|bspwm|dwm|xmonad.*|enlightenment.*)$/;

/** A live server completes the connection setup in a few milliseconds. */
const SETUP_MS = 700;
/** With more displays than this, the user has to choose one anyway. */
const MOST_DISPLAYS = 8;
/** Outweighs all other programs together. */
const DESKTOP_PROGRAM_VOTES = 1_000_000;
/** Files tried per display. */
const MOST_AUTHORITIES = 3;

/** A desktop on which programs of this user run. */
export interface UserDesktop {
  /** `:N`, or `wayland-N` for a compositor without an X server. */
  readonly name: string;
  /** The variables that select it. */
  readonly variables: Readonly<Partial<Record<Taken, string>>>;
}

export interface UserDesktopSearch {
  /** Default `/proc`. */
  readonly procFolder?: string | undefined;
  /** Folder of the X servers' sockets; default `/tmp/.X11-unix`. */
  readonly x11Folder?: string | undefined;
  /** Parent of the users' runtime folders; default `/run/user`. */
  readonly runtimeFolder?: string | undefined;
  /** Displays that are not the user's; default those of private desktops. */
  readonly privateDisplays?: ReadonlySet<string> | undefined;
  /** Whether an X server accepts our connection. */
  readonly canConnect?: ((display: string, xauthority: string | undefined) => Promise<boolean>) | undefined;
}

/**
 * The live desktops of this user, found through the initial environments of their programs; those with an X server first. Private desktops,
 * displays of other machines and desktops with another runtime folder than the environment's are left out. Never rejects.
 */
export async function userDesktops(
  environment: Environment,
  search: UserDesktopSearch = {},
): Promise<readonly UserDesktop[]> {
  const wanted = new Set<string>([...DESKTOP_VARIABLES, PRIVATE_DESKTOP_MARKER]);
  const all = (await processVariables({ wanted, folder: search.procFolder })) ?? [];
  const programs = all.filter(({ variables }) => !isMarked(variables));
  // A user's program on a private desktop does not make it the user's desktop.
  const privateOnes = new Set([
    ...(search.privateDisplays ?? privateDisplays()),
    ...all.filter(({ variables }) => isMarked(variables)).map(displayOf),
  ]);
  const x11 = await x11Desktops(
    programs.filter((program) => !privateOnes.has(displayOf(program))),
    search,
  );
  const compositors = new Set(x11.map(({ variables }) => compositorOf(variables)));
  const others = await waylandDesktops(programs, compositors, search);
  const runtime = environment['XDG_RUNTIME_DIR'];
  return [...x11, ...others].filter(
    ({ variables }) => !runtime || path.resolve(runtime) === variables.XDG_RUNTIME_DIR,
  );
}

async function x11Desktops(
  programs: readonly ProcessVariables[],
  search: UserDesktopSearch,
): Promise<readonly UserDesktop[]> {
  const displays = [...new Set(programs.map(displayOf))]
    .filter((display) => display !== undefined)
    .toSorted((a, b) => Number(a.slice(1)) - Number(b.slice(1)))
    .filter((display) => isServer(path.join(search.x11Folder ?? '/tmp/.X11-unix', `X${display.slice(1)}`)));
  const found = await Promise.all(
    displays.slice(0, MOST_DISPLAYS).map(async (display) => {
      const users = programs.filter((program) => displayOf(program) === display);
      const variables = common(users, search);
      const end = performance.now() + SETUP_MS;
      for (const xauthority of authoritiesOf(users)) {
        // A server that does not answer will not answer another cookie either.
        if (performance.now() > end) break;
        if (await (search.canConnect ?? canConnect)(display, xauthority))
          return [{ name: display, variables: { ...variables, DISPLAY: display, XAUTHORITY: xauthority } }];
      }
      return [];
    }),
  );
  return found.flat();
}

/** Compositors without an X server. */
async function waylandDesktops(
  programs: readonly ProcessVariables[],
  known: ReadonlySet<string | undefined>,
  search: UserDesktopSearch,
): Promise<readonly UserDesktop[]> {
  const bySocket = new Map<string, UserDesktop>();
  for (const program of programs) {
    if (program.variables['DISPLAY'] !== undefined) continue;
    const variables = common([program], search);
    const socket = compositorOf(variables);
    if (socket === undefined || known.has(socket) || bySocket.has(socket)) continue;
    bySocket.set(socket, { name: path.basename(socket), variables });
  }
  const found = await Promise.all(
    [...bySocket].slice(0, MOST_DISPLAYS).map(async ([socket, desktop]) => {
      const isAlive = isOwn(socket) && (await acceptsConnections(socket));
      return isAlive ? [desktop] : [];
    }),
  );
  return found.flat();
}

/** The variables of the desktop's own programs, else of most programs; without the display and its authority. */
function common(programs: readonly ProcessVariables[], search: UserDesktopSearch): UserDesktop['variables'] {
  const best = (name: Taken, isUsable: (value: string) => boolean) =>
    byVotes(programs, name).find((value) => isUsable(value));
  const usual = path.join(search.runtimeFolder ?? '/run/user', String(process.getuid?.()));
  const runtime = best('XDG_RUNTIME_DIR', isOwnFolder) ?? (isOwnFolder(usual) ? usual : undefined);
  const bus = runtime === undefined ? undefined : `unix:path=${path.join(runtime, 'bus')}`;
  return {
    WAYLAND_DISPLAY: best(
      'WAYLAND_DISPLAY',
      (value) => runtime !== undefined && isOwn(path.resolve(runtime, value)),
    ),
    DBUS_SESSION_BUS_ADDRESS:
      best('DBUS_SESSION_BUS_ADDRESS', isUsableBus) ??
      (bus !== undefined && isBusFile(bus) ? bus : undefined),
    XDG_RUNTIME_DIR: runtime === undefined ? undefined : path.resolve(runtime),
    XDG_SESSION_TYPE: best('XDG_SESSION_TYPE', (value) => /^(?:x11|wayland)$/.test(value)),
    XDG_CURRENT_DESKTOP: best('XDG_CURRENT_DESKTOP', () => true),
  };
}

/** The values of a variable: first those of the desktop's own programs, then by frequency. */
function byVotes(programs: readonly ProcessVariables[], name: Taken): string[] {
  const votes = new Map<string, number>();
  for (const program of programs) {
    const value = program.variables[name];
    if (value === undefined) continue;
    votes.set(
      value,
      (votes.get(value) ?? 0) + (DESKTOP_PROGRAMS.test(program.program) ? DESKTOP_PROGRAM_VOTES : 1),
    );
  }
  return [...votes].toSorted(([, a], [, b]) => b - a).map(([value]) => value);
}

/** Authority files worth trying; `undefined` means the default one in HOME. */
function authoritiesOf(programs: readonly ProcessVariables[]): (string | undefined)[] {
  const named = byVotes(programs, 'XAUTHORITY').filter((file) => path.isAbsolute(file));
  return [...named.slice(0, MOST_AUTHORITIES), undefined];
}

/** `:N` for a display on this machine. */
function displayOf({ variables }: ProcessVariables): string | undefined {
  const number = /^(?:unix)?:(\d{1,5})(?:\.\d+)?$/.exec(variables['DISPLAY'] ?? '')?.[1];
  return number === undefined ? undefined : `:${Number(number)}`;
}

function compositorOf(variables: UserDesktop['variables']): string | undefined {
  const { WAYLAND_DISPLAY: display, XDG_RUNTIME_DIR: runtime } = variables;
  if (display === undefined || runtime === undefined) return undefined;
  return path.resolve(runtime, display);
}

function isMarked(variables: ProcessVariables['variables']): boolean {
  return variables[PRIVATE_DESKTOP_MARKER] !== undefined;
}

async function canConnect(display: string, xauthority: string | undefined): Promise<boolean> {
  try {
    (await X11Wire.connect(display, { deadlineMs: SETUP_MS, xauthority })).close();
    return true;
  } catch {
    return false;
  }
}

/** Whether this is a socket of an X server run by this user or by root. */
function isServer(file: string): boolean {
  const facts = factsOf(file);
  return facts?.isSocket() === true && (facts.uid === process.getuid?.() || facts.uid === 0);
}

function isOwn(file: string): boolean {
  const facts = factsOf(file);
  return facts?.isSocket() === true && facts.uid === process.getuid?.();
}

function isOwnFolder(folder: string): boolean {
  const facts = path.isAbsolute(folder) ? factsOf(folder) : undefined;
  return facts?.isDirectory() === true && facts.uid === process.getuid?.();
}

/** Whether a bus address looks usable; addresses without a file are tried when needed. */
function isUsableBus(address: string): boolean {
  return address.startsWith('unix:') && (!address.startsWith('unix:path=') || isBusFile(address));
}

function isBusFile(address: string): boolean {
  const file = /^unix:path=([-\w./]+)(?:,guid=[0-9a-f]+)?$/i.exec(address)?.[1];
  return file !== undefined && isOwn(file);
}

function factsOf(file: string): Stats | undefined {
  try {
    return statSync(file);
  } catch {
    return undefined;
  }
}
