import { setTimeout as sleep } from 'node:timers/promises';
import { windowManagerName } from '../../root-state.ts';
import type { X11Wire } from '../../wire.ts';
import { WindowManagerBarrier } from '../window-manager-barrier.ts';
import { activateWindow } from './activate-window.ts';
import type { DevicePair } from './device-bytes.ts';
import type { DeviceRequests } from './device-requests.ts';
import { NONE, POINTER_ROOT, SeatPlaces } from './seat-places.ts';
import { UsersKeyboard } from './users-keyboard.ts';

/**
 * Mutter and what is built on it, such as GNOME Shell and Cinnamon. The server reports the removal of all devices of a seat in one event, of which Mutter
 * processes only the last device: it goes on to use the freed memory of the others, and crashes sooner or later (`translate_hierarchy_event` in
 * meta-seat-x11.c, seen with version 43). Disabling the devices one by one first is no way out: it crashes the X server.
 */
const CRASHES_ON_REMOVAL = /mutter|muffin|gnome shell|cinnamon|gala|budgie/i;
/** Beyond the corner of any screen. */
const CORNER = { x: 32_767, y: 32_767 };
/** For the window manager to make the window of the user active again. */
const ACTIVE_MS = 400;
const LOOK_EVERY_MS = 5;

export async function mayBeRemoved(wire: X11Wire): Promise<boolean> {
  return !CRASHES_ON_REMOVAL.test((await windowManagerName(wire)) ?? '');
}

/** Whether its keyboard is in no window, as after {@link parkSeat}. */
export async function isParked(requests: DeviceRequests, { keyboard }: DevicePair): Promise<boolean> {
  return (await requests.focus(keyboard)) <= POINTER_ROOT;
}

/** Leaves a seat for the next process that needs one: its pointer in the corner of the screen, and its keyboard in no window. */
export async function parkSeat(wire: X11Wire, requests: DeviceRequests, seat: DevicePair): Promise<void> {
  await requests.warp(seat.pointer, CORNER);
  if (await isParked(requests, seat)) return;
  const places = new SeatPlaces(wire, requests);
  const keyboard = new UsersKeyboard(requests);
  const thaw = await keyboard.freeze(AbortSignal.timeout(ACTIVE_MS)).catch(() => undefined);
  try {
    const { active } = await places.usersPlace();
    await requests.setFocus(seat.keyboard, NONE);
    if (active === undefined) return;
    // The window manager takes that for the user's.
    await activateWindow(wire, active);
    await new WindowManagerBarrier(wire).pass();
    const end = performance.now() + ACTIVE_MS;
    while ((await places.usersPlace()).active !== active && performance.now() < end)
      await sleep(LOOK_EVERY_MS);
  } finally {
    await thaw?.();
  }
}
