import { setTimeout as sleep } from 'node:timers/promises';
import { notRefused, type X11Wire } from '../../wire.ts';
import type { DevicePair } from './device-bytes.ts';
import type { DeviceRequests } from './device-requests.ts';
import { mayBeRemoved, parkSeat } from './park-seat.ts';

/** For a program to close the menu that has our devices. */
const RELEASED_MS = 1000;
const RETRY_MS = 20;
/** Programs that have just been worked may still have requests about our devices under way. */
const QUIET_MS = 300;

/**
 * Removes a seat once no program uses it: GTK 3 ends with an error if a device is gone that it releases, as it does when a menu closes which was opened with
 * that device. While we have both, no program can take them. Where the window manager would crash, they stay for the next process.
 * @returns false if a program has not released them; then they stay, until somebody removes them later
 */
export async function removeSeat(
  wire: X11Wire,
  requests: DeviceRequests,
  { pointer, keyboard }: DevicePair,
): Promise<boolean> {
  if (!(await mayBeRemoved(wire))) {
    await notRefused(parkSeat(wire, requests, { pointer, keyboard }));
    return true;
  }
  const end = performance.now() + RELEASED_MS;
  for (const device of [pointer, keyboard]) {
    for (;;) {
      const isOurs = await notRefused(requests.freeze(device));
      // Another process has removed it.
      if (isOurs === undefined) return true;
      if (isOurs) break;
      if (performance.now() >= end) {
        await Promise.all([pointer, keyboard].map((each) => notRefused(requests.thaw(each))));
        return false;
      }
      await sleep(RETRY_MS);
    }
  }
  await sleep(QUIET_MS);
  await notRefused(requests.removeMaster(pointer));
  return true;
}
