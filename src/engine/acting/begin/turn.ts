import type { HandUse } from '../../../model/effects/seat.ts';
import { roleSet } from '../../../model/tree/role.ts';
import type { Turn } from '../../../ports/desktop/acts.ts';
import type { CallOptions } from '../../../ports/call-options.ts';
import type { DesktopPort } from '../../../ports/desktop/desktop.ts';
import type { NodeDetails } from '../../../ports/desktop/elements.ts';
import type { DesktopWindow } from '../../../ports/desktop/windows.ts';
import { hasWindowKey } from '../../refs/window-identity.ts';
import type { Act } from '../attempt.ts';

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
  const isTarget = (each: DesktopWindow): boolean => hasWindowKey(each, window);
  if (app !== '') return takeTurnOf(desktop, { app, byHand, isTarget }, options);
  const windows = await desktop.listWindows(options).catch(() => []);
  const pid = windows.find(isTarget)?.pid;
  return takeTurnOf(desktop, { app, pid, byHand, isTarget }, options);
}

/** {@link takeTurn} in an application by its id or process. */
export function takeTurnOf(
  desktop: DesktopPort,
  application: Parameters<DesktopPort['takeTurn']>[0],
  { deadlineMs, signal }: CallOptions,
): Promise<Turn> {
  return desktop.takeTurn(application, { deadlineMs: deadlineMs * WAITING_SHARE, signal });
}

const OPENING = roleSet('combobox', 'menuitem', 'menu');
const MAY_OPEN = roleSet('button', 'togglebutton');

/** What an act does with the keyboard or the pointer: a click on what has a menu or a list opens it. */
export function handUse(
  { byHand }: Pick<Act, 'byHand'>,
  node: Pick<NodeDetails, 'role' | 'states'>,
): HandUse | undefined {
  const { role, states } = node;
  const isOpener = MAY_OPEN.has(role) && (states.includes('collapsed') || states.includes('expanded'));
  const opens = isOpener || OPENING.has(role);
  return opens && (byHand === 'click' || byHand === 'double-click') ? 'popup' : byHand;
}
