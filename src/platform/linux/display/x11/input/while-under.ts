import { mentionCommand } from '../../../../../model/text/mention.ts';
import { DeskterityError } from '../../../../../model/effects/errors.ts';
import type { Point } from '../../../../../ports/input.ts';
import type { X11Wire } from '../wire.ts';
import { windowIdOf, windowIn } from '../windows/window-id.ts';
import { readPointer, requireInPlace } from './pointer.ts';

/**
 * Presses a button while a window is under the pointer. Looking and pressing are atomic: for one round trip the server processes no other client's
 * requests, so that no list closes and no window comes or goes in between.
 *
 * @param at.under what {@link windowUnder} told; whatever is there, if absent
 * @param signal once aborted, nothing is sent: the server may answer long after the call failed
 * @throws DeskterityError NOT_ACTIONABLE (retryable) if another window is there, CONFLICT if the pointer was moved; `press` was not called
 */
export async function whileUnder(
  wire: X11Wire,
  at: { readonly point: Point | undefined; readonly under: string | undefined },
  press: () => void,
  signal: AbortSignal,
): Promise<void> {
  const grab = wire.tryCall('GrabServer');
  try {
    const [{ x, y }, under] = await Promise.all([
      readPointer(wire),
      at.under === undefined ? undefined : windowUnder(wire),
    ]);
    signal.throwIfAborted();
    requireInPlace(at.point, { x, y });
    if (under !== at.under) throw replaced();
    press();
  } finally {
    await Promise.all([grab, wire.tryCall('UngrabServer')]);
  }
}

/**
 * Sends the rest of a click if the window that was pressed is still where it was then. Looking and sending are atomic, so that no press of a double
 * click reaches something else of that window; a list that the first press opened may be under the pointer.
 *
 * @param onto what {@link windowUnder} told; the rest is sent in any case if absent
 * @returns whether it was sent
 */
export async function whileInPlace(
  wire: X11Wire,
  onto: string | undefined,
  send: () => void,
): Promise<boolean> {
  const window = windowIn(onto?.split(' ')[0]);
  if (window === undefined || window === 0) {
    send();
    return true;
  }
  const grab = wire.tryCall('GrabServer');
  try {
    const place = await wire.tryCall('GetGeometry', window);
    if (place !== undefined && told(window, place) !== onto) return false;
    send();
    return true;
  } finally {
    await Promise.all([grab, wire.tryCall('UngrabServer')]);
  }
}

/** The window under the pointer and where it is: somebody may move it away. */
export async function windowUnder(wire: X11Wire): Promise<string> {
  const { child } = await wire.call('QueryPointer', wire.root);
  const place = child === 0 ? undefined : await wire.tryCall('GetGeometry', child);
  return told(child, place);
}

function told(window: number, place: { readonly xPos: number; readonly yPos: number } | undefined): string {
  return `${windowIdOf(window)} at ${place?.xPos},${place?.yPos}`;
}

function replaced(): DeskterityError {
  return new DeskterityError(
    'NOT_ACTIONABLE',
    'Something else came under the pointer, or its window was moved, just before the button was pressed.',
    { suggestion: 'Look at what is there now, and repeat the command.', delivered: false, retryable: true },
  );
}

export function movedAway(): DeskterityError {
  return new DeskterityError(
    'NOT_ACTIONABLE',
    'The window was moved away from the pointer while the button was down; the button was released elsewhere.',
    {
      suggestion: `Wait until it stops moving, run ${mentionCommand('snapshot')} again and repeat the command.`,
      delivered: true,
    },
  );
}
