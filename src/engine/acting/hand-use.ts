import type { HandUse } from '../../model/effects/seat.ts';
import { roleSet } from '../../model/tree/role.ts';
import type { NodeDetails } from '../../ports/desktop/elements.ts';
import type { Act } from './attempt.ts';

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
