import { setTimeout as sleep } from 'node:timers/promises';
import { readProperty, textOf } from '../../properties.ts';
import type { X11Wire } from '../../wire.ts';
import { DeviceRequests } from './device-requests.ts';
import { removeSeat } from './remove-seat.ts';
import { seatsAmong, type FoundSeat } from './seat-name.ts';

const RETRY_MS = 50;

/** Whether a seat's owner is still connected: its window, which exists before the seat does, names it. */
async function hasOwner(wire: X11Wire, { window, name }: FoundSeat): Promise<boolean> {
  return textOf(wire, await readProperty(wire, window, '_DESKTERITY_SEAT')) === name;
}

/**
 * Removes the seats whose process has ended without removing them.
 * @param waitMs how long to wait while seats have an owner: the server may not have noticed yet that it ended
 */
export async function removeStaleSeats(wire: X11Wire, waitMs = 0): Promise<void> {
  const requests = await DeviceRequests.find(wire);
  if (requests === undefined) return;
  const end = performance.now() + waitMs;
  for (;;) {
    const seats = seatsAmong(await requests.masters());
    const owned = await Promise.all(seats.map((seat) => hasOwner(wire, seat)));
    const stale = seats.filter((_seat, index) => owned[index] === false);
    const removed = await Promise.all(stale.map((seat) => removeSeat(requests, seat)));
    const left = seats.length - removed.filter(Boolean).length;
    if (left === 0 || performance.now() >= end) return;
    await sleep(RETRY_MS);
  }
}
