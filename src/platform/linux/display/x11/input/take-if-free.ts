import type { X11Wire } from '../wire.ts';

/**
 * Takes a selection that nobody owns. The server clears the ownership when the owning client disconnects, so a process that exited never has it.
 * @param window what others see as its owner
 * @returns the window that owns it already, and keeps it; 0 if it was taken
 */
export async function takeIfFree(wire: X11Wire, selection: number, window: number): Promise<number> {
  // Looking and taking must be atomic: for one round trip the server processes no other client's requests.
  const grab = wire.tryCall('GrabServer');
  let owner = 0;
  try {
    owner = await wire.call('GetSelectionOwner', selection);
    // With the current server time.
    if (owner === 0) void wire.tryCall('SetSelectionOwner', window, selection, 0);
  } finally {
    await Promise.all([grab, wire.tryCall('UngrabServer')]);
  }
  return owner;
}
