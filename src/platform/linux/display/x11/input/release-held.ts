import { setTimeout as sleep } from 'node:timers/promises';
import { DeskterityError } from '../../../../../model/effects/errors.ts';
import { X11Wire } from '../wire.ts';
import { InputConnection } from './input-connection.ts';
import { releaseOrphans } from './orphans.ts';
import { removeStaleSeats } from './seat/stale-seats.ts';

/** Releases what a process that has just ended held on a display, and removes its own keyboard and pointer. Tries until the display answers, as it may have stalled, or has ended. */
const [, , display = ''] = process.argv;
const TRY_MS = 2000;
const PAUSE_MS = 200;
/** A display that does not answer for this long does not come back. */
const LIMIT_MS = 10 * 60 * 1000;
/** For the server to notice that the process has ended. */
const LOCK_MS = 2000;

async function release(): Promise<void> {
  const wire = await X11Wire.connect(display, { deadlineMs: TRY_MS, xauthority: process.env['XAUTHORITY'] });
  try {
    const releasing = InputConnection.open(wire).then((connection) => releaseOrphans(connection, LOCK_MS));
    await wire.within(releasing, 'releasing held keys', { deadlineMs: LOCK_MS + TRY_MS });
    const removing = removeStaleSeats(wire, LOCK_MS);
    await wire.within(removing, 'removing a seat', { deadlineMs: LOCK_MS + TRY_MS });
  } finally {
    wire.close();
  }
}

const end = performance.now() + LIMIT_MS;
while (performance.now() < end) {
  const problem: unknown = await release().catch((error: unknown) => error);
  if (!(problem instanceof DeskterityError && problem.retryable)) break;
  await sleep(PAUSE_MS);
}
