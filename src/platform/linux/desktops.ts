import type { DesktopPort } from '../../ports/desktop.ts';
import type { NewDesktop, OwnDesktop } from '../../ports/desktops.ts';
import type { Environment } from '../../model/sessions/caller.ts';
import { displayName, PRIVATE_DESKTOP_MARKER as MARKER } from './machine/desktop-environment.ts';
import type { UserDesktopSearch } from './machine/user-desktop.ts';

/** Private desktops of this process by id, so that their adapters can tell them of programs they start. */
const ownDesktops = new Map<string, PrivateDesktopHandle>();

export async function openDesktop(environment: Environment): Promise<DesktopPort> {
  const { LinuxDesktop } = await import('./desktop/linux-desktop.ts');
  return new LinuxDesktop(environment, ownDesktops.get(environment[MARKER] ?? ''));
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

/** A private desktop that also ends what others start in it. */
export interface PrivateDesktopHandle extends OwnDesktop {
  /** Of a program that leads a session of its own, so that all of it ends with the desktop. {@link openDesktop} sees to what it launches. */
  adopt(pid: number): void;
  /** When an adopted program has ended. */
  release(pid: number): void;
}

/** A desktop that ends with this process or when it is stopped. @throws DeskterityError DISPLAY_UNAVAILABLE, TIMEOUT */
export async function startPrivateDesktop(request: NewDesktop): Promise<PrivateDesktopHandle> {
  const { PrivateDesktop } = await import('./private-desktop/private-desktop.ts');
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
  if (environment['DISPLAY']) return [];
  const [{ liveDisplays }, { userDesktops }] = await Promise.all([
    import('./machine/live-displays.ts'),
    import('./machine/user-desktop.ts'),
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
