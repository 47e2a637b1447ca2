import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { NewDesktop, OwnDesktop } from '../../ports/desktops.ts';
import type { Environment } from '../../model/sessions/caller.ts';
import {
  displayName,
  namesWayland,
  PRIVATE_DESKTOP_MARKER as MARKER,
} from './machine/desktop-environment.ts';
import type { UserDesktopSearch } from './machine/user-desktop.ts';

/** Private desktops of this process by id, so that adapters can register the programs they start. */
const ownDesktops = new Map<string, PrivateDesktopHandle>();

export async function openDesktop(environment: Environment): Promise<DesktopPort> {
  const { LinuxDesktop } = await import('./desktop/linux-desktop.ts');
  return new LinuxDesktop(environment, ownDesktops.get(environment[MARKER] ?? ''));
}

/**
 * Two environments have the same key exactly if they select the same desktop: display (`:1.0` is `:1`), X authority file, session bus,
 * private desktop and Wayland display.
 */
export function desktopKey(environment: Environment): string {
  const home = environment['HOME'];
  return JSON.stringify([
    displayName(environment['DISPLAY'] ?? ''),
    environment['XAUTHORITY'] || (home ? `${home}/.Xauthority` : ''),
    // The guid identifies the same bus again.
    (environment['DBUS_SESSION_BUS_ADDRESS'] ?? '').replaceAll(/,guid=[0-9a-f]*/gi, ''),
    environment[MARKER] ?? '',
    ...(namesWayland(environment)
      ? [environment['XDG_RUNTIME_DIR'] ?? '', environment['WAYLAND_DISPLAY'] ?? '']
      : []),
  ]);
}

/** A private desktop that also ends programs that others start on it. */
export interface PrivateDesktopHandle extends OwnDesktop {
  /** Registers a program that leads its own session, to be ended with the desktop. Desktops of {@link openDesktop} do this for what they launch. */
  adopt(pid: number): void;
  /** Call when an adopted program has exited. */
  release(pid: number): void;
}

/** A desktop that ends with this process or when it is stopped. @throws DeskterityError DISPLAY_UNAVAILABLE, TIMEOUT, INVALID_ARGUMENT */
export async function startPrivateDesktop(request: NewDesktop): Promise<PrivateDesktopHandle> {
  const [{ PrivateDesktop }, { filesIn }, { privateDisplay }] = await Promise.all([
    import('./private-desktop/private-desktop.ts'),
    import('./private-desktop/home-files.ts'),
    import('./private-desktop/display-server.ts'),
  ]);
  const kind = request.display === undefined ? undefined : privateDisplay(request.display);
  const started = await PrivateDesktop.start({ ...request, display: kind });
  const { id, display, environment } = started;
  const handle: PrivateDesktopHandle = {
    id,
    display,
    environment,
    home: { path: started.home, isKept: request.home !== undefined, files: () => filesIn(started.home) },
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

/** Ends private desktops whose process was killed with their supervisor. Never rejects. */
export async function endLeftoverDesktops(): Promise<void> {
  const { sweepLeftovers } = await import('./private-desktop/sweep.ts');
  await sweepLeftovers();
}

/**
 * Live displays of this user, such as `:0` or `wayland-0`, for an environment that names none; empty if it names one. Private desktops are
 * left out.
 */
export async function otherLiveDisplays(
  environment: Environment,
  search: UserDesktopSearch = {},
): Promise<readonly string[]> {
  if (environment['DISPLAY'] || namesWayland(environment)) return [];
  const [{ liveDisplays }, { userDesktops }] = await Promise.all([
    import('./machine/live-displays.ts'),
    import('./machine/user-desktop.ts'),
  ]);
  const [listening, used] = await Promise.all([
    liveDisplays(environment, { x11Folder: search.x11Folder }),
    // Some users' X servers run as root: the socket does not reveal the user, but their programs do.
    userDesktops(environment, search),
  ]);
  return [...new Set([...listening, ...used.map(({ name }) => name)])];
}

/**
 * The variables of this user's live desktop for an environment that names none, as programs started by other programs often have a minimal
 * one; for a display without a bus, the missing variables. `undefined` if nothing is missing, or unless there is exactly one desktop. Never
 * rejects.
 */
export async function findUserDesktop(
  environment: Environment,
  search: UserDesktopSearch = {},
): Promise<Environment | undefined> {
  const { DISPLAY: display, DBUS_SESSION_BUS_ADDRESS: bus } = environment;
  const isComplete = Boolean(display ? bus : environment['WAYLAND_DISPLAY']) || Boolean(environment[MARKER]);
  if (isComplete) return undefined;
  const { userDesktops } = await import('./machine/user-desktop.ts');
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
