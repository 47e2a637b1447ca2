import { mentionCommand } from '../../../../../model/text/mention.ts';
import { unsupported } from '../../../failures.ts';
import { numbersOf, readProperty } from '../properties.ts';
import { isManagerAlive, readRootState } from '../root-state.ts';
import type { X11Wire } from '../wire.ts';

import { windowNotFound } from '../x11-errors.ts';

/** Event mask of messages to the window manager. */
export const TO_MANAGER = 0x18_0000; // SubstructureRedirect | SubstructureNotify, as EWMH requires
const TO_OWNER = 0;
/** EWMH source indication 2: requested by a tool on the user's behalf. */
export const SOURCE_PAGER = 2;

/**
 * Requests that a window close, as its close button does; the application may ask for confirmation or refuse. Resolves
 * with the method used when the request has reached the server.
 *
 * @throws DeskterityError WINDOW_NOT_FOUND
 */
export async function closeWindow(wire: X11Wire, id: number): Promise<{ readonly via: string }> {
  const [attributes, supported, protocols, { manager, clients }] = await Promise.all([
    wire.tryCall('GetWindowAttributes', id),
    readProperty(wire, wire.root, '_NET_SUPPORTED'),
    readProperty(wire, id, 'WM_PROTOCOLS'),
    readRootState(wire),
  ]);
  if (attributes === undefined) throw windowNotFound(id);
  const isManaged = clients?.includes(id) === true && (await isManagerAlive(wire, manager));
  if (isManaged && numbersOf(supported).includes(wire.atom('_NET_CLOSE_WINDOW'))) {
    await sendMessage(wire, wire.root, id, wire.atom('_NET_CLOSE_WINDOW'), [0, SOURCE_PAGER], TO_MANAGER);
    return { via: 'x11:_NET_CLOSE_WINDOW' };
  }
  const deleteWindow = wire.atom('WM_DELETE_WINDOW');
  if (numbersOf(protocols).includes(deleteWindow)) {
    await sendMessage(wire, id, id, wire.atom('WM_PROTOCOLS'), [deleteWindow, 0], TO_OWNER);
    return { via: 'x11:WM_DELETE_WINDOW' };
  }
  throw unsupported(
    `X window 0x${id.toString(16)} does not support closing.`,
    `Close its application with: ${mentionCommand('close-app', { app: 'APP', force: true })}`,
  );
}

/** `data` is padded with zeros to five words. Resolves when the server has accepted the message. */
export async function sendMessage(
  wire: X11Wire,
  destination: number,
  window: number,
  type: number,
  data: readonly number[],
  mask: number,
): Promise<void> {
  await wire.call('SendClientMessage', destination, window, type, 32, data, mask);
}
