import { setTimeout as sleep } from 'node:timers/promises';
import { notRefused, type X11Wire } from '../../wire.ts';
import { DeviceRequests } from './device-requests.ts';
import { isParked, mayBeRemoved } from './park-seat.ts';
import { removeSeat } from './remove-seat.ts';
import { claim, disclaim } from './seat-claim.ts';
import { seatsAmong, type FoundSeat } from './seat-name.ts';

const RETRY_MS = 50;

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
    const removed = await Promise.all(seats.map((seat) => removeIfStale(wire, requests, seat)));
    if (removed.every(Boolean) || performance.now() >= end) return;
    await sleep(RETRY_MS);
  }
}

async function removeIfStale(wire: X11Wire, requests: DeviceRequests, seat: FoundSeat): Promise<boolean> {
  if (!(await mayBeRemoved(wire)) && (await notRefused(isParked(requests, seat))) !== false) return true;
  // While it is ours, nobody else takes it over.
  if (!(await claim(wire, seat))) return false;
  try {
    return await removeSeat(wire, requests, seat);
  } finally {
    await disclaim(wire, seat);
  }
}
