import type { Application } from '../../bus/application.ts';
import type { RawNode } from '../raw-node.ts';
import { NATIVE } from '../roles.ts';
import { outOfView } from '../states.ts';
import { isPlace, overlaps } from '../object-facts.ts';

/** They open windows of their own, beyond the one that they are in. */
export const OPENERS: ReadonlySet<number> = new Set([
  NATIVE.COMBO_BOX,
  NATIVE.MENU,
  NATIVE.MENU_BAR,
  NATIVE.POPUP_MENU,
]);

/**
 * Qt reports what a window is too small for as showing, at its place beyond the window: the end of a bar or dock. A dock that floats is a window
 * of its own, and in no other one.
 */
export function hideBeyondWindow(
  { traits }: Pick<Application, 'traits'>,
  root: RawNode,
  wholeTree: boolean,
): void {
  if (traits.kind !== 'qt' || !root.isTopLevel || !isPlace(root.extents)) return;
  const window = root.extents;
  // A dock that has just begun to float may report a single pixel, beside everything that is in it.
  const placed = root.children.filter(({ extents }) => isPlace(extents));
  if (!placed.some(({ extents }) => isPlace(extents) && overlaps(extents, window))) return;
  const visit = (node: RawNode, isBeyond: boolean): void => {
    for (const child of node.children) {
      if (OPENERS.has(child.nativeRole)) continue;
      const isOutside = isBeyond || (isPlace(child.extents) && !overlaps(child.extents, window));
      visit(child, isOutside);
      if (!isOutside) continue;
      child.states = outOfView(child.states);
      child.dropped ||= !wholeTree;
    }
  };
  visit(root, false);
}
