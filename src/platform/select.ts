import { DeskterityError } from '../model/errors.ts';
import type { DesktopPort } from '../ports/desktop.ts';

/** The adapter for the machine this runs on. @throws DeskterityError PLATFORM_UNSUPPORTED */
export async function selectDesktop(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<DesktopPort> {
  if (process.platform === 'linux') {
    const { LinuxDesktop } = await import('./linux/linux-desktop.ts');
    return new LinuxDesktop(environment);
  }
  throw new DeskterityError('PLATFORM_UNSUPPORTED', `Deskterity does not support ${process.platform} yet.`, {
    suggestion: 'Use it on Linux with X11, in a virtual machine or a container if need be.',
  });
}
