import type { ActCall, HandAct } from '../../ports/desktop/acts.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import { isPartOfMenu } from '../evidence/menu-closing.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { mentionParameter } from '../../model/text/mention.ts';
import { named, type ResolvedTarget } from '../refs/target.ts';
import { hasWindowKey } from '../refs/window-identity.ts';
import { isInView } from '../tree/element-states.ts';
import { coveredError, hitTest, pointIn } from './hit-test.ts';

/**
 * Checks that an accessibility action does what a person would do by hand, and that a person could reach the element.
 * @throws DeskterityError ACTION_NOT_SUPPORTED if no action does that; NOT_ACTIONABLE naming what covers the element
 */
export async function requireSame(
  desktop: DesktopPort,
  target: ResolvedTarget,
  { act, ...options }: ActCall & { readonly act: HandAct },
): Promise<void> {
  const isAimed = act === 'click' || act === 'toggle';
  const [offered, reachable] = await Promise.allSettled([
    desktop.requireAction(target.node.handle, act, options),
    isAimed ? requireUncovered(desktop, target, options) : undefined,
  ]);
  // Without an action, the next strategy looks for itself what covers the element.
  if (offered.status === 'rejected') throw offered.reason;
  if (reachable.status === 'rejected') throw reachable.reason;
}

/**
 * Checks that no other element of the same window covers this one, such as a dialog drawn inside a page: a person's click would hit that, or only
 * close a menu that is open. Other windows may cover it, and its place may be unknown or off screen.
 * @throws DeskterityError NOT_ACTIONABLE naming what covers it
 */
async function requireUncovered(
  desktop: DesktopPort,
  { ref, node, record }: ResolvedTarget,
  options: CallOptions,
): Promise<void> {
  if (node.bounds === undefined || !isInView(node)) return;
  const windows = await desktop.listWindows(options).catch(() => []);
  const window = windows.find((each) => hasWindowKey(each, record.window));
  if (window === undefined || window.minimized || window.isTreeOnly === true) return;
  const point = pointIn(node.bounds, window.bounds);
  if (point === undefined) return;
  // The titles of a menu bar switch from one open menu to the other.
  const menus = !isPartOfMenu(node.role);
  const hit = await hitTest(desktop, { node, window, point }, { ...options, menus }).catch(() => undefined);
  if (hit?.kind === 'element' || hit?.kind === 'menu')
    throw await coveredError(desktop, { ref, hit }, options);
  // The pointer hits what a person would hit.
  if (hit?.kind === 'unknown' && hit.under !== undefined)
    throw new DeskterityError(
      'ACTION_NOT_SUPPORTED',
      `${named(ref, node)} was not acted on: its application reports something else at its middle, such as a layer over it, which a click would hit.`,
      {
        suggestion: `Click what is there with the pointer: ${mentionParameter('mode', 'pointer')}.`,
        delivered: false,
      },
    );
}
