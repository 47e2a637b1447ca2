import { mentionCommand, mentionParameter } from '../../../../../../model/text/mention.ts';
import { DeskterityError } from '../../../../../../model/effects/errors.ts';
import { inputLineage } from '../../windows/window-list.ts';
import type { X11Wire } from '../../wire.ts';

/**
 * Sends keys while a window, or one inside it, has the keyboard focus. Looking and sending are atomic: for a few round trips the server processes no
 * other client's requests, so that nobody takes the focus in between.
 *
 * @param window wherever the focus is, if absent
 * @throws DeskterityError NOT_ACTIONABLE (retryable) if the focus is elsewhere; `send` was not called
 */
export async function whileFocused(
  wire: X11Wire,
  window: number | undefined,
  send: () => void,
): Promise<void> {
  if (window === undefined) return send();
  const grab = wire.tryCall('GrabServer');
  try {
    if (!(await inputLineage(wire)).includes(window)) throw focusTaken();
    send();
  } finally {
    await Promise.all([grab, wire.tryCall('UngrabServer')]);
  }
}

function focusTaken(): DeskterityError {
  return new DeskterityError('NOT_ACTIONABLE', 'Another window has taken the keyboard focus.', {
    suggestion: `Run ${mentionCommand('list-windows')}, and name the window that should receive the keys: ${mentionParameter('app', 'NAME')}.`,
    delivered: false,
    retryable: true,
  });
}
