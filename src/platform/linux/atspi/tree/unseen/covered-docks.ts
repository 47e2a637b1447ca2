import type { Application } from '../../bus/application.ts';
import { forEachNode, type RawNode } from '../raw-node.ts';
import { withoutShowing } from '../states.ts';

/** How far left of and above its window Qt puts a dock that is behind another one. */
const AWAY = 500;
/** Frames around a window or a dock may be counted or not. */
const TOLERANCE = 2;

/**
 * Qt reports docks that are behind another dock of the same place as showing. It does not hide them but moves them away: their lower right
 * corner is 500 pixels left of and above the window that holds them.
 */
export function hideCoveredDocks(
  { traits }: Pick<Application, 'traits'>,
  root: RawNode,
  wholeTree: boolean,
): void {
  if (traits.kind !== 'qt') return;
  forEachNode(root, (node) => {
    for (const child of node.children.filter((one) => isMovedAway(one, node))) {
      child.dropped ||= !wholeTree;
      forEachNode(child, (inside) => {
        inside.states = withoutShowing(inside.states);
      });
    }
  });
}

function isMovedAway({ extents: dock }: RawNode, { extents: window }: RawNode): boolean {
  if (dock === undefined || window === undefined) return false;
  const left = window.x - (dock.x + dock.width);
  const above = window.y - (dock.y + dock.height);
  return Math.abs(left - AWAY) <= TOLERANCE && Math.abs(above - AWAY) <= TOLERANCE;
}
