import { setTimeout as sleep } from 'node:timers/promises';
import { listTopLevels } from '../windows/window-list.ts';
import type { X11Wire } from '../wire.ts';
import { FIRST_PRESS_MS } from './pointer.ts';

/** A right click that opens no menu lasts so long, which is no more than a slow hand's. */
const LONGEST_MS = 400;
const POLL_MS = 20;

/**
 * Waits until a pop-up shows that did not before, as a person does who holds the button: Chromium marks all of its address bar if the button is
 * up before the context menu is there, which takes longer on a busy machine.
 */
export async function untilPopup(wire: X11Wire, before: readonly number[]): Promise<void> {
  const end = performance.now() + LONGEST_MS;
  await sleep(FIRST_PRESS_MS);
  while (performance.now() < end) {
    const popups = await listTopLevels(wire, true);
    if (popups.some((popup) => !before.includes(popup))) return;
    await sleep(POLL_MS);
  }
}
