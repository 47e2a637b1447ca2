import { copyFileSync, chmodSync } from 'node:fs';
import path from 'node:path';
import { DeskterityError } from '../../../model/effects/errors.ts';
import { startService, type ServiceRequest } from './service.ts';

const READY = 'deskterity-kwin-ready';
const SOCKET = 'wayland-1';

const ADMITS_ALL = { KWIN_WAYLAND_NO_PERMISSION_CHECKS: '1', KWIN_SCREENSHOT_NO_PERMISSION_CHECKS: '1' };

export interface KwinRequest extends ServiceRequest {
  readonly width: number;
  readonly height: number;
  /** Of the desktop, where its socket is. */
  readonly folder: string;
}

/**
 * Starts KWin without a screen, and returns the name of its display. It starts the program at the end of its command line once it listens, so no polling is needed.
 * Only programs of the desktop reach it, so it need not ask which of them may press keys and take screenshots.
 * @throws DeskterityError DISPLAY_UNAVAILABLE
 */
export async function startKwin(request: KwinRequest): Promise<string> {
  const { width, height } = request;
  const args = [
    '--virtual',
    '--width',
    String(width),
    '--height',
    String(height),
    '--no-lockscreen',
    '--no-global-shortcuts',
    '--socket',
    SOCKET,
    `sh -c 'echo ${READY} >&3'`,
  ];
  const line = await startService(
    {
      ...request,
      program: withoutCapabilities(request),
      environment: { ...ADMITS_ALL, ...request.environment },
    },
    { name: 'kwin_wayland', args, readyDescriptor: 3 },
  );
  if (line.includes(READY)) return SOCKET;
  throw new DeskterityError('DISPLAY_UNAVAILABLE', 'The private desktop did not start: KWin was not ready.', {
    suggestion: 'Run "kwin_wayland" in a terminal to see why it does not start.',
    platformDetail: line.slice(0, 200),
  });
}

/** Distributions give it a capability for its priority, and where that is not allowed, as in containers, it cannot be run: a copy has none. */
function withoutCapabilities({ program, folder }: KwinRequest): string {
  const copy = path.join(folder, 'kwin_wayland');
  copyFileSync(program, copy);
  chmodSync(copy, 0o700);
  return copy;
}
