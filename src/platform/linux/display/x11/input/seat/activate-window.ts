import type { X11Wire } from '../../wire.ts';

/** SubstructureRedirect | SubstructureNotify, as EWMH wants for requests to the window manager. */
const TO_MANAGER = 0x18_0000;
/** EWMH source indication 2: requested by a tool on the user's behalf. */
const SOURCE_PAGER = 2;

/** Asks the window manager to make a window active. */
export async function activateWindow(wire: X11Wire, window: number): Promise<void> {
  const type = wire.atom('_NET_ACTIVE_WINDOW');
  const data = [SOURCE_PAGER, 0, 0, 0, 0];
  await wire.tryCall('SendClientMessage', wire.root, window, type, 32, data, TO_MANAGER);
}
