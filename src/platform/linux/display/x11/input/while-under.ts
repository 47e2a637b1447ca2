import { DeskterityError } from '../../../../../model/effects/errors.ts';
import type { Point } from '../../../../../ports/input.ts';
import type { X11Wire } from '../wire.ts';
import { requireInPlace } from './pointer.ts';

/**
 * Presses a button while a window is under the pointer. Looking and pressing are atomic: for one round trip the server processes no other client's
 * requests, so that no list closes and no window comes or goes in between.
 *
 * @param at.window whatever is there, if absent
 * @param signal once aborted, nothing is sent: the server may answer long after the call failed
 * @throws DeskterityError NOT_ACTIONABLE (retryable) if another window is there, CONFLICT if the pointer was moved; `press` was not called
 */
export async function whileUnder(
  wire: X11Wire,
  at: { readonly point: Point | undefined; readonly window: number | undefined },
  press: () => void,
  signal: AbortSignal,
): Promise<void> {
  const grab = wire.tryCall('GrabServer');
  try {
    const { rootX, rootY, child } = await wire.call('QueryPointer', wire.root);
    signal.throwIfAborted();
    requireInPlace(at.point, { x: rootX, y: rootY });
    if (at.window !== undefined && child !== at.window) throw replaced();
    press();
  } finally {
    await Promise.all([grab, wire.tryCall('UngrabServer')]);
  }
}

function replaced(): DeskterityError {
  return new DeskterityError(
    'NOT_ACTIONABLE',
    'Something else came under the pointer just before the button was pressed.',
    { suggestion: 'Look at what is there now, and repeat the command.', delivered: false, retryable: true },
  );
}
