import type { X11Wire } from '../../wire.ts';
import { USERS, type DeviceRequests } from './device-requests.ts';
import { POINTER_ROOT } from './seat-places.ts';

/**
 * Calls `onLost` when no window has the user's focus after one was hidden: the one in which they were has closed. The server moves their focus to no window then,
 * and tells that to the root window only if no other keyboard is in a window: while ours is, the window manager never hears of it, and gives the focus to nobody.
 * @param wire must report the windows in the root window
 */
export function watchLostFocus(
  wire: X11Wire,
  requests: Pick<DeviceRequests, 'focus'>,
  onLost: () => Promise<void>,
): void {
  let isLooking = false;
  let isDue = false;
  const look = async (): Promise<void> => {
    isDue = true;
    if (isLooking) return;
    isLooking = true;
    try {
      while (isDue) {
        isDue = false;
        if ((await requests.focus(USERS.keyboard)) <= POINTER_ROOT) await onLost();
      }
    } finally {
      isLooking = false;
    }
  };
  wire.onEvent(({ name }) => {
    if (name !== 'UnmapNotify' && name !== 'DestroyNotify') return;
    // The connection may have ended.
    look().catch(() => undefined);
  });
}
