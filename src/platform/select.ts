import { DeskterityError } from '../model/errors.ts';
import type { DesktopPort } from '../ports/desktop.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The adapter for the machine this runs on. @throws DeskterityError PLATFORM_UNSUPPORTED */
export async function selectDesktop(environment: Environment): Promise<DesktopPort> {
  if (process.platform === 'linux') {
    const { LinuxDesktop } = await import('./linux/linux-desktop.ts');
    return new LinuxDesktop(environment);
  }
  throw unsupported();
}

/** Two environments have the same key when they are about the same desktop. */
export function desktopKey(environment: Environment): string {
  const display = (environment['DISPLAY'] ?? '').replace(/\.\d+$/, '');
  const rest = ['XAUTHORITY', 'DBUS_SESSION_BUS_ADDRESS', 'DESKTERITY_PRIVATE_DESKTOP'];
  return JSON.stringify([display, ...rest.map((name) => environment[name] ?? '')]);
}

export interface PrivateDesktopRequest {
  /** Screen size in pixels. */
  readonly width: number;
  readonly height: number;
  readonly deadlineMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Variables its programs inherit; those of the surrounding session are left out. */
  readonly inherit: Environment;
}

/** A desktop that ends with this process or when it is stopped. @throws DeskterityError PLATFORM_UNSUPPORTED, DISPLAY_UNAVAILABLE, TIMEOUT */
export async function startPrivateDesktop(request: PrivateDesktopRequest): Promise<{
  readonly id: string;
  readonly display: string;
  readonly environment: Environment;
  stop(): Promise<void>;
}> {
  if (process.platform !== 'linux') throw unsupported();
  const { PrivateDesktop } = await import('./linux/private-desktop/private-desktop.ts');
  return PrivateDesktop.start(request);
}

/** Displays of this user that are alive though the environment names none. */
export async function otherLiveDisplays(_environment: Environment): Promise<readonly string[]> {
  return [];
}

function unsupported(): DeskterityError {
  return new DeskterityError('PLATFORM_UNSUPPORTED', `Deskterity does not support ${process.platform} yet.`, {
    suggestion: 'Use it on Linux with X11, in a virtual machine or a container if need be.',
  });
}
