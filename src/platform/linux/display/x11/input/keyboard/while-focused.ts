import { mentionCommand, mentionParameter } from '../../../../../../model/text/mention.ts';
import { DeskterityError } from '../../../../../../model/effects/errors.ts';
import { inputLineage } from '../../windows/window-list.ts';
import type { X11Wire } from '../../wire.ts';

/**
 * Sends keys while a window, or one inside it, has the keyboard focus. Looking and sending are atomic: for one round trip the server processes no
 * other client's requests, so that nobody takes the focus in between.
 *
 * @param window wherever the focus is, if absent
 * @param ended once aborted, nobody waits any more and nothing is sent: the server may answer long after the call failed
 * @throws DeskterityError NOT_ACTIONABLE (retryable) if the focus is elsewhere; `send` was not called
 */
export async function whileFocused(
  wire: X11Wire,
  window: number | undefined,
  send: () => void,
  ended: AbortSignal,
): Promise<void> {
  ended.throwIfAborted();
  if (window === undefined) return send();
  const lineage = await inputLineage(wire);
  ended.throwIfAborted();
  if (!lineage.includes(window)) throw focusTaken();
  const grab = wire.tryCall('GrabServer');
  try {
    const focus = (await wire.tryCall('GetInputFocus'))?.focus;
    ended.throwIfAborted();
    if (focus !== lineage[0]) throw focusTaken();
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
