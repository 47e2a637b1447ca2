import type { Socket } from 'node:net';
import { DeskterityError } from '../model/effects/errors.ts';
import type { DesktopPort } from '../ports/desktop.ts';
import type { ProcessIdentityPort } from '../ports/process-identity.ts';
import type { SandboxPort } from '../ports/sandbox.ts';
import type { SandboxParts } from './linux/sandbox/create-sandbox.ts';
import type { UserDesktopSearch } from './linux/machine/user-desktop.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const MARKER = 'DESKTERITY_PRIVATE_DESKTOP';

/** Private desktops of this process by id, so that their adapters can tell them of programs they start. */
const ownDesktops = new Map<string, PrivateDesktopHandle>();

/** The adapter for the machine this runs on. @throws DeskterityError PLATFORM_UNSUPPORTED */
export async function selectDesktop(environment: Environment): Promise<DesktopPort> {
  if (process.platform === 'linux') {
    const { LinuxDesktop } = await import('./linux/desktop/linux-desktop.ts');
    return new LinuxDesktop(environment, ownDesktops.get(environment[MARKER] ?? ''));
  }
  throw unsupported();
}

/**
 * Two environments have the same key exactly when they are about the same desktop: display (`:1.0` is `:1`), X authority file, session bus
 * and the private desktop they belong to.
 */
export function desktopKey(environment: Environment): string {
  const home = environment['HOME'];
  return JSON.stringify([
    displayName(environment['DISPLAY'] ?? ''),
    environment['XAUTHORITY'] || (home ? `${home}/.Xauthority` : ''),
    // The guid only repeats which bus is meant.
    (environment['DBUS_SESSION_BUS_ADDRESS'] ?? '').replaceAll(/,guid=[0-9a-f]*/gi, ''),
    environment[MARKER] ?? '',
  ]);
}

function displayName(display: string): string {
  const [, host = '', number] = /^(.*):(\d+)(?:\.\d+)?$/.exec(display) ?? [];
  if (number === undefined) return display;
  return `${/^unix\/?$/.test(host) ? '' : host}:${Number(number)}`;
}

export interface PrivateDesktopRequest {
  /** Screen size in pixels; default 1920 × 1080. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** How long the start may take. */
  readonly deadlineMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Variables its programs inherit; those of the surrounding session are left out. */
  readonly inherit: Environment;
}

/** A desktop of our own. */
export interface PrivateDesktopHandle {
  readonly id: string;
  readonly display: string;
  /** Complete, for programs in the desktop and for {@link selectDesktop}. */
  readonly environment: Environment;
  /** Ends every program in the desktop and removes its folder. */
  stop(): Promise<void>;
  /** Of a program that leads a session of its own, so that all of it ends with the desktop. {@link selectDesktop} sees to what it launches. */
  adopt(pid: number): void;
  /** When an adopted program has ended. */
  release(pid: number): void;
}

/** A desktop that ends with this process or when it is stopped. @throws DeskterityError PLATFORM_UNSUPPORTED, DISPLAY_UNAVAILABLE, TIMEOUT */
export async function startPrivateDesktop(request: PrivateDesktopRequest): Promise<PrivateDesktopHandle> {
  if (process.platform !== 'linux') throw unsupported();
  const { PrivateDesktop } = await import('./linux/private-desktop/private-desktop.ts');
  const started = await PrivateDesktop.start(request);
  const { id, display, environment } = started;
  const handle: PrivateDesktopHandle = {
    id,
    display,
    environment,
    stop: async () => {
      ownDesktops.delete(id);
      await started.stop();
    },
    adopt: (pid) => started.adopt(pid),
    release: (pid) => started.release(pid),
  };
  ownDesktops.set(id, handle);
  return handle;
}

/**
 * Displays of this user that are alive though the environment names none, such as `:0` or `wayland-0`; none where it names one. Private
 * desktops do not count.
 */
export async function otherLiveDisplays(
  environment: Environment,
  search: UserDesktopSearch = {},
): Promise<readonly string[]> {
  if (environment['DISPLAY'] || process.platform !== 'linux') return [];
  const [{ liveDisplays }, { userDesktops }] = await Promise.all([
    import('./linux/machine/live-displays.ts'),
    import('./linux/machine/user-desktop.ts'),
  ]);
  const [listening, used] = await Promise.all([
    liveDisplays(environment, { x11Folder: search.x11Folder }),
    // The system runs the X server of some users: its socket does not tell whose it is, but their programs do.
    userDesktops(environment, search),
  ]);
  return [...new Set([...listening, ...used.map(({ name }) => name)])];
}

/**
 * What leads to the desktop of this user that is alive, for an environment that names none: programs that are started by others often get
 * but the barest one. Where a display is named without a bus, what belongs to it and is missing. `undefined` where all is named, where there is
 * no such desktop, and where there is more than one to choose from. Never rejects.
 */
export async function findUserDesktop(
  environment: Environment,
  search: UserDesktopSearch = {},
): Promise<Environment | undefined> {
  const { DISPLAY: display, DBUS_SESSION_BUS_ADDRESS: bus } = environment;
  const isComplete = Boolean(display ? bus : environment['WAYLAND_DISPLAY']) || Boolean(environment[MARKER]);
  if (isComplete || process.platform !== 'linux') return undefined;
  const { userDesktops } = await import('./linux/machine/user-desktop.ts');
  const desktops = await userDesktops(environment, search);
  if (display) {
    const named = desktops.find(({ name }) => name === displayName(display));
    const missing = Object.entries(named?.variables ?? {}).filter(([name]) => !environment[name]);
    return named && Object.fromEntries(missing);
  }
  const [desktop, ...others] = desktops;
  if (desktop?.variables.DISPLAY === undefined || others.length > 0) return undefined;
  return {
    ...desktop.variables,
    DBUS_SESSION_BUS_ADDRESS: desktop.variables.DBUS_SESSION_BUS_ADDRESS ?? bus,
  };
}

/** What tells processes of this machine apart. @throws DeskterityError PLATFORM_UNSUPPORTED where no command lines are run */
export async function selectProcessIdentity(): Promise<ProcessIdentityPort> {
  if (process.platform !== 'linux') throw unsupported();
  const { createProcessIdentity } = await import('./linux/process/process-identity.ts');
  return createProcessIdentity();
}

/** What confined commands see of this machine. @throws DeskterityError SANDBOX_UNAVAILABLE where nothing can be confined */
export async function selectSandbox(parts: SandboxParts): Promise<SandboxPort> {
  if (process.platform !== 'linux') {
    throw new DeskterityError(
      'SANDBOX_UNAVAILABLE',
      `Programs cannot be confined on ${process.platform} yet.`,
      {
        suggestion: 'Run them on Linux, in a virtual machine or a container if need be.',
      },
    );
  }
  const { createSandbox } = await import('./linux/sandbox/create-sandbox.ts');
  return createSandbox(parts);
}

/** Whether a command that Deskterity confines has connected to a socket of ours, or somebody of whom that is not known. */
export async function isConfinedPeer(socket: Socket): Promise<boolean> {
  // Nothing is confined elsewhere.
  if (process.platform !== 'linux') return false;
  return (await import('./linux/sandbox/levels/confined-peer.ts')).isConfinedPeer(socket);
}

function unsupported(): DeskterityError {
  return new DeskterityError('PLATFORM_UNSUPPORTED', `Deskterity does not support ${process.platform} yet.`, {
    suggestion: 'Use it on Linux with X11, in a virtual machine or a container if need be.',
  });
}
