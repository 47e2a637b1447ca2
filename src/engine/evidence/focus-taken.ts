import { handleKey } from '../../model/tree/node.ts';
import type { DesktopEvent } from '../../ports/desktop/events.ts';
import type { DesktopWindow } from '../../ports/desktop/windows.ts';
import { membership, receivesKeys } from '../refs/window-identity.ts';
import type { ElementContext } from './element-context.ts';

export const FOCUS_TAKEN =
  'another application took the keyboard focus meanwhile, so the keys may have gone there';

type Around = Pick<ElementContext, 'windows' | 'window' | 'pid'>;

/**
 * Whether the keys may have gone to another application, because they would go there now; before the act they went to the target's.
 * @param events of the target's application, since the keys were sent
 */
export function wasFocusTaken(
  before: Around,
  { windows = [] }: Pick<ElementContext, 'windows'>,
  events: readonly DesktopEvent[],
): boolean {
  const receiver = windows.find(receivesKeys);
  if (receiver === undefined || before.pid === undefined || receiver.pid === before.pid) return false;
  return !wasPassedOn(before, windows, events);
}

/**
 * The window that had the keyboard closed, and another one of its application became active: until then the keyboard was theirs. What has it now
 * took it later, such as the application that a dialog started anew.
 */
function wasPassedOn(
  { window: target, windows = [], pid }: Around,
  now: readonly DesktopWindow[],
  events: readonly DesktopEvent[],
): boolean {
  if (target === undefined || now.some(membership([target]))) return false;
  const others = windows.filter((one) => one.pid === pid && one.id !== target.id);
  const roots = new Set(others.flatMap(({ root }) => (root === undefined ? [] : [handleKey(root)])));
  const active = events.find(({ kind, detail }) => kind === 'state-changed' && detail === 'active=1');
  return active !== undefined && roots.has(handleKey(active.node));
}
