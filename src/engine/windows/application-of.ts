import type { DesktopWindow } from '../../ports/desktop/windows.ts';
import type { ActApplication } from '../requests/acting.ts';

/** The application that shows a window, by the process that the kernel names: a window may name another one. */
export function applicationOf({ appName: name, pid, clientPid = pid }: DesktopWindow): ActApplication {
  return { name, pid: clientPid };
}
