import { DeskterityError } from '../../../../../model/effects/errors.ts';
import type { Point } from '../../../../../ports/input.ts';
import type { X11Wire } from '../wire.ts';
import { windowIdOf } from '../windows/window-id.ts';
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

/** The window under the pointer and where it is: somebody may move it away. */
export async function windowUnder(wire: X11Wire): Promise<string> {
  const { child } = await wire.call('QueryPointer', wire.root);
  const place = child === 0 ? undefined : await wire.tryCall('GetGeometry', child);
  return `${windowIdOf(child)} at ${place?.xPos},${place?.yPos}`;
}

function replaced(): DeskterityError {
  return new DeskterityError(
    'NOT_ACTIONABLE',
    'Something else came under the pointer, or its window was moved, just before the button was pressed.',
    { suggestion: 'Look at what is there now, and repeat the command.', delivered: false, retryable: true },
  );
}
