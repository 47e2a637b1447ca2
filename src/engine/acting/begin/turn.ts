import type { HandUse } from '../../../model/effects/seat.ts';
import type { Turn } from '../../../ports/desktop/acts.ts';
import type { CallOptions } from '../../../ports/call-options.ts';
import type { DesktopPort } from '../../../ports/desktop/desktop.ts';
import { hasWindowKey } from '../../refs/window-identity.ts';

/** The rest of the time is for the act itself. */
const WAITING_SHARE = 0.6;

/**
 * The right to act in the application of an element or window, from before the first look at it to the end of the verdict: two acts at once would
 * both see what one of them caused.
 */
export async function takeTurn(
  desktop: DesktopPort,
  {
    app,
    window,
    byHand,
  }: { readonly app: string; readonly window: string; readonly byHand?: HandUse | undefined },
  options: CallOptions,
): Promise<Turn> {
  if (app !== '') return takeTurnOf(desktop, { app, byHand }, options);
  const windows = await desktop.listWindows(options).catch(() => []);
  const pid = windows.find((each) => hasWindowKey(each, window))?.pid;
  return takeTurnOf(desktop, { app, pid, byHand }, options);
}

/** {@link takeTurn} in an application by its id or process. */
export function takeTurnOf(
  desktop: DesktopPort,
  application: Parameters<DesktopPort['takeTurn']>[0],
  { deadlineMs, signal }: CallOptions,
): Promise<Turn> {
  return desktop.takeTurn(application, { deadlineMs: deadlineMs * WAITING_SHARE, signal });
}
