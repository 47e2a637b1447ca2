import { statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import path from 'node:path';
import { PRIVATE_DESKTOP_MARKER } from './desktop-environment.ts';
import type { Environment } from './desktop-environment.ts';
import { acceptsConnections, privateDisplays } from './live-displays.ts';
import { processVariables } from './process-environments.ts';
import type { ProcessVariables } from './process-environments.ts';
import { X11Connection } from '../display/x11/connection.ts';

/** All that is taken from other processes. */
const TAKEN = [
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'DBUS_SESSION_BUS_ADDRESS',
  'XDG_RUNTIME_DIR',
  'XDG_SESSION_TYPE',
  'XDG_CURRENT_DESKTOP',
] as const;
type Taken = (typeof TAKEN)[number];

/** Programs that make up a desktop know best what belongs to it. Names as the kernel cuts them. */
const MAKES_DESKTOP =
  /^(?:gnome-session.*|gnome-shell|plasmashell|kwin_.*|ksmserver|startplasma.*|xfce4-session|xfwm4|mate-session|marco|cinnamon.*|muffin|budgie-.*|lx(?:qt-)?session|openbox|metacity|mutter|icewm.*|fluxbox|i3|sway|labwc|Hyprland|awesome|bspwm|dwm|xmonad.*|enlightenment.*)$/;

/** A live server answers its greeting in a few milliseconds. */
const GREETING_MS = 700;
/** Whoever has more displays than this is asked which one is meant anyway. */
const MOST_DISPLAYS = 8;
/** More than there are others. */
const MAKER_VOTES = 1_000_000;
/** Files that are tried for one display. */
const MOST_AUTHORITIES = 3;

/** A desktop that programs of this user run on. */
export interface UserDesktop {
  /** `:N`, or `wayland-N` for a compositor without an X server. */
  readonly name: string;
  /** What leads to it. */
  readonly variables: Readonly<Partial<Record<Taken, string>>>;
}

export interface UserDesktopSearch {
  /** Default `/proc`. */
  readonly procFolder?: string | undefined;
  /** Where X servers listen; default `/tmp/.X11-unix`. */
  readonly x11Folder?: string | undefined;
  /** Where users have their runtime folders; default `/run/user`. */
  readonly runtimeFolder?: string | undefined;
  /** Displays that are not the user's; default those of private desktops. */
  readonly privateDisplays?: ReadonlySet<string> | undefined;
  /** Whether an X server lets us in. */
  readonly letsIn?: ((display: string, xauthority: string | undefined) => Promise<boolean>) | undefined;
}

/**
 * The desktops of this user that are alive, by what their programs were started with; those with an X server first. Private desktops and
 * displays of other machines do not count, nor do desktops with another runtime folder than the environment names. Never rejects.
 */
export async function userDesktops(
  environment: Environment,
  search: UserDesktopSearch = {},
): Promise<readonly UserDesktop[]> {
  const wanted = new Set<string>([...TAKEN, PRIVATE_DESKTOP_MARKER]);
  const seen = (await processVariables({ wanted, folder: search.procFolder })) ?? [];
  const programs = seen.filter(({ variables }) => !isMarked(variables));
  // A program of the user's on a private desktop leaves that private.
  const notTheirs = new Set([
    ...(search.privateDisplays ?? privateDisplays()),
    ...seen.filter(({ variables }) => isMarked(variables)).map(displayOf),
  ]);
  const x11 = await x11Desktops(
    programs.filter((program) => !notTheirs.has(displayOf(program))),
    search,
  );
  const compositors = new Set(x11.map(({ variables }) => compositorOf(variables)));
  const others = await compositorsAlone(programs, compositors, search);
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
      const end = performance.now() + GREETING_MS;
      for (const xauthority of authoritiesOf(users)) {
        // A server that is silent is so whatever it is shown.
        if (performance.now() > end) break;
        if (await (search.letsIn ?? letsIn)(display, xauthority))
          return [{ name: display, variables: { ...variables, DISPLAY: display, XAUTHORITY: xauthority } }];
      }
      return [];
    }),
  );
  return found.flat();
}

/** Those that serve no X display. */
async function compositorsAlone(
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

/** What most of the programs say, or those that make up the desktop; display and its key left out. */
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

/** The values of a variable, those of programs that make up a desktop first, then the most frequent. */
function byVotes(programs: readonly ProcessVariables[], name: Taken): string[] {
  const votes = new Map<string, number>();
  for (const program of programs) {
    const value = program.variables[name];
    if (value === undefined) continue;
    votes.set(value, (votes.get(value) ?? 0) + (makesDesktop(program) ? MAKER_VOTES : 1));
  }
  return [...votes].toSorted(([, a], [, b]) => b - a).map(([value]) => value);
}

/** Files with keys that are worth trying; none means the one at home. */
function authoritiesOf(programs: readonly ProcessVariables[]): (string | undefined)[] {
  const named = byVotes(programs, 'XAUTHORITY').filter((file) => path.isAbsolute(file));
  return [...named.slice(0, MOST_AUTHORITIES), undefined];
}

/** `:N` for a display of this machine. */
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

function makesDesktop({ program }: ProcessVariables): boolean {
  return MAKES_DESKTOP.test(program);
}

async function letsIn(display: string, xauthority: string | undefined): Promise<boolean> {
  try {
    (await X11Connection.connect(display, { deadlineMs: GREETING_MS, xauthority })).close();
    return true;
  } catch {
    return false;
  }
}

/** The socket of an X server that this user runs, or the system for them. */
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

/** The address of a bus; one that is not a plain file is tried when it is needed. */
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
